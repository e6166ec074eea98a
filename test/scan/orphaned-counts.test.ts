/** Scans that a dead owner had in its journal only, added to what the owners after it counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { closedEpochsMax } from "../../src/limits.ts";
import { realDisk } from "../../src/scan/journal-disk.ts";
import { journalDirectory, recoverJournal } from "../../src/scan/recover-journal.ts";
import {
  type EpochCount,
  inEpoch,
  type OrphanedCount,
  withOrphaned,
} from "../../src/store/orphaned-counts.ts";
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

const orphan = (epoch: number, count: number): OrphanedCount => {
  return { slug: "s", epoch, count, hour: null, seen: [], off: 0 };
};

const save = (stored: EpochCount | null, count: number, epoch: number): EpochCount => {
  const taken = inEpoch(stored, epoch);
  return { ...taken, count: Math.max(count, taken.count) };
};

test("what an epoch had beyond its last save is added once, whatever was counted since", () => {
  let link: EpochCount = save(null, 8, 1);
  link = save(link, 9, 2);
  const orphaned = orphan(1, 10);
  link = withOrphaned(link, orphaned, 2);
  assert.equal(link.count, 11);
  assert.equal(withOrphaned(link, orphaned, 2).count, 11);
  assert.equal(withOrphaned(link, orphaned, 3).count, 11);
  assert.equal(withOrphaned(link, { ...orphaned, count: 12 }, 3).count, 13, "more of the same journal");
});

test("an epoch that never saved the link began where the one before had left it", () => {
  const link = save(save(null, 8, 1), 20, 3);
  assert.equal(withOrphaned(link, orphan(2, 11), 3).count, 23);
  assert.equal(withOrphaned(null, orphan(2, 11), 3).count, 11);
});

test("after too many owners nothing is added rather than too much", () => {
  let link: EpochCount | null = null;
  for (let epoch = 2; epoch < 2 + 2 * closedEpochsMax; epoch++) link = save(link, epoch, epoch);
  const { count } = link!;
  assert.equal(withOrphaned(link, orphan(1, 1_000), 99).count, count);
});

test("with any order of owners, saves, deaths and journals found, every scan is counted once", () => {
  const life = fc.record({
    scans: fc.nat(5),
    savedAfter: fc.nat(5),
    /** After how many more owners its journal is found; 0 never. */
    foundAfter: fc.nat(4),
    foundTwice: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(life, { minLength: 1, maxLength: closedEpochsMax - 1 }), (lives) => {
      let link: EpochCount | null = null;
      let truth = 0;
      const journals: { at: number; epoch: number; count: number; lost: number }[] = [];
      lives.forEach((owner, n) => {
        const epoch = n + 1;
        for (const { epoch: of, count, lost } of journals.filter(({ at }) => at === n)) {
          link = withOrphaned(link, orphan(of, count), epoch);
          if (owner.foundTwice) link = withOrphaned(link, orphan(of, count), epoch);
          truth += lost;
        }
        const loaded: number = link?.count ?? 0;
        assert.equal(loaded, truth);
        const saved = Math.min(owner.savedAfter, owner.scans);
        if (saved > 0) link = save(link, loaded + saved, epoch);
        truth += saved;
        const lost = owner.scans - saved;
        if (lost > 0 && owner.foundAfter > 0)
          journals.push({ at: n + owner.foundAfter, epoch, count: loaded + owner.scans, lost });
      });
    }),
    { numRuns: 2_000 },
  );
});

test("a journal found on another machine is added while the owner counts on", async () => {
  const [dead, own] = [temporaryFolder(), temporaryFolder()];
  const first = await sharedStoreWith(code(1), code(2));
  const owner = await startScans({ store: first, dataDir: dead });
  assert.equal(await redirects(owner, 1, 5), 5);
  await owner.scans.checkpoint();
  assert.equal(await redirects(owner, 1, 3), 3);
  assert.equal(await redirects(owner, 2, 2), 2);
  owner.crash();

  const second = first.next();
  const next = await startScans({ store: second, dataDir: own, limits: { tickMs: 5, foldMs: 5 } });
  assert.equal(next.scans.links.scanCount(testSlug(1)) instanceof Promise, true);
  assert.equal(await redirects(next, 1, 4), 4);
  assert.equal(await next.scans.links.scanCount(testSlug(1)), 9);

  // The dead machine comes back, as a standby or for good.
  const found = { disk: realDisk, directory: journalDirectory(dead), now: 0, log };
  await recoverJournal(found, second);
  await recoverJournal(found, second);

  let scanned = 9 + 3;
  while ((await second.orphans.waiting(1)).length > 0) {
    assert.equal(await redirects(next, 1, 10), 10);
    scanned += 10;
  }
  assert.equal(await next.scans.links.scanCount(testSlug(1)), scanned, "shown before the next scan");
  assert.equal(await redirects(next, 1, 1), 1);
  assert.equal(await next.scans.links.scanCount(testSlug(1)), scanned + 1);
  assert.equal(await next.scans.links.scanCount(testSlug(2)), 2);
  await next.stop();
  assert.equal(await second.scanCount(testSlug(1)), scanned + 1);
});

test("a change of the code does not bring back the count from before orphaned ones were added", async () => {
  const dead = temporaryFolder();
  const first = await sharedStoreWith(code(1));
  const owner = await startScans({ store: first, dataDir: dead });
  assert.equal(await redirects(owner, 1, 14), 14);
  owner.crash();
  const second = first.next();
  const next = await startScans({ store: second, limits: { tickMs: 5, foldMs: 5 } });
  assert.equal(await redirects(next, 1, 8), 8);
  await recoverJournal({ disk: realDisk, directory: journalDirectory(dead), now: 0, log }, second);
  while ((await second.orphans.waiting(1)).length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  next.scans.links.publishCode(code(1, { redirect_url: "https://example.com/changed" }));
  const answer = await next.get(`/${testSlug(1)}`);
  assert.equal(
    answer.headers.location,
    "https://example.com/1",
    "read from the store, where it did not change",
  );
  assert.equal(await next.scans.links.scanCount(testSlug(1)), 23);
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
