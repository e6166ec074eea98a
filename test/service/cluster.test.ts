/** Three members with real sockets between them and to their clients; the database is in memory. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { bodyBytesMax, leaseMs, rightMs, watchedRenewals } from "../../src/limits.ts";
import { adminToken } from "../support/members/members.ts";
import { allReady, scan, threeMembers, until } from "../support/members/three-members.ts";
import { call } from "../support/wire/call.ts";

for (const [place, decider] of ["the keeper", "a deputy"].entries()) {
  test(`a change that one member answered, and ${decider} decided, is seen by the next scan at every other`, () =>
    seenAtOnce(place));
  test(`a limit at ${decider} is used up exactly once over all members, also by scans that come at the same time`, () =>
    usedUpOnce(place));
  test(`a limit that comes later at ${decider} counts what every member had counted before`, () =>
    countsBefore(place));
}

async function seenAtOnce(place: number): Promise<void> {
  const { members, apis } = await threeMembers(place);
  const code = await apis[1]!.createRendered();
  const { slug } = code;
  for (let round = 0; round < 30; round++) {
    const redirect_url = `https://example.com/${round}`;
    await apis[round % apis.length]!.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_url }, 200);
    const answers = await Promise.all(members.map((member) => scan(member, slug)));
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.location]),
      members.map(() => [302, redirect_url]),
    );
  }
  await until("the count", async () => {
    const { body } = await apis[2]!.get(`/v1/qr-codes/${code.qr_id}`, 200);
    assert.ok(body.scan_count <= 90);
    return body.scan_count === 90;
  });
  await apis[1]!.patch(`/v1/qr-codes/${code.qr_id}`, { status: "archived" }, 200);
  for (const member of members) assert.equal((await scan(member, slug)).status, 404);
}

async function usedUpOnce(place: number): Promise<void> {
  const { members, apis } = await threeMembers(place);
  for (const scan_limit of [1, 7, 40]) {
    const code = await apis[1]!.createRendered({ scan_limit });
    const { slug } = code;
    const scans = Array.from({ length: 3 * scan_limit + 9 }, (_, n) => scan(members[n % 3]!, slug));
    const statuses = (await Promise.all(scans)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 302).length, scan_limit);
    assert.equal(statuses.filter((status) => status === 410).length, statuses.length - scan_limit);
    const { body } = await apis[2]!.get(`/v1/qr-codes/${code.qr_id}`, 200);
    assert.equal(body.scan_count, scan_limit);
  }
}

async function countsBefore(place: number): Promise<void> {
  const { members, apis } = await threeMembers(place);
  const code = await apis[0]!.createRendered();
  const { slug } = code;
  for (const member of members) {
    for (let n = 0; n < 5; n++) assert.equal((await scan(member, slug)).status, 302);
  }
  await apis[1]!.patch(`/v1/qr-codes/${code.qr_id}`, { scan_limit: 20 }, 200);
  const statuses: number[] = [];
  for (let n = 0; n < 9; n++) statuses.push((await scan(members[n % 3]!, slug)).status);
  assert.deepEqual(statuses, [302, 302, 302, 302, 302, 410, 410, 410, 410]);
}

test("what a client gets through another member is what the owner would have given it", async () => {
  const { owner, followers, account } = await threeMembers();
  const id = { "x-api-key": account.key };
  const json = { ...id, "content-type": "application/json" };
  const large = "x".repeat(bodyBytesMax + 1);
  const requests: [path: string, options: object, body?: string][] = [
    ["/v1/qr-codes", { headers: id }],
    ["/v1/qr-codes", { headers: { "x-api-key": "api_live_wrong" } }],
    ["/v1/qr-codes?limit=0", { headers: id }],
    ["/v1/qr-codes", { method: "HEAD", headers: id }],
    ["/v1/qr-codes", { method: "PUT", headers: id }],
    ["/v1/qr-codes/qr_none", { headers: id }],
    ["/v1/nothing", { headers: id }],
    ["/v1/qr-codes", { method: "POST", headers: json }, "{"],
    ["/v1/qr-codes", { method: "POST", headers: json }, '{"redirect_url":"https://example.com/ü"'],
    ["/v1/qr-codes", { method: "POST", headers: { ...json, "content-length": large.length } }, large],
    ["/v1/qr-codes", { method: "POST", headers: { ...json, "transfer-encoding": "chunked" } }, large],
    ["/openapi.json", {}],
    ["/openapi.json", { headers: { "accept-encoding": "gzip" } }],
    ["/docs", {}],
    ["/", { headers: { accept: "text/html" } }],
    ["/", { method: "HEAD", headers: { accept: "text/html" } }],
    ["/dashboard", {}],
    ["/dashboard/api/session", {}],
    ["/admin/accounts", { headers: { authorization: `Bearer ${adminToken}` } }],
    ["/admin/accounts", {}],
  ];
  const plain = ({ status, headers, bytes }: Awaited<ReturnType<typeof call>>) => {
    const requestId = String(headers["x-request-id"]);
    const { date: _date, "x-request-id": _id, ...others } = headers;
    const rates = Object.keys(others).filter((name) => name.includes("ratelimit"));
    for (const name of rates) others[name] = "…";
    return { status, others, body: bytes.toString("latin1").replaceAll(requestId, "…") };
  };
  for (const [path, options, body] of requests) {
    const parts = body === undefined ? [] : [body];
    const answers = [];
    for (const { address } of [owner, ...followers]) {
      const ask = () => call(`${address}${path}`, options, parts);
      const answer = await ask();
      // An answer to HEAD ends its connection by chance, one in some hundreds.
      const isLastByChance =
        "method" in options && options.method === "HEAD" && "connection" in answer.headers;
      answers.push(plain(isLastByChance ? await ask() : answer));
    }
    const [own, ...others] = answers;
    for (const other of others) assert.deepEqual(other, own, `${JSON.stringify(options)} ${path}`);
  }
});

test("caps, rate windows and idempotency hold over all members", async () => {
  const { members, account } = await threeMembers();
  const key = randomUUID();
  const headers = { "x-api-key": account.key, "content-type": "application/json", "idempotency-key": key };
  const body = JSON.stringify({ redirect_url: "https://example.com/once" });
  const answers = await Promise.all(
    [0, 1, 2, 0, 1, 2].map((at) =>
      call(`${members[at]!.address}/v1/qr-codes`, { method: "POST", headers }, [body]),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ body: text }) => JSON.parse(text).qr_id)).size, 1);
});

test("while the database is away for all members, links in memory go on at every one of them", async () => {
  const { cluster, members, apis } = await threeMembers();
  const code = await apis[0]!.createRendered();
  const { slug } = code;
  for (const member of members) assert.equal((await scan(member, slug)).status, 302);
  // The marks of the first seconds, when nobody was connected yet, have to age.
  cluster.document.age(watchedRenewals);
  const { renewals } = cluster.document.doc!;
  await until("a renewal", async () => cluster.document.doc!.renewals > renewals + 1);
  cluster.isAway = true;
  const end = performance.now() + 2 * (rightMs + leaseMs);
  while (performance.now() < end) {
    for (const member of members) assert.equal((await scan(member, slug)).status, 302);
    await pause(100);
  }
  assert.equal(
    (await call(`${members[1]!.address}/v1/qr-codes`, { headers: { "x-api-key": "x" } })).status,
    401,
  );
  cluster.isAway = false;
  await until("a change", async () => {
    const { status } = await apis[1]!.patch(`/v1/qr-codes/${code.qr_id}`, {
      redirect_url: "https://example.com/back",
    });
    return status === 200;
  });
  for (const member of members) {
    assert.equal((await scan(member, slug)).headers.location, "https://example.com/back");
  }
});

test("when the owner stops another one owns, and all others go on with it", async () => {
  const { owner, followers, apis } = await threeMembers();
  const code = await apis[1]!.createRendered();
  const { slug } = code;
  await owner.stop();
  const redirect_url = "https://example.com/later";
  await until("a change", async () => {
    const { status } = await apis[1]!.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_url });
    return status === 200;
  });
  await allReady(followers);
  for (const member of followers) assert.equal((await scan(member, slug)).headers.location, redirect_url);
  assert.equal(followers.filter((member) => member.isOwner()).length, 1);
});
