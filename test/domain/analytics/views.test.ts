/** The five views of the same scans: one total, whatever the interval, the zone and the way they are stored. */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type AnalyticsQuery, type Interval, intervals } from "../../../src/domain/analytics/range.ts";
import { addTotalsOfDay, addTotalsOfHour } from "../../../src/domain/analytics/tally.ts";
import { hoursOfWeek, ranking, trend, type View } from "../../../src/domain/analytics/views.ts";
import { dayMs, hourMs } from "../../../src/domain/analytics/zone.ts";
import type { ScanDayDoc, ScanHourDoc, Tally } from "../../../src/domain/documents.ts";
import { refusalOf } from "../../fakes/account-view.ts";

const first = Date.UTC(2026, 2, 20);
const hours = 24 * 24;
const zones = [
  "UTC",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Asia/Kathmandu",
];

function tally(total: number): Tally {
  return { total, countries: { DE: total }, devices: { ios: total }, referrers: { direct: total } };
}

function query(changes: Partial<AnalyticsQuery> = {}): AnalyticsQuery {
  const range = { from: first, to: first + hours * hourMs };
  return { range, isCut: false, timezone: "UTC", interval: "day", robots: "include", limit: 10, ...changes };
}

function viewsOf(asked: AnalyticsQuery): View<{ scans: number }>[] {
  return [
    trend(asked),
    ranking("countries", asked),
    ranking("devices", asked),
    ranking("referrers", asked),
    hoursOfWeek(asked),
  ];
}

function addHour(view: View<object>, hour: ScanHourDoc): void {
  if (view.of === "totals") addTotalsOfHour(hour, view.add);
  else view.add(hour);
}

function addDay(view: View<object>, day: ScanDayDoc): void {
  if (view.of === "totals") addTotalsOfDay(day, view.add);
  else view.add(day);
}

const sum = (items: readonly { scans: number }[]) => items.reduce((all, { scans }) => all + scans, 0);

const anyHours = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: hours - 1 }),
    people: fc.integer({ min: 0, max: 50 }),
    robots: fc.integer({ min: 0, max: 50 }),
  }),
  { maxLength: 60 },
);

function docsOf(scans: readonly { at: number; people: number; robots: number }[]): ScanHourDoc[] {
  return scans.map(({ at, people, robots }) => ({
    id: `qr-x/${first + at * hourMs}`,
    people: people === 0 ? null : tally(people),
    robots: robots === 0 ? null : tally(robots),
  }));
}

test("the total depends on neither the view nor the interval nor the zone, and items add up to it", () => {
  fc.assert(
    fc.property(
      anyHours,
      fc.constantFrom(...zones),
      fc.constantFrom(...intervals),
      fc.constantFrom("include", "exclude", "only" as const),
      (scans, timezone, interval, robots) => {
        const due = scans.reduce(
          (all, each) =>
            all + (robots === "only" ? 0 : each.people) + (robots === "exclude" ? 0 : each.robots),
          0,
        );
        for (const view of viewsOf(query({ timezone, interval, robots: robots as "include" }))) {
          for (const doc of docsOf(scans)) addHour(view, doc);
          assert.equal(view.total, due);
          assert.equal(sum(view.items()), due);
        }
      },
    ),
  );
});

test("points follow each other without a gap, from the begin of the range", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...intervals),
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: 1_500 }),
      (timezone, interval, begin, length) => {
        const range = { from: first + begin * hourMs, to: first + (begin + length) * hourMs };
        const starts = trend(query({ range, timezone, interval }))
          .items()
          .map(({ start }) => start);
        assert.equal(starts[0], range.from);
        for (const [at, start] of starts.entries()) {
          const next = starts[at + 1] ?? range.to;
          assert.ok(next > start, `${interval} in ${timezone}`);
          assert.ok(next - start <= longest[interval]);
        }
      },
    ),
  );
});

const longest: Record<Interval, number> = {
  hour: hourMs,
  day: 25 * hourMs,
  week: 7 * dayMs + hourMs,
  month: 31 * dayMs + hourMs,
};

test("days by the clock of the zone, over the change to summer time", () => {
  const range = { from: Date.UTC(2026, 2, 27, 23), to: Date.UTC(2026, 2, 30, 22) };
  const view = trend(query({ range, timezone: "Europe/Berlin" }));
  for (let hour = range.from; hour < range.to; hour += hourMs) {
    addHour(view, { id: `qr-x/${hour}`, people: tally(1), robots: null });
  }
  assert.deepEqual(view.items(), [
    { start: Date.UTC(2026, 2, 27, 23), scans: 24 },
    { start: Date.UTC(2026, 2, 28, 23), scans: 23 },
    { start: Date.UTC(2026, 2, 29, 22), scans: 24 },
  ]);
});

test("a zone of half hours: an hour is in the day in which it begins", () => {
  const range = { from: Date.UTC(2026, 2, 1, 18), to: Date.UTC(2026, 2, 1, 20) };
  const view = trend(query({ range, timezone: "Asia/Kolkata" }));
  addHour(view, { id: `qr-x/${range.from}`, people: tally(1), robots: null });
  addHour(view, { id: `qr-x/${range.from + hourMs}`, people: tally(5), robots: null });
  assert.deepEqual(view.items(), [
    { start: range.from, scans: 1 },
    { start: Date.UTC(2026, 2, 1, 18, 30), scans: 5 },
  ]);
});

test("weeks begin on Monday, months on the first", () => {
  const range = { from: Date.UTC(2026, 9, 28), to: Date.UTC(2026, 10, 10) };
  const startsBy = (interval: Interval) =>
    trend(query({ range, interval }))
      .items()
      .map(({ start }) => new Date(start).toISOString().slice(0, 10));
  assert.deepEqual(startsBy("week"), ["2026-10-28", "2026-11-02", "2026-11-09"]);
  assert.deepEqual(startsBy("month"), ["2026-10-28", "2026-11-01"]);
});

test("2,000 points and no more; the refusal names the interval", () => {
  const of = (points: number, interval: Interval, ms: number) =>
    refusalOf(() => trend(query({ range: { from: first, to: first + points * ms }, interval })));
  assert.equal(of(2_000, "hour", hourMs), "accepted");
  assert.match(of(2_001, "hour", hourMs), /^invalid_request: interval /);
  assert.equal(of(2_000, "day", dayMs), "accepted");
  assert.match(of(2_001, "day", dayMs), /^invalid_request: interval /);
  assert.match(of(2_900_000, "hour", dayMs), /^invalid_request: interval /);
  assert.match(of(2_900_000, "day", dayMs), /^invalid_request: interval /);
  assert.equal(trend(query({ range: { from: first, to: first } })).items().length, 0);
});

test("a ranking: most first, then by name; what is beyond the limit is `other`, which comes last", () => {
  const view = ranking("referrers", query({ limit: 2, robots: "exclude" }));
  const referrers = { "b.example": 3, "a.example": 3, direct: 9, "c.example": 2, other: 4 };
  const people = { ...tally(21), referrers };
  addHour(view, { id: `qr-x/${first}`, people, robots: tally(7) });
  assert.equal(view.total, 21);
  assert.deepEqual(view.items(), [
    { key: "direct", scans: 9 },
    { key: "a.example", scans: 3 },
    { key: "other", scans: 9 },
  ]);
  const whole = ranking("countries", query({ limit: 5 }));
  addHour(whole, { id: `qr-x/${first}`, people: tally(2), robots: tally(1) });
  assert.deepEqual(whole.items(), [{ key: "DE", scans: 3 }]);
});

test("a day has the hours it was made of, in any zone", () => {
  const counts = Array.from({ length: 24 }, (_, hour) => hour);
  const total = counts.reduce((all, count) => all + count, 0);
  for (const timezone of zones) {
    for (const interval of intervals) {
      const asked = query({ timezone, interval, robots: "exclude" });
      const [byDay, byHour] = [viewsOf(asked), viewsOf(asked)];
      for (const view of byDay) {
        addDay(view, {
          id: `qr-x/${first + dayMs}`,
          people: { ...tally(total), hours: counts },
          robots: null,
        });
      }
      for (const [hour, count] of counts.entries()) {
        const id = `qr-x/${first + dayMs + hour * hourMs}`;
        for (const view of byHour) addHour(view, { id, people: tally(count), robots: null });
      }
      assert.deepEqual(
        byDay.map((view) => [view.total, view.items()]),
        byHour.map((view) => [view.total, view.items()]),
      );
    }
  }
});

test("7 × 24 hours by the clock of the zone, from Monday", () => {
  const view = hoursOfWeek(query({ timezone: "Europe/Berlin" }));
  addHour(view, { id: `qr-x/${Date.UTC(2026, 2, 22, 23)}`, people: tally(4), robots: null });
  const items = view.items();
  assert.equal(items.length, 168);
  assert.deepEqual(items[0], { weekday: "mon", hour: 0, scans: 4 });
  assert.deepEqual(items[167], { weekday: "sun", hour: 23, scans: 0 });
});
