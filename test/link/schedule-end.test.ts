import assert from "node:assert/strict";
import { test } from "node:test";
import { normaliseRules } from "../../src/domain/code/redirect-rules.ts";
import type { Weekday } from "../../src/domain/documents.ts";
import { compileRules, matchRules } from "../../src/link/match-rules.ts";
import { minuteOfWeek } from "../../src/link/schedule.ts";
import { scheduleRule } from "../fakes/sample-documents.ts";

const everyDay: Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const minuteMs = 60_000;

function opens(timezone: string, start: string, end: string, days = everyDay) {
  const compiled = compileRules([scheduleRule(days, start, end, "https://example.com/")]);
  return (instant: number): boolean =>
    matchRules(
      compiled,
      {
        device: () => assert.fail("no rule asks for the device"),
        country: () => assert.fail("no rule asks for the country"),
        minuteOfWeek,
      },
      timezone,
      instant,
    ) !== null;
}

test("an end of 23:59 includes that minute to its last millisecond, and nothing of the next day", () => {
  const open = opens("UTC", "22:00", "23:59", ["mon"]);
  const monday = Date.parse("2025-06-02T00:00:00Z");
  assert.equal(open(monday + 22 * 60 * minuteMs - 1), false);
  assert.equal(open(monday + 22 * 60 * minuteMs), true);
  assert.equal(open(monday + 24 * 60 * minuteMs - 1), true);
  assert.equal(open(monday + 24 * 60 * minuteMs), false);
});

test("every other end is exclusive", () => {
  const monday = Date.parse("2025-06-02T00:00:00Z");
  for (let end = 1; end < 24 * 60 - 1; end++) {
    const time = `${String(Math.floor(end / 60)).padStart(2, "0")}:${String(end % 60).padStart(2, "0")}`;
    const open = opens("UTC", "00:00", time);
    assert.deepEqual([open(monday + end * minuteMs - 1), open(monday + end * minuteMs)], [true, false], time);
  }
});

/** Days on which clocks change: at night, at midnight forwards, and back from midnight, when 23:59 comes twice. */
const changes = [
  ["Europe/Berlin", "2025-03-29T12:00:00Z"],
  ["Europe/Berlin", "2025-10-25T12:00:00Z"],
  ["Africa/Cairo", "2025-04-24T06:00:00Z"],
  ["Africa/Cairo", "2025-10-30T06:00:00Z"],
  ["America/Santiago", "2025-04-05T12:00:00Z"],
  ["Australia/Lord_Howe", "2025-04-05T06:00:00Z"],
] as const;

for (const [zone, from] of changes) {
  test(`a whole day has no hole in ${zone} after ${from}, and two halves meet`, () => {
    const day = opens(zone, "00:00", "23:59");
    const morning = opens(zone, "00:00", "12:00");
    const evening = opens(zone, "12:00", "23:59");
    for (let minute = 0; minute < 2 * 24 * 60; minute++) {
      const instant = Date.parse(from) + minute * minuteMs + 59_999;
      const when = new Date(instant).toISOString();
      assert.ok(day(instant), when);
      assert.notEqual(morning(instant), evening(instant), when);
    }
  });
}

test("a start must be earlier than the end, 23:59 too", () => {
  const rule = { condition: "schedule" as const, schedule_days: everyDay, url: "https://example.com/" };
  const refused = { ...rule, schedule_start: "23:59", schedule_end: "23:59" };
  assert.throws(() => normaliseRules("redirect_rules", [refused], (_, url) => url), /schedule_start must be/);
  const accepted = { ...rule, schedule_start: "23:58", schedule_end: "23:59" };
  assert.deepEqual(
    normaliseRules("redirect_rules", [accepted], (_, url) => url),
    [accepted],
  );
});
