/** Counts of the version before members counted by themselves, and journals that its processes left. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type EarlierCount, partsOfEarlier, storedThen } from "../../../src/store/mongo/earlier-version.ts";
import { savedCount } from "../../fakes/sample-documents.ts";

const remembered = 8;

/** As that version saved a count. */
function save(stored: EarlierCount | null, count: number, epoch: number): EarlierCount {
  if (stored === null) return { count, epoch, closed: [] };
  if (stored.epoch >= epoch) return { ...stored, count: Math.max(count, stored.count) };
  const last = { epoch: stored.epoch, count: stored.count, found: 0 };
  return { count, epoch, closed: [...stored.closed, last].slice(-remembered) };
}

function partOf(link: EarlierCount | null, epoch: number, count: number): number {
  const left = new Map(link === null ? [] : [["s", link]]);
  return partsOfEarlier([savedCount("s", count)], epoch, left)[0]?.count ?? 0;
}

test("what an epoch had beyond its last save is its part, whatever was counted since", () => {
  const link = save(save(null, 8, 1), 9, 2);
  assert.equal(partOf(link, 1, 10), 2);
  assert.equal(partOf(link, 2, 9), 0);
  assert.equal(partOf(link, 2, 12), 3);
  assert.equal(storedThen({ ...link, closed: [{ epoch: 1, count: 8, found: 2 }] }, 1), 10);
});

test("an epoch that never saved the link began where the one before had left it", () => {
  const link = save(save(null, 8, 1), 20, 3);
  assert.equal(partOf(link, 2, 11), 3);
  assert.equal(partOf(null, 2, 11), 11);
});

test("after too many owners nothing is added rather than too much", () => {
  let link: EarlierCount | null = null;
  for (let epoch = 2; epoch < 2 + 2 * remembered; epoch++) link = save(link, epoch, epoch);
  assert.equal(partOf(link, 1, 1_000), 0);
});

test("with any owners, saves and deaths, the parts of all journals are what was lost", () => {
  const life = fc.record({ scans: fc.nat(5), savedAfter: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(life, { minLength: 1, maxLength: remembered }), (lives) => {
      let link: EarlierCount | null = null;
      let answered = 0;
      const journals: { epoch: number; count: number }[] = [];
      lives.forEach(({ scans, savedAfter }, n) => {
        const loaded: number = link?.count ?? 0;
        const saved = Math.min(savedAfter, scans);
        if (saved > 0) link = save(link, loaded + saved, n + 1);
        if (scans > 0) journals.push({ epoch: n + 1, count: loaded + scans });
        answered += scans;
      });
      const parts = journals.map(({ epoch, count }) => partOf(link, epoch, count));
      const stored = (link as EarlierCount | null)?.count ?? 0;
      assert.equal(
        parts.reduce((all, part) => all + part, stored),
        answered,
      );
    }),
    { numRuns: 2_000 },
  );
});
