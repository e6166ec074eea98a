/** Two processes of the service on one database: who serves, and who follows when that one goes. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { leaseMs, leaseRenewMs, preparationMsMax } from "../../src/limits.ts";
import { Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { databaseUrl, mongodForTests, noMongod } from "../support/mongod/mongod.ts";
import { type ServiceProcess, spawnService } from "../support/process.ts";
import { startCutProxy } from "../support/wire/cut-proxy.ts";
import { freePort } from "../support/wire/free-port.ts";

const takeoverMsMax = 15_000;
/** Longer than a start waits for its collections: then it says why it ended. */
const startMsMax = 2 * preparationMsMax;
/** On a busy machine MongoDB stands still for seconds. */
const patienceMs = 20_000;
const adminToken = "an-admin-token-for-tests";

const server = await mongodForTests();
const folder = temporaryFolder();
after(() => server?.stop());

interface Node {
  service: ServiceProcess;
  url: string;
  dataDir: string;
}

/** When it serves or stands by. Where MongoDB is too slow for a start it is started again, as a supervisor would. */
async function startNode(
  database: string,
  dataDir = join(folder, randomUUID()),
  url = databaseUrl(server!.url, database),
): Promise<Node> {
  const port = await freePort();
  const start = () =>
    spawnService({
      PORT: String(port),
      DATA_DIR: dataDir,
      MONGODB_URL: url,
      ADMIN_TOKEN: adminToken,
      QRELAY_BOOTSTRAP: "off",
      LOG_LEVEL: "warn",
    });
  let service = start();
  for (const end = performance.now() + startMsMax; service.output() === ""; await pause(20)) {
    assert.ok(performance.now() < end, `not started: ${service.errors()}`);
    if (service.child.exitCode === null) continue;
    assert.match(service.errors(), /^qrelay: MongoDB (failed|did not answer)/);
    service = start();
  }
  return { service, url: `http://127.0.0.1:${port}`, dataDir };
}

/** Resolves when the process has printed the line; gives the milliseconds that took. */
async function says(node: Node, line: "listening" | "standing by", times = 1): Promise<number> {
  const began = performance.now();
  const wanted = `qrelay ${line} on ${node.url}\n`;
  while (node.service.output().split(wanted).length <= times) {
    assert.equal(node.service.child.exitCode, null, node.service.output() + node.service.errors());
    assert.ok(performance.now() - began < 60_000, `no line "${wanted.trim()}": ${node.service.output()}`);
    await pause(20);
  }
  return performance.now() - began;
}

async function ownerAndStandby(database: string): Promise<[Node, Node]> {
  const owner = await startNode(database);
  await says(owner, "listening");
  const standby = await startNode(database);
  await says(standby, "standing by");
  return [owner, standby];
}

const admin = ({ url }: Node, patience = patienceMs) =>
  new Client(url, { authorization: `Bearer ${adminToken}` }, patience);

const apiOf = ({ url }: Node, key: string) => new Client(url, { "x-api-key": key }, patienceMs);

async function createAccount(node: Node, name: string): Promise<void> {
  await admin(node).post("/admin/v1/accounts", { name }, 201);
}

/** The status that it is answered with, without another try. */
async function tryToCreate(node: Node, name: string): Promise<number> {
  return (await admin(node, 0).post("/admin/v1/accounts", { name })).status;
}

async function newKey(node: Node): Promise<string> {
  const { body } = await admin(node).post("/admin/v1/accounts", { name: "a", plan: "enterprise" }, 201);
  return (await admin(node).post(`/admin/v1/accounts/${body.account_id}/keys`, {}, 201)).body.key;
}

/** Where a scan leads; null when it leads nowhere. */
async function targetOf({ url }: Node, slug: string): Promise<string | null> {
  const answer = await fetch(`${url}/${slug}`, { redirect: "manual" }).catch(() => null);
  return answer?.status === 302 ? answer.headers.get("location") : null;
}

async function accountNames(node: Node): Promise<string[]> {
  const { items } = (await admin(node).get("/admin/v1/accounts?page_size=100", 200)).body;
  return items.map(({ name }: { name: string }) => name).sort();
}

const skip = server ? false : noMongod;

// Each test has two processes: with all of them at once the database did not answer within the second that a start gives it.
describe("two processes on one database", { concurrency: 3 }, () => {
  test("one serves, the other stands by, and follows at once when the first drains", { skip }, async () => {
    const [owner, standby] = await ownerAndStandby(`drain_${process.pid}`);
    await createAccount(owner, "by the first");
    const ready = await fetch(`${standby.url}/readyz`);
    assert.equal(ready.status, 503);
    assert.match(((await ready.json()) as { message: string }).message, /standby/i);
    assert.equal((await fetch(`${standby.url}/healthz`)).status, 200);
    assert.equal((await fetch(`${standby.url}/healthz`, { method: "HEAD" })).status, 200);
    const scan = await fetch(`${standby.url}/qr-0123456789`);
    assert.deepEqual([scan.status, scan.headers.get("retry-after")], [503, "1"]);
    assert.equal(await tryToCreate(standby, "by the standby"), 503);

    owner.service.child.kill("SIGTERM");
    assert.deepEqual(await owner.service.exited, { code: 0, signal: null });
    assert.ok((await says(standby, "listening")) < leaseMs, "at once, not when a lease has run out");
    assert.equal((await fetch(`${standby.url}/readyz`)).status, 200);
    await createAccount(standby, "by the second");
    assert.deepEqual(await accountNames(standby), ["by the first", "by the second"]);
  });

  test("a standby that is stopped leaves the owner alone", { skip }, async () => {
    const [owner, standby] = await ownerAndStandby(`standby_${process.pid}`);
    standby.service.child.kill("SIGTERM");
    assert.deepEqual(await standby.service.exited, { code: 0, signal: null });
    await createAccount(owner, "still here");
  });

  test("the standby follows a killed owner within 15 s, with everything that was answered", {
    skip,
  }, async () => {
    const [owner, standby] = await ownerAndStandby(`kill_${process.pid}`);
    for (let n = 0; n < 5; n += 1) await createAccount(owner, `account ${n}`);
    owner.service.child.kill("SIGKILL");
    const ms = await says(standby, "listening");
    assert.ok(ms < takeoverMsMax, `took over after ${ms} ms`);
    assert.equal((await accountNames(standby)).length, 5);
  });

  test("an owner that was paused for longer than the lease cannot write, steps down, and can follow", {
    skip,
  }, async () => {
    const [paused, next] = await ownerAndStandby(`pause_${process.pid}`);
    await createAccount(paused, "before");
    paused.service.child.kill("SIGSTOP");
    const ms = await says(next, "listening");
    assert.ok(ms < takeoverMsMax, `took over after ${ms} ms`);
    await createAccount(next, "meanwhile");

    // Waits in the socket of the paused process: the first thing it sees when it wakes up.
    const late = tryToCreate(paused, "too late").catch(() => 0);
    await pause(200);
    paused.service.child.kill("SIGCONT");
    assert.notEqual(await late, 201);
    await says(paused, "standing by");
    assert.equal((await fetch(`${paused.url}/readyz`)).status, 503);
    assert.deepEqual(await accountNames(next), ["before", "meanwhile"]);

    next.service.child.kill("SIGTERM");
    await next.service.exited;
    await says(paused, "listening", 2);
    assert.deepEqual(await accountNames(paused), ["before", "meanwhile"]);
  });

  test("an owner that was paused leads nobody to a target that was changed meanwhile", { skip }, async () => {
    const [paused, next] = await ownerAndStandby(`target_${process.pid}`);
    const key = await newKey(paused);
    const before = "https://example.com/before";
    const { slug, qr_id } = await apiOf(paused, key).createRendered({ redirect_url: before });
    assert.equal(await targetOf(paused, slug), before);
    paused.service.child.kill("SIGSTOP");
    await says(next, "listening");
    const moved = { redirect_url: "https://example.com/after" };
    await apiOf(next, key).patch(`/v1/qr-codes/${qr_id}`, moved, 200);
    // They wait in the socket of the paused process: the first things that it sees when it wakes up.
    const late = Array.from({ length: 50 }, () => targetOf(paused, slug));
    await pause(200);
    paused.service.child.kill("SIGCONT");
    assert.ok(!(await Promise.all(late)).includes(before));
    assert.equal(await targetOf(next, slug), moved.redirect_url);
  });

  for (const [name, direction] of [
    ["that cannot send", "out"],
    ["that hears nothing", "in"],
  ] as const) {
    test(`an owner ${name} stops serving before another one answers`, { skip }, async () => {
      const database = `cut_${direction}_${process.pid}`;
      const { hostname, port } = new URL(databaseUrl(server!.url, database).replace(/,[^/]*/, ""));
      const way = await startCutProxy(hostname, Number(port));
      try {
        const direct = `mongodb://127.0.0.1:${way.port}/${database}?directConnection=true`;
        const owner = await startNode(database, undefined, direct);
        await says(owner, "listening");
        const next = await startNode(database);
        await says(next, "standing by");
        const key = await newKey(owner);
        const before = "https://example.com/before";
        const { slug, qr_id } = await apiOf(owner, key).createRendered({ redirect_url: before });
        // Known to be watched from its next renewal on.
        await pause(3 * leaseRenewMs);
        assert.equal(await targetOf(owner, slug), before);

        way.cut(direction);
        assert.ok((await says(next, "listening")) < takeoverMsMax);
        assert.equal(await targetOf(owner, slug), null, "its right has ended");
        assert.equal((await fetch(`${owner.url}/readyz`)).status, 503);
        const moved = { redirect_url: "https://example.com/after" };
        await apiOf(next, key).patch(`/v1/qr-codes/${qr_id}`, moved, 200);
        assert.notEqual(await targetOf(owner, slug), before);

        way.heal();
        await says(owner, "standing by");
      } finally {
        way.close();
      }
    });
  }

  test("limits are exact over owners with disks of their own, and counts once the dead one is back", {
    skip,
  }, async () => {
    const database = `counts_${process.pid}`;
    const [owner, standby] = await ownerAndStandby(database);
    const key = await newKey(owner);
    const api = (node: Node) => apiOf(node, key);
    const open = await api(owner).createRendered({});
    const limited = await api(owner).createRendered({ scan_limit: 100 });
    const scan = async ({ url }: Node, { slug }: { slug: string }) =>
      (await fetch(`${url}/${slug}`, { redirect: "manual" }).catch(() => null))?.status ?? 0;
    const tally = { open: 0, limited: 0, sent: 0 };
    const scanBoth = async (node: Node, times: number) => {
      for (let n = 0; n < times; n += 1) {
        tally.sent += 1;
        const [first, second] = await Promise.all([scan(node, open), scan(node, limited)]);
        if (first === 302) tally.open += 1;
        if (second === 302) tally.limited += 1;
      }
    };

    const load = Promise.all(Array.from({ length: 4 }, () => scanBoth(owner, 15)));
    await pause(100);
    owner.service.child.kill("SIGKILL");
    await load;
    await says(standby, "listening");
    await Promise.all(Array.from({ length: 4 }, () => scanBoth(standby, 40)));
    assert.ok(tally.limited <= 100, `${tally.limited} scans of a link with limit 100`);
    assert.equal(await scan(standby, limited), 410);
    const count = async (node: Node, { qr_id }: { qr_id: string }) =>
      (await api(node).get(`/v1/qr-codes/${qr_id}`, 200)).body.scan_count;
    assert.equal(await count(standby, limited), 100);

    const back = await startNode(database, owner.dataDir);
    await says(back, "standing by");
    const counted = () => count(standby, open);
    for (const end = performance.now() + 20_000; (await counted()) < tally.open; await pause(100)) {
      assert.ok(performance.now() < end, `answered ${tally.open}, counted ${await counted()}`);
    }
    await pause(500);
    assert.ok((await counted()) <= tally.sent, `sent ${tally.sent}, counted ${await counted()}`);
  });
});

test("a database that is not there ends the start with one line", { timeout: 60_000 }, async () => {
  const service = spawnService({ DATA_DIR: folder, MONGODB_URL: "mongodb://me:s3cr3t@127.0.0.1:1/none" });
  assert.equal((await service.exited).code, 1);
  assert.match(service.errors(), /^qrelay: MongoDB failed: [^\n]*\n$/);
  assert.doesNotMatch(service.errors() + service.output(), /s3cr3t/);
});
