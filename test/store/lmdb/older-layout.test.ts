/** Folders of earlier layouts: with hours and days and no totals of them, with totals that do not say what was before, with more ranges of codes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs, hourMs } from "../../../src/domain/analytics/zone.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openEnvironment } from "../../../src/store/lmdb/environment.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import type { Store, TimeStretch } from "../../../src/store/store.ts";
import { everything, numbered, putCode, sampleCode, savedCount } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const first = Date.UTC(2026, 0, 1);
const owner = { project_id: "prj_1", account_id: "acc_1" };
const days = 60;
const owners = ["a", "b", "prj_1", "acc_1"];
const ever = { from: first, to: first + 2 * days * dayMs };
const some = { from: first + 10 * dayMs, to: first + 30 * dayMs };

function scansOf(slug: string, count: number, hours: readonly number[]) {
  const each = { isRobot: false, country: "DE", device: "ios", referrer: "direct", scans: 1 };
  return savedCount(slug, count, {
    owner,
    seen: hours.map((at) => ({ ...each, hour: first + at * hourMs })),
  });
}

async function olderFolder(layout: "1" | "2"): Promise<string> {
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
  const { scanTotals } = environment;
  if (layout === "1") await scanTotals.clearAsync();
  else {
    for (const { key, value } of [...scanTotals.getRange({})]) {
      await scanTotals.put(key, value.replace(/\d+,\d+/, ""));
    }
  }
  await environment.layout.remove("latest_totals");
  await environment.layout.put("version", layout);
  await environment.close();
  return path;
}

async function totalsOf(store: Store, stretch: TimeStretch): Promise<number[]> {
  const found = owners.map(() => 0);
  await store.scanTotals(owners, stretch, (place, _hour, people) => {
    found[place]! += people;
  });
  const { people } = await store.scanSums(owners, stretch);
  assert.deepEqual([...people], found);
  return found;
}

for (const layout of ["1", "2"] as const) {
  test(`layout ${layout}: totals are read from hours and days, and kept from the first save on`, async () => {
    const path = await olderFolder(layout);
    const store = await openLmdbStore({ path, assertDocument });
    assert.deepEqual(await totalsOf(store, ever), [days, days, 2 * days, 2 * days]);
    assert.deepEqual(await totalsOf(store, some), [20, 20, 40, 40]);
    // Several at once, and such as come late.
    await Promise.all([
      store.saveScans([scansOf("a", days + 1, [days * 24])]),
      store.saveScans([scansOf("a", days + 3, [days * 24, days * 24 + 1]), scansOf("new", 1, [15 * 24])]),
    ]);
    assert.deepEqual(await totalsOf(store, ever), [days + 3, days, 2 * days + 4, 2 * days + 4]);
    assert.deepEqual(await totalsOf(store, some), [20, 20, 41, 41]);
    await store.close();
    const environment = openEnvironment(path);
    const kept = new Set([...environment.scanTotals.getKeys()].map((key) => key.split("/")[0]));
    assert.deepEqual([...kept], ["a", "acc_1", "new", "prj_1"]);
    assert.equal(environment.layout.get("version"), "5");
    await environment.close();
  });
}

test("layout 3: codes of the type that most have are found as they were, and totals stay", async () => {
  const path = temporaryFolder();
  const before = await openLmdbStore({ path, assertDocument });
  const codes = ["url", "text", "url", "wifi"] as const;
  await before.commit(
    codes.map((type, n) => putCode(sampleCode({ id: numbered("qr", n), slug: `qr-${n}`, type }))),
  );
  await before.saveScans([scansOf("a", 1, [0])]);
  await before.close();
  const environment = openEnvironment(path);
  for (const n of [0, 2]) {
    for (const project of ["", "prj_1"]) {
      await environment.indexes.code_list.put(`acc_1 ${project} url active ${numbered("qr", n)}`, "label");
    }
  }
  const totals = [...environment.scanTotals.getKeys()];
  assert.notDeepEqual(totals, []);
  await environment.layout.put("version", "3");
  await environment.close();

  const store = await openLmdbStore({ path, assertDocument });
  await store.commit([putCode(sampleCode({ id: numbered("qr", 4), slug: "qr-4", type: "url" }))]);
  for (const order of ["newest", "oldest", "label"] as const) {
    for (const project_id of [null, "prj_1"]) {
      const { items } = await store.listCodes({ ...everything, project_id, type: "url", order });
      const found = items.map(({ id }) => id).sort();
      assert.deepEqual(
        found,
        [0, 2, 4].map((n) => numbered("qr", n)),
        `${order}, ${project_id}`,
      );
    }
  }
  await store.close();
  const after = openEnvironment(path);
  assert.equal(after.layout.get("version"), "5");
  assert.deepEqual([...after.scanTotals.getKeys()], totals);
  await after.close();
});
