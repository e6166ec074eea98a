/** A folder of the layout that had hours and days and no totals of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs, hourMs } from "../../src/domain/analytics/zone.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { openEnvironment } from "../../src/store/lmdb/environment.ts";
import { openLmdbStore } from "../../src/store/lmdb/lmdb-store.ts";
import type { Store } from "../../src/store/store.ts";
import { savedCount } from "../fakes/sample-documents.ts";
import { temporaryFolder } from "../support/endings.ts";

const first = Date.UTC(2026, 0, 1);
const owner = { project_id: "prj_1", account_id: "acc_1" };
const days = 60;

function scansOf(slug: string, count: number, hours: readonly number[]) {
  const each = { isRobot: false, country: "DE", device: "ios", referrer: "direct", scans: 1 };
  return savedCount(slug, count, {
    owner,
    seen: hours.map((at) => ({ ...each, hour: first + at * hourMs })),
  });
}

async function olderFolder(): Promise<string> {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const hours = Array.from({ length: days }, (_, day) => day * 24 + (day % 24));
  await store.saveScans([scansOf("a", days, hours), scansOf("b", days, hours)]);
  for (let next: string | null = null; ; ) {
    ({ next } = await store.clearScans({ hours: first + 20 * dayMs, days: first }, next));
    if (next === null) break;
  }
  await store.close();
  const environment = openEnvironment(path);
  await environment.scanTotals.clearAsync();
  await environment.layout.put("version", "1");
  await environment.close();
  return path;
}

async function sums(store: Store, from = first, to = first + 2 * days * dayMs): Promise<number[]> {
  const owners = ["a", "b", "prj_1", "acc_1"];
  const found = owners.map(() => 0);
  await store.scanTotals(owners, { from, to }, (place, _hour, people) => {
    found[place]! += people;
  });
  return found;
}

test("its totals are read from hours and days, and kept from the first save on", async () => {
  const path = await olderFolder();
  const store = await openLmdbStore({ path, assertDocument });
  assert.deepEqual(await sums(store), [days, days, 2 * days, 2 * days]);
  assert.deepEqual(await sums(store, first + 10 * dayMs, first + 30 * dayMs), [20, 20, 40, 40]);
  await store.saveScans([scansOf("a", days + 1, [days * 24])]);
  assert.deepEqual(await sums(store), [days + 1, days, 2 * days + 1, 2 * days + 1]);
  assert.deepEqual(await sums(store, first + 10 * dayMs, first + 30 * dayMs), [20, 20, 40, 40]);
  await store.close();
  const environment = openEnvironment(path);
  const owners = new Set([...environment.scanTotals.getKeys()].map((key) => key.split("/")[0]));
  assert.deepEqual([...owners], ["a", "acc_1", "prj_1"]);
  assert.equal(environment.layout.get("version"), "2");
  await environment.close();
});
