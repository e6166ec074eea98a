import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoryDisk } from "../fakes/memory-disk.ts";
import { code, startScans, statuses, storeWith, testSlug } from "../fakes/scan-server.ts";
import { temporaryFolder } from "../support/endings.ts";

for (const sync of [100, "always"] as const) {
  test(`exactly as many scans as the limit get the destination, all at once (sync ${sync})`, async () => {
    const server = await startScans({ store: await storeWith(code(1, { scan_limit: 37 })), sync });
    assert.deepEqual(await statuses(server, 1, 200), { 302: 37, 410: 163 });
    assert.equal(server.scans.links.scanCount(testSlug(1)), 37);
  });

  test(`the limit holds over stops and crashes (sync ${sync})`, async () => {
    const store = await storeWith(code(1, { scan_limit: 50 }), code(2));
    const directory = temporaryFolder();
    let redirects = 0;
    for (const way of ["crash", "stop", "crash", "crash", "stop", "stop"] as const) {
      const server = await startScans({ store, sync, dataDir: directory });
      const counts = await statuses(server, 1, 10);
      assert.deepEqual(counts, redirects < 50 ? { 302: 10 } : { 410: 10 });
      redirects += counts[302] ?? 0;
      await statuses(server, 2, 10);
      await server[way]();
    }
    assert.equal(redirects, 50);
    assert.equal(await store.scanCount(testSlug(1)), 50);
    assert.equal(await store.scanCount(testSlug(2)), 60);
  });
}

test("scans that waited together for a cold link share its limit", async () => {
  const store = await storeWith(code(1, { scan_limit: 37 }));
  const server = await startScans({ store });
  store.beforeAnswer = (method) => (method === "codeBySlug" ? sleep(200) : undefined);
  assert.deepEqual(await statuses(server, 1, 200), { 302: 37, 410: 163 });
});

test("a limit set below the count exhausts the code at once, and a raised one opens it again", async () => {
  const store = await storeWith(code(1));
  const server = await startScans({ store });
  assert.deepEqual(await statuses(server, 1, 5), { 302: 5 });
  server.scans.links.publishCode(code(1, { scan_limit: 3 }));
  assert.deepEqual(await statuses(server, 1, 5), { 410: 5 });
  server.scans.links.publishCode(code(1, { scan_limit: 7 }));
  assert.deepEqual(await statuses(server, 1, 5), { 302: 2, 410: 3 });
});

test("on a full disk unlimited codes go on, limited ones answer 503, and all recovers by itself", async () => {
  const disk = new MemoryDisk();
  const store = await storeWith(code(1, { scan_limit: 10 }), code(2));
  const server = await startScans({ store, disk });
  assert.deepEqual(await statuses(server, 1, 4), { 302: 4 });
  assert.deepEqual(await statuses(server, 2, 4), { 302: 4 });
  assert.equal(server.scans.health(), null);

  disk.freeBytes = 0;
  assert.deepEqual(await statuses(server, 1, 20), { 503: 20 });
  assert.deepEqual(await statuses(server, 2, 4), { 302: 4 });
  assert.match(server.scans.health() ?? "", /ENOSPC/);
  assert.equal(server.scans.links.scanCount(testSlug(1)), 4);
  assert.equal(server.scans.links.scanCount(testSlug(2)), 8);
  const refused = await server.get(`/${testSlug(1)}`);
  assert.equal(JSON.parse(refused.body).code, "unavailable");
  assert.equal(refused.headers["retry-after"], "1");

  disk.freeBytes = 1_000_000;
  assert.deepEqual(await statuses(server, 1, 10), { 302: 6, 410: 4 });
  assert.equal(server.scans.health(), null);
  await server.scans.checkpoint();
  assert.equal(await store.scanCount(testSlug(1)), 10);
  assert.equal(await store.scanCount(testSlug(2)), 8);
});

test("a sync that fails keeps limited codes from their destination and never overshoots", async () => {
  const disk = new MemoryDisk();
  const store = await storeWith(code(1, { scan_limit: 10 }), code(2));
  const server = await startScans({ store, disk, sync: "always" });
  assert.deepEqual(await statuses(server, 1, 4), { 302: 4 });
  disk.failsSyncs = true;
  assert.deepEqual(await statuses(server, 1, 2), { 503: 2 });
  assert.deepEqual(await statuses(server, 2, 2), { 302: 2 });
  assert.match(server.scans.health() ?? "", /synced/);
  disk.failsSyncs = false;
  const rest = await statuses(server, 1, 10);
  assert.ok(rest[302]! <= 6, `${rest[302]}`);
});
