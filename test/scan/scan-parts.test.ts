/** Scans that a dead member had in its journal only, beside those that others counted since. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { test } from "node:test";
import { hourMs } from "../../src/domain/analytics/zone.ts";
import { realDisk } from "../../src/scan/journal/disk.ts";
import { journalDirectory, recoverJournal } from "../../src/scan/journal/recovery.ts";
import type { MemoryStore } from "../fakes/memory-store.ts";
import {
  code,
  type ScanServer,
  sharedStoreWith,
  startScans,
  statuses,
  testSlug,
} from "../fakes/scan-server.ts";
import { temporaryFolder } from "../support/endings.ts";

async function redirects(server: ScanServer, n: number, scans: number): Promise<number> {
  return (await statuses(server, n, scans))[302] ?? 0;
}

const log = { info() {}, error() {} };
const foldSoon = { tickMs: 5, foldMs: 5 };

function recover(dataDir: string, store: MemoryStore): Promise<void> {
  return recoverJournal({ disk: realDisk, directory: journalDirectory(dataDir), now: 0, log }, store);
}

async function hoursOf(store: MemoryStore, of: string): Promise<number> {
  const hours = await store.scanHours(of, { from: 0, to: 8e15 }, 1_000);
  return hours.reduce((all, { people }) => all + (people?.total ?? 0), 0);
}

async function folded(store: MemoryStore): Promise<void> {
  while (store.unfolded > 0) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** An owner that died with eight scans, of which the store has five. */
async function deadOwner() {
  const dataDir = temporaryFolder();
  const store = await sharedStoreWith(code(1), code(2));
  const owner = await startScans({ store, dataDir });
  assert.equal(await redirects(owner, 1, 5), 5);
  await owner.scans.checkpoint();
  assert.equal(await redirects(owner, 1, 3), 3);
  assert.equal(await redirects(owner, 2, 2), 2);
  owner.crash();
  return { dataDir, next: store.next() };
}

test("a journal found on another machine is added while the owner counts on", async () => {
  const { dataDir, next: store } = await deadOwner();
  const next = await startScans({ store, limits: foldSoon });
  assert.equal(await redirects(next, 1, 4), 4);
  assert.equal(await next.scans.links.scanCount(testSlug(1)), 9);

  // The dead machine comes back, as a standby or for good.
  await recover(dataDir, store);
  await recover(dataDir, store);
  let scanned = 9 + 3;
  do {
    assert.equal(await redirects(next, 1, 10), 10);
    scanned += 10;
  } while (store.unfolded > 0);
  await folded(store);
  assert.equal(await redirects(next, 1, 1), 1);
  assert.equal(await next.scans.links.scanCount(testSlug(1)), scanned + 1);
  assert.equal(await next.scans.links.scanCount(testSlug(2)), 2);
  await next.stop();
  assert.equal(await store.scanCount(testSlug(1)), scanned + 1);
  assert.equal(await hoursOf(store, testSlug(1)), scanned + 1);
});

test("a journal that comes again, before and after its parts were folded, changes nothing", async () => {
  const { dataDir, next: store } = await deadOwner();
  const copies = [temporaryFolder(), temporaryFolder()];
  for (const copy of copies) cpSync(dataDir, copy, { recursive: true });
  await recover(dataDir, store);
  await recover(copies[0]!, store);
  assert.equal(await store.scanCount(testSlug(1)), 8);
  await store.parts.fold(0, () => {});
  assert.equal(store.unfolded, 0);
  await recover(copies[1]!, store);
  assert.equal(await store.scanCount(testSlug(1)), 8);
  assert.equal(await store.scanCount(testSlug(2)), 2);
  assert.equal(await hoursOf(store, testSlug(1)), 8);
  const left = realDisk.list(journalDirectory(copies[1]!));
  assert.ok(!left.some((name) => name.startsWith("scans-")), "and is gone");
});

test("two processes that read the same journal at the same time count it once", async () => {
  const { dataDir, next: store } = await deadOwner();
  const copy = temporaryFolder();
  cpSync(dataDir, copy, { recursive: true });
  await Promise.all([recover(dataDir, store), recover(copy, store)]);
  assert.equal(await store.scanCount(testSlug(1)), 8);
  assert.equal(await hoursOf(store, testSlug(1)), 8);
});

test("a stop leaves a finished member, and the next owner folds what it counted", async () => {
  const first = await sharedStoreWith(code(1));
  const owner = await startScans({ store: first });
  assert.equal(await redirects(owner, 1, 6), 6);
  await owner.stop();
  assert.equal(first.unfolded, 1);
  const second = first.next();
  const next = await startScans({ store: second, limits: foldSoon });
  assert.equal(await redirects(next, 1, 2), 2);
  await folded(second);
  assert.equal(await redirects(next, 1, 1), 1);
  assert.equal(await next.scans.links.scanCount(testSlug(1)), 9);
  await next.stop();
  assert.equal(await second.scanCount(testSlug(1)), 9);
  assert.deepEqual(await second.next().countedBy(testSlug(1)), { own: 0, others: 9 });
});

test("a stop that cannot say that it is finished is made up for by the next start in its folder", async () => {
  const dataDir = temporaryFolder();
  const first = await sharedStoreWith(code(1));
  const owner = await startScans({ store: first, dataDir });
  assert.equal(await redirects(owner, 1, 6), 6);
  const finish = first.parts.finish;
  Object.assign(first.parts, { finish: () => Promise.reject(new Error("the store is away")) });
  await owner.stop();
  assert.equal(first.unfolded, 0);
  Object.assign(first.parts, { finish });
  await recover(dataDir, first);
  assert.equal(first.unfolded, 1);
});

test("a change of the code does not bring back the count from before others were added", async () => {
  const dead = temporaryFolder();
  const first = await sharedStoreWith(code(1));
  const owner = await startScans({ store: first, dataDir: dead });
  assert.equal(await redirects(owner, 1, 14), 14);
  owner.crash();
  const second = first.next();
  const next = await startScans({ store: second, limits: foldSoon });
  assert.equal(await redirects(next, 1, 8), 8);
  await recover(dead, second);
  await folded(second);
  next.scans.links.publishCode(code(1, { redirect_url: "https://example.com/changed" }));
  await next.get(`/${testSlug(1)}`);
  assert.equal(await next.scans.links.scanCount(testSlug(1)), 23);
});

test("a limit counts what all members counted", async () => {
  const first = await sharedStoreWith(code(1, { scan_limit: 20 }));
  const owner = await startScans({ store: first });
  assert.equal(await redirects(owner, 1, 12), 12);
  owner.crash();
  const next = await startScans({ store: first.next() });
  assert.deepEqual(await statuses(next, 1, 15), { 302: 8, 410: 7 });
});

test("the same machine restarted has everything before it serves", async () => {
  const directory = temporaryFolder();
  let store = await sharedStoreWith(code(1));
  for (let life = 1; life <= 3; life++) {
    const server = await startScans({ store, dataDir: directory });
    assert.equal(await server.scans.links.scanCount(testSlug(1)), 7 * (life - 1));
    assert.equal(await redirects(server, 1, 7), 7);
    server.crash();
    store = store.next();
  }
});

test("hours of a journal are those of its scans", async () => {
  const dataDir = temporaryFolder();
  const store = await sharedStoreWith(code(1));
  const owner = await startScans({ store, dataDir });
  const before = Date.now();
  assert.equal(await redirects(owner, 1, 3), 3);
  owner.crash();
  await recover(dataDir, store);
  const hours = await store.scanHours(testSlug(1), { from: before - hourMs, to: Date.now() + 1 }, 9);
  assert.equal(
    hours.reduce((all, { people }) => all + people!.total, 0),
    3,
  );
});
