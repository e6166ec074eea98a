/** Rate windows where accounts change hands: one for each key and each session, whichever member answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionLimits } from "../../src/limits.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import type { Service } from "../../src/service/shared.ts";
import { Client } from "../support/client.ts";
import { Balancer } from "../support/members/balancer.ts";
import { adminToken, MemoryCluster } from "../support/members/members.ts";
import { sharedOut, threeMembers } from "../support/members/three-members.ts";
import { createAccount } from "../support/server.ts";
import { call } from "../support/wire/call.ts";

/** Of which no window ever ends. */
function stoppedClock() {
  const now = systemClock.now();
  return { ...systemClock, now: () => now };
}

async function statuses(asked: Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(asked)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test("a session has one window, whoever takes its requests, whoever answers them, and whoever keeps", async () => {
  const { members, account } = await threeMembers(1, stoppedClock());
  const signedIn = await call(
    `${members[2]!.address}/dashboard/api/session`,
    {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://localhost:3000" },
    },
    [JSON.stringify({ admin_token: adminToken })],
  );
  assert.equal(signedIn.status, 200, signedIn.body);
  const cookie = String(signedIn.headers["set-cookie"]).split(";")[0]!;
  // The first is the keeper's to answer, the second the account's deputy's.
  const paths = ["/dashboard/api/session", `/dashboard/api/admin/v1/accounts/${account.id}`];
  const ask = (n: number) =>
    call(`${asked[n % asked.length]!.address}${paths[n % 2]!}`, {
      headers: { cookie, origin: "http://localhost:3000" },
    });
  let asked: readonly Service[] = members;
  const before = 20;
  assert.deepEqual(await statuses(Array.from({ length: before }, (_, n) => ask(n))), { 200: before });
  const [keeper, ...others] = members;
  await keeper.stop();
  asked = others;
  await sharedOut(new Client(others[0]!.address, { authorization: `Bearer ${adminToken}` }), others.length);
  const left = sessionLimits.burst - before;
  const more = 30;
  const answers = Array.from({ length: left + more }, (_, n) => ask(n));
  assert.deepEqual(await statuses(answers), { 200: left, 429: more });
});

test("a key's second goes from member to member with its account, and with the keeper", async () => {
  const cluster = new MemoryCluster();
  cluster.clock = stoppedClock();
  const balancer = new Balancer();
  const { members } = balancer;
  const adminAt = (member: Service) => new Client(member.address, { authorization: `Bearer ${adminToken}` });
  const join = async () => {
    const joined = await cluster.start();
    await balancer.untilReady(joined);
    members.push(joined);
    await sharedOut(adminAt(members[0]!), members.length);
  };
  await join();
  const admin = adminAt(members[0]!);
  const changes = 5;
  const [together, burst] = [4, 4 * (changes + 1)];
  const limits = { burst, per_minute: 1_000, per_day: 10_000 };
  const accounts: { key: string }[] = [];
  for (let n = 0; n < 6; n++) accounts.push(await createAccount(members[0]!.address, admin, { limits }));
  const askAll = async () => {
    for (const { key } of accounts) {
      const asked = Array.from({ length: together }, (_, n) =>
        call(`${members[n % members.length]!.address}/v1/projects`, { headers: { "x-api-key": key } }),
      );
      assert.deepEqual(await statuses(asked), { 200: together });
    }
  };
  const leave = async (at: number) => {
    const [leaving] = members.splice(at, 1);
    await leaving!.stop();
    await sharedOut(adminAt(members[0]!), members.length);
  };
  await askAll();
  for (const change of [join, join, () => leave(1), join, () => leave(0)]) {
    await change();
    await askAll();
  }
  for (const { key } of accounts) {
    const api = new Client(members[0]!.address, { "x-api-key": key });
    const refused = await api.get("/v1/projects");
    assert.equal(refused.status, 429, "every request of before was counted");
    assert.equal(refused.body.code, "rate_limited");
  }
});
