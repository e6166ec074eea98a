import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { hourMs } from "../../../src/domain/analytics/zone.ts";
import { keyOfWords } from "../../../src/link/slug.ts";
import { realDisk } from "../../../src/scan/journal/disk.ts";
import { Journal, replayJournal, replayUnwritten } from "../../../src/scan/journal/journal.ts";
import { openLastingMemory } from "../../../src/scan/journal/lasting-memory.ts";
import { openUnwrittenScans, readUnwritten } from "../../../src/scan/journal/unwritten-scans.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { MemoryDisk } from "../../fakes/memory-disk.ts";
import { code, startScans, storeWith, testSlug } from "../../fakes/scan-server.ts";
import { temporaryFolder } from "../../support/endings.ts";

const hour = 497_000;
const key = keyOfWords(3, 4);
const child = fileURLToPath(new URL("put-down-child.ts", import.meta.url));

const scans = fc.array(
  fc.record(
    {
      key: fc.tuple(fc.nat(2 ** 25 - 1), fc.nat(2 ** 25 - 1)).map((words) => keyOfWords(...words)),
      count: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
      hour: fc.constant(hour),
      visitor: fc.nat(2 ** 16 - 1),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 20 },
);

function open(disk: MemoryDisk): Journal {
  return new Journal({
    ...{ disk, directory: "/j", epoch: 0, recordsMax: 10, putDownMax: 20 },
    ...{ segmentBytesMax: 10_000, journalBytesMax: 100_000, sparesMax: 0, isTakenBack: () => false },
  });
}

function writtenCounts(disk: MemoryDisk): number[] {
  const counts: number[] = [];
  replayJournal(disk, "/j", () => (_key, count) => counts.push(count));
  return counts;
}

test("what a killed process put down and did not write is there for the next", () => {
  const directory = temporaryFolder();
  const { signal, stderr } = spawnSync(process.execPath, ["--import", "tsx", child, directory, "40"]);
  assert.equal(signal, "SIGKILL", String(stderr));
  assert.deepEqual(
    replayUnwritten(realDisk, directory),
    Array.from({ length: 40 }, (_, n) => ({ key, count: n + 1, hour, visitor: 7 })),
  );
});

test("memory that lasts is in its file at once, begins empty, and is its owner's alone", () => {
  const path = join(temporaryFolder(), "memory");
  for (let opening = 0; opening < 3; opening++) {
    const memory = openLastingMemory(path, 400);
    assert.ok(memory !== null, "this system and this version of LMDB have it");
    assert.equal(memory.words.length, 100);
    assert.ok(memory.words.every((word) => word === 0));
    const said = randomBytes(400);
    memory.words.set(new Uint32Array(said.buffer, said.byteOffset, 100));
    assert.ok(readFileSync(path).includes(said));
    memory.close();
    assert.ok(readFileSync(path).includes(said));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
});

test("a damaged file is no hindrance", () => {
  const path = join(temporaryFolder(), "memory");
  for (const content of [Buffer.from("no database"), randomBytes(100_000), Buffer.alloc(0)]) {
    writeFileSync(path, content);
    assert.deepEqual(readUnwritten(readFileSync(path)), []);
    const memory = openLastingMemory(path, 400)!;
    memory.words[99] = 1;
    memory.close();
  }
});

test("where memory cannot last there is none", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  assert.equal(openLastingMemory(join(file, "memory"), 400), null);
});

test("records come back as they were put down; one that is not whole does not", () => {
  const header = 6;
  const stray = fc.tuple(fc.integer({ min: header, max: header + 20 * 5 - 1 }), fc.nat(2 ** 32 - 1));
  fc.assert(
    fc.property(scans, fc.array(stray, { maxLength: 5 }), (put, strays) => {
      const disk = new MemoryDisk();
      const unwritten = openUnwrittenScans(disk, "/j/unwritten", 20)!;
      unwritten.hour = hour;
      for (const { key, count, visitor } of put) unwritten.put(key, count, visitor);
      assert.equal(unwritten.isFull, put.length === 20);
      const memory = disk.files.get("/j/unwritten")!;
      const words = new Uint32Array(memory.buffer);
      const intact = words.slice();
      for (const [at, word] of strays) words[at] = word;
      const isHit = (n: number) =>
        [0, 1, 2, 3, 4].some((word) => words[header + n * 5 + word] !== intact[header + n * 5 + word]);
      assert.deepEqual(
        readUnwritten(Buffer.concat([Buffer.alloc(7), memory, Buffer.alloc(50)])),
        put.filter((_, n) => !isHit(n)),
      );
      words[header - 1] = hour + 1;
      assert.deepEqual(readUnwritten(memory), [], "the hour is part of every record");
    }),
  );
});

test("what was put down is written with the next turn, before the hour changes, and when it is closed", async () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  journal.hour = hour;
  journal.putDown(key, 1, 0);
  assert.equal(disk.writes, 0);
  assert.equal(journal.pending, 0, "nobody waits for it");
  journal.append(key, 2, 0);
  assert.ok(journal.commit());
  assert.deepEqual(writtenCounts(disk), [1, 2]);
  journal.putDown(key, 3, 0);
  journal.hour = hour + 1;
  assert.deepEqual(writtenCounts(disk), [1, 2, 3]);
  for (let count = 4; count <= 23; count++) {
    assert.ok(journal.hasRoom);
    assert.equal(journal.isDue, count > 13);
    journal.putDown(key, count, 0);
  }
  assert.ok(!journal.hasRoom);
  await journal.close();
  assert.equal(writtenCounts(disk).length, 23);
  assert.deepEqual(replayUnwritten(disk, "/j"), [], "nothing is left that could be taken for new");
});

test("a crash between the answer and the write loses no scan and counts none twice", async () => {
  const clock = new ManualClock(Date.UTC(2030, 0, 15, 12, 30));
  const store = await storeWith(code(1), code(2, { scan_limit: 100 }), code(3, { analytics_enabled: false }));
  const disk = new MemoryDisk();
  const scan = async (server: Awaited<ReturnType<typeof startScans>>, n: number, times: number) => {
    for (let at = 0; at < times; at++) assert.equal((await server.get(`/${testSlug(n)}`)).status, 302);
  };
  let counted = 0;
  for (let life = 0; life < 4; life++) {
    const server = await startScans({ store, disk, clock, dataDir: "/d", limits: { putDownMax: 10 } });
    await scan(server, 1, 3);
    await scan(server, 3, 2);
    // Its turn is written, with what was put down before.
    if (life % 2 === 1) await scan(server, 2, 1);
    await scan(server, 1, 4);
    if (life === 2) await server.scans.checkpoint();
    await scan(server, 1, 2);
    counted += 9;
    server.crash();
  }
  const last = await startScans({ store, disk, clock, dataDir: "/d" });
  assert.equal(await last.scans.links.scanCount(testSlug(1)), counted);
  assert.equal(await last.scans.links.scanCount(testSlug(2)), 2);
  assert.equal(await last.scans.links.scanCount(testSlug(3)), 8);
  await last.stop();
  const noon = clock.now() - (clock.now() % hourMs);
  const hours = await store.scanHours(testSlug(1), { from: noon, to: noon + hourMs }, 10);
  assert.equal(hours.length, 1);
  const { people, robots } = hours[0]!;
  const sum = (counts: Record<string, number> = {}) => Object.values(counts).reduce((a, b) => a + b, 0);
  assert.equal(sum(people?.devices) + sum(robots?.devices), counted, "each scan is in one hour, once");
});

test("without memory that lasts every scan waits for its turn's write", async () => {
  const disk = Object.assign(new MemoryDisk(), { openLastingMemory: () => null });
  const server = await startScans({ store: await storeWith(code(1)), disk });
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 302);
  assert.equal(disk.writes, 1);
});

test("an answered scan is written within the time of a sync", async () => {
  const clock = new ManualClock();
  const disk = new MemoryDisk();
  const server = await startScans({ store: await storeWith(code(1)), disk, clock, sync: 100 });
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 302);
  // The first scan of a link waits for the store; this one does not.
  const before = disk.writes;
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 302);
  assert.equal(disk.writes, before);
  clock.advance(100);
  assert.equal(disk.writes, before + 1);
});
