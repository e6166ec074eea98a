/** MongoDB stands still under a running service and comes back. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { leaseRenewMs, rightMs, watchedRenewals } from "../../src/limits.ts";
import { Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { noMongod, startReplicaSet } from "../support/mongod/mongod.ts";
import { spawnService } from "../support/process.ts";

const answerMsMax = 6_000;
const adminToken = "an-admin-token-for-tests";

const set = await startReplicaSet(1);
const folder = temporaryFolder();
after(() => set?.stop());

async function timed<T>(run: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const began = performance.now();
  const value = await run();
  return { ms: performance.now() - began, value };
}

test("while MongoDB is away loaded links redirect and count, the rest answers 503, and all goes on afterwards", {
  skip: set ? false : noMongod,
}, async () => {
  const service = spawnService({
    PORT: "0",
    DATA_DIR: folder,
    MONGODB_URL: set!.url,
    ADMIN_TOKEN: adminToken,
    QRELAY_BOOTSTRAP: "off",
    LOG_LEVEL: "warn",
  });
  const url = await service.ready();
  const admin = new Client(url, { authorization: `Bearer ${adminToken}` });
  const account = (await admin.post("/admin/v1/accounts", { name: "a", plan: "enterprise" }, 201)).body;
  const { key } = (await admin.post(`/admin/v1/accounts/${account.account_id}/keys`, {}, 201)).body;
  const api = new Client(url, { "x-api-key": key });
  const code = await api.createRendered();
  const cold = await api.createRendered();
  const scan = (slug: string) => fetch(`${url}/${slug}`, { redirect: "manual" });
  assert.equal((await scan(code.slug)).status, 302);

  // Until then whoever started with it may be paused.
  await pause(watchedRenewals * leaseRenewMs);
  assert.equal((await scan(code.slug)).status, 302);
  const [member] = set!.members;
  member!.pause();
  const writes = Array.from({ length: 20 }, async (_, n) => {
    await pause(n * 400);
    return timed(() => api.post("/v1/qr-codes", { redirect_url: "https://example.com/" }));
  });
  let scanned = 2;
  for (; scanned < 200; scanned += 1) assert.equal((await scan(code.slug)).status, 302);
  assert.equal((await scan(cold.slug)).status, 503, "nothing is known of a link that was not loaded");
  await pause(2 * rightMs);
  assert.equal((await scan(code.slug)).status, 302, "nobody else is there who could have changed it");
  scanned += 1;
  const ready = await timed(() => fetch(`${url}/readyz`));
  assert.equal(ready.value.status, 503);
  assert.match(await ready.value.text(), /store: /);
  for (const { ms, value } of await Promise.all(writes)) {
    assert.equal(value.status, 503, value.text);
    assert.equal(value.body.code, "unavailable");
    assert.ok(Number(value.headers.get("retry-after")) >= 1);
    assert.ok(ms < answerMsMax, `refused after ${ms} ms`);
  }

  member!.resume();
  const back = performance.now();
  for (;;) {
    const { status } = await api.post("/v1/qr-codes", { redirect_url: "https://example.com/" });
    if (status === 201) break;
    assert.ok(performance.now() - back < 20_000, "it goes on without a restart");
    await pause(100);
  }
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.equal((await scan(cold.slug)).status, 302);
  assert.equal((await api.get(`/v1/qr-codes/${code.qr_id}`, 200)).body.scan_count, scanned);

  service.child.kill("SIGTERM");
  assert.equal((await service.exited).code, 0);
  const restarted = spawnService({ PORT: "0", DATA_DIR: folder, MONGODB_URL: set!.url, LOG_LEVEL: "warn" });
  const again = new Client(await restarted.ready(), { "x-api-key": key });
  assert.equal((await again.get(`/v1/qr-codes/${code.qr_id}`, 200)).body.scan_count, scanned);
});
