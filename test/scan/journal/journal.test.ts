import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOfWords } from "../../../src/link/slug.ts";
import { realDisk } from "../../../src/scan/journal/disk.ts";
import { Journal, type JournalOptions, replayJournal } from "../../../src/scan/journal/journal.ts";
import { MemoryDisk } from "../../fakes/memory-disk.ts";
import { temporaryFolder } from "../../support/endings.ts";

function open(disk: MemoryDisk, changes: Partial<JournalOptions> = {}): Journal {
  return new Journal({
    disk,
    directory: "/j",
    epoch: 0,
    recordsMax: 100,
    putDownMax: 0,
    segmentBytesMax: 1_024,
    journalBytesMax: 1_000_000,
    sparesMax: 2,
    isTakenBack: () => false,
    ...changes,
  });
}

const hour = 497_000;
const keyOf = (low: number) => keyOfWords(0, low);

/** The greatest count of each slug, by the low half of its key. */
function left(disk: MemoryDisk) {
  const counts = new Map<number, number>();
  const segments = replayJournal(disk, "/j", () => (key, count) => {
    counts.set(key, Math.max(count, counts.get(key) ?? 0));
  });
  return { counts: Object.fromEntries(counts), segments };
}

function write(journal: Journal, low: number, count: number): boolean {
  journal.hour = hour;
  journal.append(keyOf(low), count, 0);
  return journal.commit();
}

const synced = (journal: Journal) =>
  new Promise<Error | null>((resolve) => {
    journal.sync(resolve);
  });

test("all scans of a turn are one write", () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  for (let n = 1; n <= 50; n++) journal.append(keyOf(1), n, 0);
  assert.equal(journal.pending, 50);
  assert.equal(journal.commit(), true);
  assert.equal(disk.writes, 1);
  assert.equal(journal.pending, 0);
  assert.deepEqual(left(disk).counts, { 1: 50 });
});

test("segments rotate at their size, are dropped when saved, and then written over", async () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  for (let n = 1; n <= 200; n++) {
    assert.ok(write(journal, n % 7, n));
    if (n % 50 === 0) await synced(journal);
  }
  const segments = left(disk).segments.length;
  assert.ok(segments >= 6, `${segments} segments`);
  for (const content of disk.files.values()) assert.ok(content.length <= 1_024);
  const bytes = journal.bytes;
  assert.equal(bytes, 200 * 48);

  const covered = journal.rotate();
  journal.drop(covered);
  assert.equal(journal.bytes, 0);
  assert.deepEqual(left(disk).counts, {});
  const spares = disk.list("/j").filter((name) => name.startsWith("spare-"));
  assert.equal(spares.length, 2);
  const filesBefore = disk.files.size;
  write(journal, 1, 999);
  journal.rotate();
  write(journal, 2, 1_000);
  assert.equal(disk.files.size, filesBefore, "a spare was taken");
  assert.deepEqual(left(disk).counts, { 1: 999, 2: 1_000 });
  await synced(journal);
  assert.equal(disk.openFiles, 1, "only the current segment is open");
  await journal.close();
  assert.equal(disk.openFiles, 0);
});

test("a new process numbers its segments above everything that is there, so old content stays old", () => {
  const disk = new MemoryDisk();
  const first = open(disk);
  write(first, 1, 10);
  first.drop(first.rotate());
  const second = open(disk);
  write(second, 2, 20);
  second.drop(second.rotate());
  const third = open(disk);
  assert.ok(third.segment > second.segment);
  write(third, 3, 30);
  assert.deepEqual(left(disk).counts, { 3: 30 });
});

test("replaying twice gives the same counts", () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  for (let n = 1; n <= 20; n++) write(journal, n % 3, n);
  assert.deepEqual(left(disk), left(disk));
});

test("a full disk is told, the cut write is written over, and the journal recovers by itself", () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  assert.ok(write(journal, 1, 1));
  disk.freeBytes = 20;
  assert.equal(write(journal, 1, 2), false);
  assert.match(journal.health() ?? "", /disk is full/);
  assert.equal(write(journal, 1, 3), false);
  assert.match(journal.health() ?? "", /ENOSPC/);
  assert.deepEqual(left(disk).counts, { 1: 1 });
  disk.freeBytes = 1_000_000;
  assert.ok(write(journal, 1, 4));
  assert.equal(journal.health(), null);
  assert.deepEqual(left(disk).counts, { 1: 4 });
  assert.deepEqual(left(disk).segments[0]!.replay.damaged, []);
});

test("a journal that no checkpoint empties stops at its bound", () => {
  const disk = new MemoryDisk();
  const journal = open(disk, { journalBytesMax: 480 });
  for (let n = 1; n <= 10; n++) assert.ok(write(journal, 1, n));
  assert.equal(write(journal, 1, 11), false);
  assert.match(journal.health() ?? "", /no checkpoint/);
  journal.drop(journal.rotate());
  assert.ok(write(journal, 1, 12));
  assert.equal(journal.health(), null);
});

test("one sync serves all who wait, and none is served by a sync that began before its write", async () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  await synced(journal);
  disk.heldSyncs = [];
  const order: string[] = [];
  write(journal, 1, 1);
  journal.sync(() => order.push("a"));
  write(journal, 1, 2);
  journal.sync(() => order.push("b"));
  journal.sync(() => order.push("c"));
  assert.equal(disk.heldSyncs.length, 1);
  disk.heldSyncs.shift()!();
  assert.deepEqual(order, ["a"]);
  assert.equal(disk.heldSyncs.length, 1);
  disk.heldSyncs.shift()!();
  assert.deepEqual(order, ["a", "b", "c"]);
});

test("a segment that ends while it is being synced is synced again and then closed", async () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  await synced(journal);
  disk.heldSyncs = [];
  write(journal, 1, 1);
  let done = 0;
  journal.sync(() => done++);
  write(journal, 1, 2);
  journal.rotate();
  write(journal, 1, 3);
  journal.sync(() => done++);
  while (disk.heldSyncs.length > 0) disk.heldSyncs.shift()!();
  assert.equal(done, 2);
  assert.equal(disk.openFiles, 1);
});

test("a failed sync is told to those who wait and in the health, until one succeeds", async () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  disk.failsSyncs = true;
  write(journal, 1, 1);
  assert.match((await synced(journal))?.message ?? "", /EIO/);
  assert.match(journal.health() ?? "", /cannot be synced/);
  disk.failsSyncs = false;
  write(journal, 1, 2);
  assert.equal(await synced(journal), null);
  assert.equal(journal.health(), null);
});

test("on a real file system what is written is there for the next process", async () => {
  const directory = temporaryFolder();
  const path = `${directory}/journal`;
  const options = {
    disk: realDisk,
    directory: path,
    epoch: 7,
    recordsMax: 100,
    putDownMax: 0,
    segmentBytesMax: 4_096,
    journalBytesMax: 1_000_000,
    sparesMax: 2,
    isTakenBack: () => false,
  };
  const journal = new Journal(options);
  for (let n = 1; n <= 300; n++) {
    journal.append(keyOfWords(3, 4), n, 0);
    assert.ok(journal.commit());
  }
  assert.equal(await synced(journal), null);
  let greatest = 0;
  const segments = replayJournal(realDisk, path, (epoch) => {
    assert.equal(epoch, 7);
    return (_key, count) => {
      greatest = Math.max(greatest, count);
    };
  });
  assert.equal(greatest, 300);
  assert.ok(segments.length >= 3);
  await journal.close();
  const next = new Journal({ ...options, epoch: 8 });
  assert.ok(next.segment > segments.length);
  assert.equal(replayJournal(realDisk, path, () => () => {}).length, segments.length + 1);
  await next.close();
});
