import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { countsPerSave } from "../../src/limits.ts";
import { keyOfWords, slugOfKey } from "../../src/link/slug.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryDisk } from "../fakes/memory-disk.ts";
import { code, type ScanServer, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";

async function scan(server: ScanServer, n: number, times: number): Promise<void> {
  for (const { status } of await Promise.all(
    Array.from({ length: times }, () => server.get(`/${testSlug(n)}`)),
  )) {
    assert.equal(status, 302);
  }
}

test("a checkpoint may fail, lose its answer and be repeated: the counts stay exact", async () => {
  const store = await storeWith(code(1), code(2));
  const disk = new MemoryDisk();
  const server = await startScans({ store, disk });
  await scan(server, 1, 5);
  store.isAway = true;
  await assert.rejects(server.scans.checkpoint());
  store.isAway = false;
  store.losesAnswers = true;
  await assert.rejects(server.scans.checkpoint());
  assert.equal(await store.scanCount(testSlug(1)), 5);
  await scan(server, 1, 2);
  await assert.rejects(server.scans.checkpoint());
  store.losesAnswers = false;
  assert.ok(server.scans.journal.bytes > 0, "nothing is let go before it is surely saved");
  await scan(server, 2, 3);
  await server.scans.checkpoint();
  await server.scans.checkpoint();
  assert.equal(server.scans.journal.bytes, 0);
  assert.equal(await store.scanCount(testSlug(1)), 7);
  assert.equal(await store.scanCount(testSlug(2)), 3);
  await server.stop();
  const next = await startScans({ store, disk });
  assert.equal(await next.scans.links.scanCount(testSlug(1)), 7);
  await next.stop();
  assert.equal(disk.openFiles, 0);
});

test("scans go on while a checkpoint runs, and none is lost", async () => {
  const codes = Array.from({ length: 40 }, (_, n) => code(n));
  const store = await storeWith(...codes);
  const server = await startScans({ store, limits: { segmentBytesMax: 2_048 } });
  let running = true;
  const checkpoints = (async () => {
    while (running) {
      await server.scans.checkpoint();
      await new Promise(setImmediate);
    }
  })();
  for (let round = 0; round < 10; round++) await Promise.all(codes.map((_, n) => scan(server, n, 2)));
  running = false;
  await checkpoints;
  await server.scans.checkpoint();
  for (const { slug } of codes) assert.equal(await store.scanCount(slug), 20);
});

test("counts are saved in the order of their slugs, whichever were scanned first", async () => {
  const slugs = Array.from({ length: 2 * countsPerSave }, (_, n) => slugOfKey(keyOfWords(n * 401_407, n)));
  const store = await storeWith(...slugs.map((slug, n) => code(n, { slug })));
  const saved: string[] = [];
  const saveScans = store.saveScans.bind(store);
  store.saveScans = (scans) => {
    saved.push(...scans.map(({ slug }) => slug));
    return saveScans(scans);
  };
  const server = await startScans({ store });
  for (const slug of slugs.toReversed()) assert.equal((await server.get(`/${slug}`)).status, 302);
  await server.scans.checkpoint();
  assert.deepEqual(saved, slugs);
  assert.equal(await store.scanCount(slugs[1]!), 1);
});

test("a start replays what a crash left, tells of damage, and a second start finds nothing", async () => {
  const store = await storeWith(code(1), code(2));
  const disk = new MemoryDisk();
  // Every turn is written at once.
  const server = await startScans({ store, disk, dataDir: "/d", limits: { putDownMax: 0 } });
  await scan(server, 1, 1);
  for (let n = 0; n < 4; n++) await scan(server, 2, 1);
  server.crash();
  const [name, content] = [...disk.files].find(([path]) => path.includes("scans-"))!;
  content[60]! ^= 1;
  disk.files.set(name, new Uint8Array([...content, 1, 2, 3]));

  const again = await startScans({ store, disk, dataDir: "/d" });
  assert.equal(await again.scans.links.scanCount(testSlug(1)), 1);
  assert.equal(await again.scans.links.scanCount(testSlug(2)), 4);
  assert.ok(again.logged.some(({ message }) => message.includes("damaged")));
  again.crash();
  const third = await startScans({ store, disk, dataDir: "/d" });
  assert.deepEqual(third.logged, []);
  await third.stop();
});

test("a start without the store fails and keeps the journal", async () => {
  const store = await storeWith(code(1));
  const disk = new MemoryDisk();
  const server = await startScans({ store, disk, dataDir: "/d" });
  await scan(server, 1, 3);
  server.crash();
  store.isAway = true;
  await assert.rejects(startScans({ store, disk, dataDir: "/d" }));
  store.isAway = false;
  const again = await startScans({ store, disk, dataDir: "/d" });
  assert.equal(await again.scans.links.scanCount(testSlug(1)), 3);
  await again.stop();
});

test("checkpoints come by time, by size, and after the journal was ill", async () => {
  const clock = new ManualClock();
  const disk = new MemoryDisk();
  const store = await storeWith(code(1));
  const server = await startScans({
    store,
    disk,
    clock,
    limits: { checkpointMs: 10_000, checkpointBytes: 1_000, tickMs: 1_000, putDownMax: 0 },
  });
  const saved = async (count: number) => {
    for (let wait = 0; wait < 200 && (await store.scanCount(testSlug(1))) !== count; wait++) await sleep(5);
    assert.equal(await store.scanCount(testSlug(1)), count);
    await sleep(20);
  };
  await scan(server, 1, 1);
  clock.advance(9_000);
  await sleep(20);
  assert.equal(await store.scanCount(testSlug(1)), 0);
  clock.advance(1_000);
  await sleep(20);
  clock.advance(1_000);
  await saved(1);

  for (let n = 0; n < 40; n++) await scan(server, 1, 1);
  clock.advance(1_000);
  await saved(41);

  disk.freeBytes = 0;
  await scan(server, 1, 2);
  assert.notEqual(server.scans.health(), null);
  disk.freeBytes = 1_000_000;
  clock.advance(1_000);
  await saved(43);
  assert.equal(server.scans.health(), null, "recovered without a scan");
});
