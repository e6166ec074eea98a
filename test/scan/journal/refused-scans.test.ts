import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedFrameScans, refusedFramesMax } from "../../../src/limits.ts";
import { keyOfWords } from "../../../src/link/slug.ts";
import { Journal, replayJournal } from "../../../src/scan/journal/journal.ts";
import { MemoryDisk } from "../../fakes/memory-disk.ts";

const link = keyOfWords(0, 1);
const limited = keyOfWords(0, 2);
const hour = 497_000;

function open(disk: MemoryDisk): Journal {
  return new Journal({
    ...{ disk, directory: "/j", epoch: 0, recordsMax: refusedFrameScans, putDownMax: 10 },
    ...{ segmentBytesMax: 1_000_000, journalBytesMax: 10_000_000, sparesMax: 0 },
    isTakenBack: (key) => key === limited,
  });
}

function scansIn(disk: MemoryDisk): [key: number, count: number, hour: number, visitor: number][] {
  const scans: [number, number, number, number][] = [];
  replayJournal(
    disk,
    "/j",
    () =>
      (...scan) =>
        void scans.push(scan),
  );
  return scans;
}

test("what a full disk did not take is written when it does, before what came later and with its own hour", () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  disk.freeBytes = 0;
  journal.hour = hour;
  journal.append(link, 1, 7);
  assert.equal(journal.commit(), false);
  journal.putDown(link, 2, 8);
  // Ends the frame of the hour before.
  journal.hour = hour + 1;
  journal.append(link, 3, 9);
  assert.equal(journal.commit(), false);
  disk.freeBytes = 1_000_000;
  journal.append(link, 4, 9);
  assert.equal(journal.commit(), true);
  assert.deepEqual(scansIn(disk), [
    [link, 1, hour, 7],
    [link, 2, hour, 8],
    [link, 3, hour + 1, 9],
    [link, 4, hour + 1, 9],
  ]);
});

test("a scan that is counted no more is not written later", () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  disk.freeBytes = 0;
  journal.hour = hour;
  journal.append(limited, 1, 0);
  journal.append(link, 1, 0);
  assert.equal(journal.commit(), false);
  disk.freeBytes = 1_000_000;
  journal.append(limited, 1, 0);
  assert.equal(journal.commit(), true);
  assert.deepEqual(
    scansIn(disk).map(([key, count]) => [key, count]),
    [
      [link, 1],
      [limited, 1],
    ],
  );
});

test("a disk that fills up again has taken a part, and gets the rest", () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  disk.freeBytes = 0;
  for (const hours of [0, 1, 2]) {
    journal.hour = hour + hours;
    journal.append(link, hours + 1, 0);
    assert.equal(journal.commit(), false);
  }
  disk.freeBytes = 60;
  assert.equal(journal.commit(), false);
  assert.deepEqual(scansIn(disk), [[link, 1, hour, 0]]);
  disk.freeBytes = 1_000_000;
  assert.equal(journal.commit(), true);
  assert.deepEqual(
    scansIn(disk).map(([, count]) => count),
    [1, 2, 3],
  );
});

test("an end writes what was refused, if the disk takes it by then", async () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  disk.freeBytes = 0;
  journal.hour = hour;
  journal.append(link, 1, 0);
  assert.equal(journal.commit(), false);
  disk.freeBytes = 1_000_000;
  await journal.close();
  assert.deepEqual(scansIn(disk), [[link, 1, hour, 0]]);
});

test("of more than there is room for the oldest go", () => {
  const disk = new MemoryDisk();
  const journal = open(disk);
  disk.freeBytes = 0;
  journal.hour = hour;
  const room = refusedFramesMax * refusedFrameScans;
  for (let count = 1; count <= room + 1; count++) {
    journal.append(link, count, 0);
    if (journal.pending === refusedFrameScans) assert.equal(journal.commit(), false);
  }
  assert.equal(journal.commit(), false);
  disk.freeBytes = Number.POSITIVE_INFINITY;
  assert.equal(journal.commit(), true);
  const counts = scansIn(disk).map(([, count]) => count);
  assert.equal(counts[0], refusedFrameScans + 1);
  assert.equal(counts.at(-1), room + 1);
  assert.equal(counts.length, room + 1 - refusedFrameScans);
});
