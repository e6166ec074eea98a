import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "../fakes/manual-clock.ts";
import type { MemoryStore } from "../fakes/memory-store.ts";
import {
  putAccount,
  putCode,
  putProject,
  sampleAccount,
  sampleProject,
  savedCount,
  scheduleRule,
} from "../fakes/sample-documents.ts";
import { code, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";

/** Holds the answers to one method of the store back until `release`. */
function hold(store: MemoryStore, method: string): { reached: Promise<void>; release(): void } {
  let release = () => {};
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  store.beforeAnswer = (called) => {
    if (called !== method) return;
    reach();
    return released;
  };
  return {
    reached,
    release() {
      store.beforeAnswer = () => {};
      release();
    },
  };
}

test("a cold slug is read once however many ask", async () => {
  const store = await storeWith(code(1));
  await store.saveScans([savedCount(testSlug(1), 7)]);
  const server = await startScans({ store });
  store.calls.clear();
  const held = hold(store, "codeBySlug");
  const scans = Array.from({ length: 60 }, () => server.get(`/${testSlug(1)}`));
  await held.reached;
  while (server.routes.counters.cold < 60) await new Promise(setImmediate);
  held.release();
  for (const { status } of await Promise.all(scans)) assert.equal(status, 302);
  assert.equal(store.calls.get("codeBySlug"), 1);
  assert.equal(store.calls.get("countedBy"), 1);
  assert.equal(store.calls.get("get"), 1);
  assert.equal(server.scans.links.scanCount(testSlug(1)), 67);
});

test("codes of one project read the project once", async () => {
  const store = await storeWith(...Array.from({ length: 20 }, (_, n) => code(n)));
  const server = await startScans({ store });
  store.calls.clear();
  for (let n = 0; n < 20; n++) await server.get(`/${testSlug(n)}`);
  assert.equal(store.calls.get("get"), 1);
});

test("unknown slugs are remembered briefly and boundedly, and a new code is seen at once", async () => {
  const clock = new ManualClock();
  const store = await storeWith();
  const server = await startScans({ store, clock, limits: { unknownSlugsMax: 10, unknownSlugMs: 1_000 } });
  const reads = () => store.calls.get("codeBySlug") ?? 0;
  for (let repeat = 0; repeat < 5; repeat++) assert.equal((await server.get(`/${testSlug(1)}`)).status, 404);
  assert.equal(reads(), 1);
  clock.advance(1_000);
  await server.get(`/${testSlug(1)}`);
  assert.equal(reads(), 2);

  for (let n = 100; n < 150; n++) await server.get(`/${testSlug(n)}`);
  assert.equal(server.scans.unknown.size, 10);
  await server.get(`/${testSlug(149)}`);
  assert.equal(reads(), 52);

  const made = code(149);
  await store.commit([putCode(made)]);
  server.scans.links.publishCode(made);
  assert.equal((await server.get(`/${testSlug(149)}`)).status, 302);
});

test("while the store is away loaded links are served and cold ones answer 503", async () => {
  const store = await storeWith(code(1), code(2));
  const server = await startScans({ store });
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 302);
  store.isAway = true;
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 302);
  const cold = await server.get(`/${testSlug(2)}`);
  assert.equal(cold.status, 503);
  assert.equal(JSON.parse(cold.body).code, "unavailable");
  assert.equal(cold.headers["retry-after"], "1");
  store.isAway = false;
  assert.equal((await server.get(`/${testSlug(2)}`)).status, 302);
});

test("a code changed while it is read is read again", async () => {
  const store = await storeWith(code(1));
  const server = await startScans({ store });
  for (const method of ["codeBySlug", "countedBy"]) {
    server.scans.links.forget(testSlug(1));
    await server.scans.checkpoint();
    server.scans.links.forget(testSlug(1));
    const held = hold(store, method);
    const scan = server.get(`/${testSlug(1)}`);
    await held.reached;
    const changed = code(1, { redirect_url: `https://example.com/after-${method}` });
    await store.commit([putCode(changed)]);
    server.scans.links.publishCode(changed);
    held.release();
    assert.equal((await scan).headers.location, changed.redirect_url);
  }
});

test("a code made while its slug is looked up is found", async () => {
  const store = await storeWith();
  const server = await startScans({ store });
  const held = hold(store, "codeBySlug");
  const scan = server.get(`/${testSlug(5)}`);
  await held.reached;
  await store.commit([putCode(code(5))]);
  server.scans.links.publishCode(code(5));
  held.release();
  assert.equal((await scan).status, 302);
});

test("a project archived while a code of it is read is seen", async () => {
  const store = await storeWith(code(1));
  const server = await startScans({ store });
  const held = hold(store, "get");
  const scan = server.get(`/${testSlug(1)}`);
  await held.reached;
  const archived = sampleProject({ is_archived: true });
  await store.commit([putProject(archived)]);
  server.scans.links.publishProject(archived);
  held.release();
  assert.equal((await scan).status, 404);
});

test("a time zone changed while a code with a schedule is read is seen", async () => {
  // Monday 12:00 UTC is 13:00 in Berlin and 21:00 in Tokyo.
  const clock = new ManualClock(Date.UTC(2030, 0, 14, 12));
  const evening = scheduleRule(["mon"], "20:00", "22:00", "https://example.com/evening");
  const scheduled = code(1, { redirect_rules: [{ ...evening, schedule_days: ["mon"] }] });
  const store = await storeWith(scheduled);
  const server = await startScans({ store, clock });
  const held = hold(store, "countedBy");
  const scan = server.get(`/${testSlug(1)}`);
  await held.reached;
  const moved = sampleAccount({ timezone: "Asia/Tokyo" });
  await store.commit([putAccount(moved)]);
  server.scans.links.publishAccount(moved);
  held.release();
  assert.equal((await scan).headers.location, "https://example.com/evening");
  server.scans.links.publishAccount(sampleAccount({ timezone: "Europe/Berlin" }));
  assert.equal((await server.get(`/${testSlug(1)}`)).headers.location, "https://example.com/1");
});

test("memory holds only so many links; the rest come back from the store with their counts", async () => {
  const store = await storeWith(...Array.from({ length: 30 }, (_, n) => code(n)));
  const server = await startScans({ store, limits: { linksMax: 10 } });
  for (let round = 1; round <= 3; round++) {
    for (let n = 0; n < 30; n++) {
      let answer = await server.get(`/${testSlug(n)}`);
      if (answer.status === 503) {
        await server.scans.checkpoint();
        answer = await server.get(`/${testSlug(n)}`);
      }
      assert.equal(answer.status, 302);
      assert.equal(await server.scans.links.scanCount(testSlug(n)), round);
    }
    assert.equal(server.scans.table.size, 10);
  }
  for (let n = 0; n < 30; n++) assert.equal(await server.scans.links.scanCount(testSlug(n)), 3);
});
