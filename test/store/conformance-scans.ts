/** The part of the conformance suite about scans: counts, hours and days. */
import assert from "node:assert/strict";
import type { SeenScans } from "../../src/domain/analytics/link-scans.ts";
import { type AddTotals, addTotalsOfDay, addTotalsOfHour } from "../../src/domain/analytics/tally.ts";
import { dayMs, hourMs } from "../../src/domain/analytics/zone.ts";
import type { ScanHourDoc, Tally } from "../../src/domain/documents.ts";
import type { ClearedScans, KeptSince, Store, TimeStretch } from "../../src/store/store.ts";
import { numbered, savedCount } from "../fakes/sample-documents.ts";
import type { WithStore } from "./conformance.ts";

const firstDay = 1_760_000_400_000 - (1_760_000_400_000 % dayMs);
const everything = { from: 0, to: 8e15 };

export function scanConformance(withStore: WithStore): void {
  const first = firstDay;
  const hour = (total: number): ScanHourDoc => ({
    id: `qr-1/${first}`,
    people: tallyOf(total),
    robots: null,
  });
  const owner = { project_id: "prj_1", account_id: "acc_1" };
  const seen = (at: number, scans: number, changes: Partial<SeenScans> = {}): SeenScans => ({
    ...{ hour: at, isRobot: false, country: "DE", device: "ios", referrer: "www.example.com", scans },
    ...changes,
  });
  withStore("scan counts keep the greater value, whatever the order", async ({ store, reopen }) => {
    await store.saveScans([savedCount("a", 5)]);
    await store.saveScans([savedCount("a", 5)]);
    await store.saveScans([savedCount("a", 3), savedCount("b", 1)]);
    assert.equal(await store.scanCount("a"), 5);
    assert.equal(await store.scanCount("b"), 1);
    await Promise.all([9, 7, 8].map((count) => store.saveScans([savedCount("a", count)])));
    await store.saveScans([]);
    const again = await reopen();
    assert.equal(await again.scanCount("a"), 9);
  });

  withStore(
    "what is known of scans is in the hours of the code, its project and its account",
    async ({ store }) => {
      await store.saveScans([
        savedCount("a", 3, {
          owner,
          seen: [seen(first, 2), seen(first, 1, { isRobot: true, country: "US" })],
        }),
        savedCount("b", 1, { owner, seen: [seen(first + hourMs, 1)] }),
        savedCount("c", 4, { seen: [seen(first, 1)], off: 3 }),
      ]);
      await store.saveScans([
        savedCount("a", 4, { owner, seen: [seen(first, 1, { referrer: "constructor" })] }),
      ]);
      const people = {
        total: 3,
        countries: { DE: 3 },
        devices: { ios: 3 },
        referrers: { "www.example.com": 2, constructor: 1 },
      };
      const robots = {
        total: 1,
        countries: { US: 1 },
        devices: { ios: 1 },
        referrers: { "www.example.com": 1 },
      };
      assert.deepEqual(await store.scanHours("a", everything, 9), [{ id: `a/${first}`, people, robots }]);
      for (const of of ["prj_1", "acc_1"]) {
        assert.deepEqual(await store.scanHours(of, everything, 9), [
          { id: `${of}/${first}`, people, robots },
          { id: `${of}/${first + hourMs}`, people: tallyOf(1), robots: null },
        ]);
      }
      assert.deepEqual(await store.scanHours("c", everything, 9), [
        { id: `c/${first}`, people: tallyOf(1), robots: null },
      ]);
      assert.equal(await store.scanCount("c"), 4);
    },
  );

  withStore("totals alone are those of all, whatever referrers are called", async ({ store }) => {
    const odd = (hours: number, isRobot: boolean, referrer: string) =>
      seen(first + hours * hourMs, hours + 1, { isRobot, referrer });
    await store.saveScans([
      savedCount("a", 6, { seen: [odd(0, false, "robots"), odd(1, true, "people"), odd(2, false, "total")] }),
      savedCount("b", 6, { seen: [odd(2, true, "robots"), odd(2, false, "people")] }),
    ]);
    assert.deepEqual(await totalsOf(store, ["b", "nobody", "a"]), [
      [[first + 2 * hourMs, 3, 3]],
      [],
      [
        [first, 1, 0],
        [first + hourMs, 0, 2],
        [first + 2 * hourMs, 3, 0],
      ],
    ]);
  });

  withStore("totals are those of hours and days, whatever happens to these", async ({ store, reopen }) => {
    const owners = ["a", "b", "prj_1", "acc_1"];
    const areRight = async (of = store) => {
      const totals = await totalsByDocuments(of, owners);
      assert.deepEqual(await totalsOf(of, owners), totals);
      for (const from of cuts) {
        for (const to of cuts.filter((at) => at >= from)) {
          const stretch = { from: first + from * hourMs, to: first + to * hourMs };
          assert.deepEqual(await sumsOf(of, owners, stretch), totals.map(sumWithin(stretch)));
        }
      }
    };
    // Within an entry of any store, at its ends, and where there is none.
    const cuts = [-2_000, 0, 1, 4, 24, 192, 700, 701, 899, 901, 902, 1_200, 1_990, 2_000, 2_001, 4_000];
    // Late and early, and over more days than any store may keep together.
    for (const [at, hours] of [900, 3, 901, 2_000, 4, 901, 0, 700].entries()) {
      const some = [
        seen(first + hours * hourMs, 2),
        seen(first + hours * hourMs, 1, { isRobot: at % 2 === 0 }),
      ];
      const link = at % 3 === 0 ? "a" : "b";
      await store.saveScans([savedCount(link, 3 * (at + 1), { owner, seen: some, otherwise: first })]);
      await areRight();
    }
    const [all, some, none] = await Promise.all([
      totalsOf(store, ["a"]),
      totalsOf(store, ["a"], { from: first + 4 * hourMs, to: first + 901 * hourMs }),
      totalsOf(store, ["a"], { from: first + 2_001 * hourMs, to: first + 9_000 * hourMs }),
    ]);
    assert.ok(all[0]!.length > some[0]!.length && some[0]!.length > 0);
    assert.deepEqual(none, [[]]);
    await cleared(store, { hours: first + 50 * dayMs, days: first });
    await areRight();
    await cleared(store, { hours: first + 60 * dayMs, days: first + 38 * dayMs });
    await areRight();
    await store.adoptScans({ hours: [{ ...hour(40), id: `a/${first + 2_000 * hourMs}` }] });
    const day = { ...tallyOf(50), hours: new Array<number>(24).fill(2).with(7, 4) };
    await store.adoptScans({ days: [{ id: `b/${first + 38 * dayMs}`, people: day, robots: null }] });
    await areRight();
    await areRight(await reopen());
  });

  withStore("sums are right of whoever has nothing, and of nobody", async ({ store }) => {
    await store.saveScans([savedCount("a", 6, { seen: [seen(first, 6)] })]);
    const stretch = { from: first, to: first + hourMs };
    assert.deepEqual(await sumsOf(store, ["nobody", "a", "", "a b", "a"], stretch), [
      [0, 0],
      [6, 0],
      [0, 0],
      [0, 0],
      [6, 0],
    ]);
    assert.deepEqual(await sumsOf(store, [], stretch), []);
  });

  withStore(
    "a save that is repeated adds nothing, and the count decides what is added",
    async ({ store }) => {
      const save = savedCount("a", 3, { owner, seen: [seen(first, 3)], otherwise: first });
      await store.saveScans([save]);
      await store.saveScans([save]);
      const total = async () =>
        (await store.scanHours("acc_1", everything, 9)).map(({ people }) => people!.total);
      assert.deepEqual(await total(), [3]);
      // Two of them were in the store already; the latest two are new.
      await store.saveScans([
        savedCount("a", 5, { owner, seen: [seen(first, 2), seen(first + hourMs, 2)], otherwise: first }),
      ]);
      assert.deepEqual(await total(), [3, 2]);
      // One more was counted than is known of.
      await store.saveScans([
        savedCount("a", 7, { owner, seen: [seen(first, 1)], otherwise: first + hourMs }),
      ]);
      assert.deepEqual(await total(), [4, 3]);
      const [, last] = await store.scanHours("a", everything, 9);
      assert.deepEqual(last!.people!.countries, { DE: 2, unknown: 1 });
    },
  );

  withStore("hours are read from a stretch of time, as many as are asked for", async ({ store }) => {
    const hours = [0, 1, 2, 3].map((n) => seen(first + n * hourMs, 1));
    await store.saveScans([savedCount("a", 4, { seen: hours }), savedCount("aa", 4, { seen: hours })]);
    const begins = async (from: number, to: number, limit: number) =>
      (await store.scanHours("a", { from: first + from * hourMs, to: first + to * hourMs }, limit)).map(
        ({ id }) => (Number(id.split("/")[1]) - first) / hourMs,
      );
    assert.deepEqual(await begins(0, 9, 9), [0, 1, 2, 3]);
    assert.deepEqual(await begins(1, 3, 9), [1, 2]);
    assert.deepEqual(await begins(0, 9, 2), [0, 1]);
    assert.deepEqual(await begins(5, 9, 9), []);
    assert.deepEqual(await store.scanHours("b", everything, 9), []);
    assert.deepEqual(await store.scanDays("a", everything, 9), []);
  });

  withStore(
    "old hours become days, old days go, slice by slice, and late hours are added",
    async ({ store }) => {
      const owners = Array.from({ length: 150 }, (_, n) => numbered("s", n));
      const of = (slug: string, count: number, at: number) =>
        savedCount(slug, count, { owner, seen: [seen(at, 1), seen(at + 5 * hourMs, 1, { isRobot: true })] });
      await store.saveScans(owners.map((slug) => of(slug, 2, first)));
      await store.saveScans(owners.map((slug) => of(slug, 4, first + dayMs)));
      const clear = (since: KeptSince) => cleared(store, since);
      assert.equal((await clear({ hours: first, days: first })).size, 0);
      const moved = await clear({ hours: first + dayMs, days: first });
      assert.deepEqual([...moved].sort(), ["acc_1", "prj_1", ...owners]);
      const hours = new Array<number>(24).fill(0);
      const day = (total: number, at: number) => ({ ...tallyOf(total), hours: hours.with(at, total) });
      for (const [each, scans] of [
        ["acc_1", 150],
        [owners[77]!, 1],
      ] as const) {
        assert.deepEqual(await store.scanDays(each, everything, 9), [
          { id: `${each}/${first}`, people: day(scans, 0), robots: day(scans, 5) },
        ]);
        assert.equal((await store.scanHours(each, everything, 9)).length, 2);
      }
      await store.saveScans([savedCount(owners[0]!, 5, { seen: [seen(first + hourMs, 1)] })]);
      await clear({ hours: first + dayMs, days: first });
      const [late] = await store.scanDays(owners[0]!, everything, 9);
      assert.deepEqual(late!.people!.hours, hours.with(0, 1).with(1, 1));
      await clear({ hours: first + 2 * dayMs, days: first + dayMs });
      const left = await store.scanDays("acc_1", everything, 9);
      assert.deepEqual(
        left.map(({ id }) => id),
        [`acc_1/${first + dayMs}`],
      );
      assert.deepEqual(await store.scanHours("acc_1", everything, 9), []);
    },
  );

  withStore("a walk passes every scan count, hour and day once, in order", async ({ store }) => {
    const slugs = ["qr-c", "qr-a", "qr-b"];
    const hours = slugs.map((slug, n) => ({ ...hour(n + 1), id: `${slug}/1760000400000` }));
    const days = hours.map(({ id, people }) => ({
      ...{ id, robots: null },
      people: { ...people!, hours: new Array<number>(24).fill(0) },
    }));
    assert.deepEqual(await store.walkScanCounts(null, 2), []);
    assert.deepEqual(await store.walkScanHours(null, 2), []);
    await store.adoptScans({ counts: slugs.map((slug, n) => ({ slug, count: n })), hours, days });
    await store.adoptScans({ counts: [{ slug: "qr-b", count: 1 }], hours: [{ ...hours[2]!, people: null }] });
    assert.deepEqual(await store.walkScanCounts(null, 2), [
      { slug: "qr-a", count: 1 },
      { slug: "qr-b", count: 2 },
    ]);
    assert.deepEqual(await store.walkScanCounts("qr-b", 2), [{ slug: "qr-c", count: 0 }]);
    assert.deepEqual(await store.walkScanHours(null, 2), [hours[1], hours[2]]);
    assert.deepEqual(await store.walkScanHours(hours[2]!.id, 2), [hours[0]]);
    assert.deepEqual(await store.walkScanDays(null, 2), [days[1], days[2]]);
    assert.deepEqual(await store.scanDay(days[0]!.id), days[0]);
    assert.deepEqual(await store.scanHour(hours[0]!.id), hours[0]);
  });

  withStore("thousands of counts are saved at once", async ({ store }) => {
    const counts = Array.from({ length: 3_000 }, (_, n) => savedCount(numbered("s", n), n));
    await store.saveScans(counts);
    await store.saveScans(counts.slice(0, 2_000));
    assert.equal(await store.scanCount(numbered("s", 2_999)), 2_999);
    assert.equal(await store.scanCount(numbered("s", 0)), 0);
  });
}

/** Who had hours that became days. */
async function cleared(store: Store, since: KeptSince): Promise<Set<string>> {
  const moved = new Set<string>();
  let next: string | null = null;
  do {
    const slice: ClearedScans = await store.clearScans(since, next);
    for (const each of slice.of) moved.add(each);
    next = slice.next;
  } while (next !== null);
  return moved;
}

type HourTotals = readonly (readonly [hour: number, people: number, robots: number])[];

/** Hours in order, each once. */
class Totals {
  readonly #hours = new Map<number, [number, number, number]>();

  readonly add: AddTotals = (hour, people, robots) => {
    const [, morePeople = 0, moreRobots = 0] = this.#hours.get(hour) ?? [];
    this.#hours.set(hour, [hour, people + morePeople, robots + moreRobots]);
  };

  get all(): HourTotals {
    return [...this.#hours.values()].sort(([a], [b]) => a - b);
  }
}

async function totalsOf(
  store: Store,
  owners: readonly string[],
  stretch = { from: firstDay - 200 * dayMs, to: firstDay + 200 * dayMs },
): Promise<HourTotals[]> {
  const totals = owners.map(() => new Totals());
  await store.scanTotals(owners, stretch, (place, ...each) => totals[place]!.add(...each));
  return totals.map(({ all }) => all);
}

async function sumsOf(
  store: Store,
  owners: readonly string[],
  stretch: TimeStretch,
): Promise<[people: number, robots: number][]> {
  const { people, robots } = await store.scanSums(owners, stretch);
  return owners.map((_, place) => [people[place]!, robots[place]!]);
}

function sumWithin({ from, to }: TimeStretch) {
  return (totals: HourTotals): [people: number, robots: number] => {
    const within = totals.filter(([hour]) => hour >= from && hour < to);
    return [
      within.reduce((sum, [, people]) => sum + people, 0),
      within.reduce((sum, [, , robots]) => sum + robots, 0),
    ];
  };
}

async function totalsByDocuments(store: Store, owners: readonly string[]): Promise<HourTotals[]> {
  const totals = owners.map(() => new Totals());
  for (const [place, of] of owners.entries()) {
    const { add } = totals[place]!;
    for (const hour of await store.scanHours(of, everything, 1_000)) addTotalsOfHour(hour, add);
    for (const day of await store.scanDays(of, everything, 1_000)) addTotalsOfDay(day, add);
  }
  return totals.map(({ all }) => all);
}

function tallyOf(total: number): Tally {
  return {
    total,
    countries: { DE: total },
    devices: { ios: total },
    referrers: { "www.example.com": total },
  };
}
