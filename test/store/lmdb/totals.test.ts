/** Totals and their sums say what hours and days say, in whatever order scans come, become days, go, and are taken over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type AddTotals, addTotalsOfDay, addTotalsOfHour } from "../../../src/domain/analytics/tally.ts";
import { dayMs, hourMs } from "../../../src/domain/analytics/zone.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import type { Store, TimeStretch } from "../../../src/store/store.ts";
import { savedCount } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const first = Date.UTC(2026, 0, 1);
const days = 70;
const slugs = ["a", "b"];
const owner = { project_id: "prj_1", account_id: "acc_1" };
const owners = [...slugs, "prj_1", "acc_1"];

const anyHour = fc.nat(days * 24 - 1).map((hour) => first + hour * hourMs);
const anySave = fc.record({
  slug: fc.constantFrom(...slugs),
  seen: fc.array(
    fc.record({ hour: anyHour, isRobot: fc.boolean(), scans: fc.integer({ min: 1, max: 99 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
});
const anyClearing = fc.record({ hours: fc.nat(days), days: fc.nat(days) });
const anyAdoption = fc.record({ of: fc.constantFrom(...owners), hour: anyHour, scans: fc.nat(300) });
const anyChange = fc.oneof(
  { weight: 6, arbitrary: anySave },
  { weight: 1, arbitrary: anyClearing },
  { weight: 1, arbitrary: anyAdoption },
);
const anyStretch = fc.tuple(anyHour, anyHour).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

type Save = { slug: string; seen: { hour: number; isRobot: boolean; scans: number }[] };
type Change = Save | { hours: number; days: number } | { of: string; hour: number; scans: number };

async function change(store: Awaited<ReturnType<typeof openLmdbStore>>, what: Change): Promise<void> {
  if ("slug" in what) {
    const seen = what.seen.map((each) => ({ ...each, country: "DE", device: "ios", referrer: "direct" }));
    const count = seen.reduce((sum, { scans }) => sum + scans, await store.scanCount(what.slug));
    await store.saveScans([savedCount(what.slug, count, { owner, seen })]);
  } else if ("days" in what) {
    const since = {
      hours: first + what.hours * dayMs,
      days: first + Math.min(what.hours, what.days) * dayMs,
    };
    for (let next: string | null = null; ; ) {
      ({ next } = await store.clearScans(since, next));
      if (next === null) return;
    }
  } else {
    const people = { total: what.scans, countries: {}, devices: {}, referrers: {} };
    await store.adoptScans({ hours: [{ id: `${what.of}/${what.hour}`, people, robots: null }] });
  }
}

async function byDocuments(store: Store, { from, to }: TimeStretch): Promise<[number, number][]> {
  const sums: [number, number][] = [];
  for (const of of owners) {
    const sum: [number, number] = [0, 0];
    const add: AddTotals = (hour, people, robots) => {
      if (hour < from || hour >= to) return;
      sum[0] += people;
      sum[1] += robots;
    };
    const ever = { from: 0, to: 8e15 };
    for (const hour of await store.scanHours(of, ever, 10_000)) addTotalsOfHour(hour, add);
    for (const day of await store.scanDays(of, ever, 10_000)) addTotalsOfDay(day, add);
    sums.push(sum);
  }
  return sums;
}

test("sums of any stretch are those of its hours and days, after any changes", async () => {
  const stretches = { minLength: 6, maxLength: 6 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyChange, { minLength: 5, maxLength: 25 }),
      fc.array(anyStretch, stretches),
      async (changes, asked) => {
        const store = await openLmdbStore({ path: temporaryFolder(), assertDocument });
        try {
          for (const each of changes) {
            await change(store, each);
            for (const stretch of asked) {
              const wanted = await byDocuments(store, stretch);
              const { people, robots } = await store.scanSums(owners, stretch);
              assert.deepEqual(
                owners.map((_, place) => [people[place], robots[place]]),
                wanted,
              );
              const found = owners.map(() => [0, 0]);
              await store.scanTotals(owners, stretch, (place, _hour, people, robots) => {
                found[place]![0]! += people;
                found[place]![1]! += robots;
              });
              assert.deepEqual(found, wanted);
            }
          }
        } finally {
          await store.close();
        }
      },
    ),
    { numRuns: 30, endOnFailure: true },
  );
});
