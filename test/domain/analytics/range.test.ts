/** What an analytics call asks for, and what of it there is. */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { earliestOf, readQuery } from "../../../src/domain/analytics/range.ts";
import { dayMs, hourMs } from "../../../src/domain/analytics/zone.ts";
import { refusalOf } from "../../fakes/account-view.ts";

const now = Date.UTC(2026, 10, 15, 18, 20, 30);
const asked = (query: string, zone = "Europe/Berlin", days = 1_830) =>
  readQuery(new URLSearchParams(query), zone, days, now).query;
const shown = (query: string, zone?: string) => {
  const { range, isCut } = asked(query, zone);
  return [new Date(range.from).toISOString(), new Date(range.to).toISOString(), isCut];
};

test("without anything, the last 30 days by day in the account's zone, without robots", () => {
  assert.deepEqual(asked(""), {
    range: { from: Date.UTC(2026, 9, 16, 18), to: Date.UTC(2026, 10, 15, 19) },
    isCut: false,
    timezone: "Europe/Berlin",
    interval: "day",
    robots: "exclude",
    limit: 10,
  });
  const { range } = asked("", "UTC", 7);
  assert.equal(range.from, Date.UTC(2026, 10, 8, 18));
});

test("every hour that a range touches is in it", () => {
  assert.deepEqual(shown("from=2026-11-01T10:59:59Z&to=2026-11-01T11:00:00.001Z"), [
    "2026-11-01T10:00:00.000Z",
    "2026-11-01T12:00:00.000Z",
    false,
  ]);
  assert.deepEqual(shown("from=2026-11-01T10:00:00Z&to=2026-11-01T11:00:00Z"), [
    "2026-11-01T10:00:00.000Z",
    "2026-11-01T11:00:00.000Z",
    false,
  ]);
});

test("a date alone is the begin of the day there; a plus sign may be a space", () => {
  assert.deepEqual(shown("from=2026-10-24&to=2026-10-26"), [
    "2026-10-23T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
    false,
  ]);
  assert.equal(shown("from=2026-11-01T00:00:00+01:00")[0], "2026-10-31T23:00:00.000Z");
  assert.equal(shown("from=2026-11-01T00:00:00%2B01:00")[0], "2026-10-31T23:00:00.000Z");
});

test("what is more than 90 days back is whole days, and 5 years are kept", () => {
  assert.deepEqual(shown("from=2026-08-17T00:30:00Z"), [
    "2026-08-17T00:00:00.000Z",
    "2026-11-15T19:00:00.000Z",
    false,
  ]);
  assert.deepEqual(shown("from=2026-08-16T13:00:00Z&to=2026-08-16T15:00:00Z"), [
    "2026-08-16T00:00:00.000Z",
    "2026-08-17T00:00:00.000Z",
    true,
  ]);
  assert.deepEqual(shown("from=1999-01-01"), ["2021-11-11T00:00:00.000Z", "2026-11-15T19:00:00.000Z", true]);
  const { range, isCut } = asked("from=1999-01-01&to=2001-01-01");
  assert.equal(range.from, range.to);
  assert.equal(isCut, true);
});

test("a mistake is named", () => {
  for (const [query, field] of [
    ["from=yesterday", "from"],
    ["to=2026-02-30", "to"],
    ["from=2026-11-01&to=2026-11-01", "to"],
    ["from=2026-11-02&to=2026-11-01", "to"],
    ["from=2026-12-01", "to"],
    ["timezone=Mars/Olympus", "timezone"],
    ["timezone=%2B01:00", "timezone"],
    ["interval=minute", "interval"],
    ["robots=yes", "robots"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1.5", "limit"],
    ["limit=-1", "limit"],
  ] as const) {
    assert.match(
      refusalOf(() => asked(query)),
      new RegExp(`^invalid_request: ${field} `),
      query,
    );
  }
  assert.deepEqual(asked("from=&to=&timezone=&interval=&robots=&limit="), asked(""));
});

test("a plan's days are whole days by the clock, and what is asked for without a word is always included", () => {
  assert.equal(earliestOf(30, "Europe/Berlin", now), Date.UTC(2026, 9, 15, 22));
  assert.equal(earliestOf(1_830, "UTC", now), Number.NEGATIVE_INFINITY);
  assert.equal(earliestOf(1e12, "UTC", now), Number.NEGATIVE_INFINITY);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.constantFrom("UTC", "Asia/Kolkata", "America/Santiago"),
      fc.integer({ min: 0, max: 8 * 365 * 24 * 60 }),
      (days, zone, minutes) => {
        const then = Date.UTC(2024, 0, 1) + minutes * 60_000;
        const { from } = readQuery(new URLSearchParams(), zone, days, then);
        assert.ok(from >= earliestOf(days, zone, then));
        assert.ok(
          earliestOf(days, zone, then) >= Math.min(then - (days + 2) * dayMs, Number.MAX_VALUE) ||
            days >= 1_830,
        );
      },
    ),
  );
});

test("a range is whole hours, whatever is asked for", () => {
  fc.assert(
    fc.property(fc.integer({ min: -8e12, max: 3e12 }), fc.integer({ min: 1, max: 1e12 }), (from, length) => {
      const iso = (at: number) => new Date(at).toISOString();
      const start = Math.max(from, Date.parse("0001-01-01T00:00:00Z"));
      const { range } = asked(`from=${iso(start)}&to=${iso(start + length)}`);
      assert.ok(Number.isInteger(range.from / hourMs));
      assert.ok(Number.isInteger(range.to / hourMs));
      assert.ok(range.from <= range.to);
    }),
  );
});
