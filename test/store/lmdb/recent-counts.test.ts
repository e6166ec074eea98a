/** A count that the embedded store keeps is the one that is committed, whenever somebody asks and whatever became of a change. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { recentCountsMax } from "../../../src/limits.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { numbered, savedCount } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const path = temporaryFolder();
const store = await openLmdbStore({ path, assertDocument });
after(() => store.close());

/** Asks in every turn of the loop until it has ended, so that the count is kept however far it has come. */
async function askedMeanwhile(slug: string, change: Promise<void>): Promise<Set<number>> {
  const told = new Set<number>();
  let isOver = false;
  const ask = () => {
    if (isOver) return;
    told.add(store.scanCount(slug) as number);
    setImmediate(ask);
  };
  ask();
  await change.finally(() => {
    isOver = true;
  });
  return told;
}

test("a count that was asked for before and during a save is the new one behind it", async () => {
  for (let count = 1; count <= 50; count++) {
    assert.equal(store.scanCount("saved"), count - 1);
    const told = await askedMeanwhile("saved", store.saveScans([savedCount("saved", count)]));
    assert.equal(store.scanCount("saved"), count);
    for (const each of told) assert.ok(each === count - 1 || each === count, `${each} at ${count}`);
  }
});

test("so it is when counts are taken over from another store", async () => {
  assert.equal(store.scanCount("adopted"), 0);
  await askedMeanwhile("adopted", store.adoptScans({ counts: [{ slug: "adopted", count: 7 }] }));
  assert.equal(store.scanCount("adopted"), 7);
});

test("a save that fails changes no count", async () => {
  const both = [savedCount("adopted", 8), savedCount("impossible", 0.5)];
  await assert.rejects(askedMeanwhile("adopted", store.saveScans(both)), RangeError);
  assert.equal(store.scanCount("adopted"), 7);
});

test("counts beyond those that are kept are read again", async () => {
  for (let at = 0; at < recentCountsMax; at++) assert.equal(store.scanCount(numbered("s", at)), 0);
  assert.equal(store.scanCount("saved"), 50);
});
