/** Who reads scans while old ones are moved from hours to days, and the answer to that is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clearing } from "../../src/analytics/clearing.ts";
import { type ScanParts, scansOf } from "../../src/api/analytics.ts";
import type { AnalyticsQuery } from "../../src/domain/analytics/range.ts";
import { scansIn } from "../../src/domain/analytics/tally.ts";
import { dayMs, hourMs } from "../../src/domain/analytics/zone.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { nextEpoch } from "../../src/store/mongo/epochs.ts";
import { openMongoStore } from "../../src/store/mongo/mongo-store.ts";
import { type Store, StoreUnavailable } from "../../src/store/store.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { savedCount } from "../fakes/sample-documents.ts";
import { connectForTest } from "../support/mongod/connection.ts";
import { databaseForTests } from "../support/mongod/mongod.ts";

const { url, skip } = await databaseForTests("clearing");
const slug = "qr-1";
const ever = { from: 0, to: 8e15 };
const query: AnalyticsQuery = {
  ...{ range: ever, isCut: false, timezone: "UTC", interval: "day", robots: "exclude", limit: 10 },
};

async function openMongo(): Promise<Store> {
  const connection = await connectForTest(url);
  const epoch = await nextEpoch(connection);
  const ownership = { epoch: () => epoch, member: () => epoch, lost() {}, mayServe: () => true };
  return openMongoStore({ connection, assertDocument, ownership });
}

/** A slice is done and nobody is told. */
function losing(store: Store) {
  const state = { isAway: false };
  const away = () => Promise.reject(new StoreUnavailable("The store did not answer."));
  return {
    state,
    clearScans: (...given: Parameters<Store["clearScans"]>) => store.clearScans(...given).then(away),
    ping: () => (state.isAway ? away() : store.ping()),
  };
}

const stores: [string, boolean | string, () => Promise<Store>][] = [
  ["in memory", false, async () => new MemoryStore()],
  ["on MongoDB", skip, openMongo],
];
for (const [where, isSkipped, open] of stores) {
  test(`scans ${where} are counted once though nobody knows what was moved`, {
    skip: isSkipped,
  }, async () => {
    const store = await open();
    const old = systemClock.now() - 200 * dayMs;
    const seen = {
      hour: old - (old % hourMs),
      isRobot: false,
      country: "DE",
      device: "ios",
      referrer: "",
    } as const;
    await store.saveScans([savedCount(slug, 3, { seen: [{ ...seen, scans: 3 }] })]);
    const lossy = losing(store);
    const clearing = new Clearing(lossy, systemClock);
    let isFirst = true;
    const parts = {
      analytics: { completeUntil: 0, movesOf: (of: readonly string[]) => clearing.movesOf(of) },
      store: {
        async scanSums() {
          const days = await store.scanDays(slug, ever, 10);
          if (isFirst) await assert.rejects(clearing.run(), StoreUnavailable);
          isFirst = false;
          const hours = await store.scanHours(slug, ever, 10);
          const people = [...days, ...hours].reduce((sum, time) => sum + scansIn(time), 0);
          return { people: Float64Array.of(people), robots: Float64Array.of(0) };
        },
      } as unknown as ScanParts["store"],
    };
    assert.deepEqual([...(await scansOf([slug], query, parts))], [3]);
    assert.equal((await store.scanHours(slug, ever, 10)).length, 0, "it was moved");
    await assert.rejects(clearing.run(), StoreUnavailable);
    lossy.state.isAway = true;
    await assert.rejects(scansOf([slug], query, parts), StoreUnavailable, "it may still be moved");
    lossy.state.isAway = false;
    assert.deepEqual([...(await scansOf([slug], query, parts))], [3]);
  });
}
