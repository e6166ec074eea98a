/** Local days and hours against Intl itself, over daylight saving and odd offsets. */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { dayMs, hourMs, zoneOf } from "../../../src/domain/analytics/zone.ts";

export const zoneNames = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "America/Santiago",
  "America/Havana",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "America/St_Johns",
];

const firstHour = Date.UTC(2022, 0, 1) / hourMs;
const lastHour = Date.UTC(2028, 0, 1) / hourMs;
const anyHour = fc.integer({ min: firstHour, max: lastHour }).map((hour) => hour * hourMs);
const anyZone = fc.constantFrom(...zoneNames);

function shown(zone: string, at: number): { day: string; hour: number; weekday: string } {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    weekday: "short",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  return {
    day: `${part("year")}-${part("month")}-${part("day")}`,
    hour: Number(part("hour")),
    weekday: part("weekday"),
  };
}

const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

test("an hour is in the local day and the hour of the week that a clock there shows", () => {
  fc.assert(
    fc.property(anyZone, anyHour, (name, hour) => {
      const zone = zoneOf(name);
      const clock = shown(name, hour);
      assert.equal(dateOf(zone.day(hour)), clock.day);
      const ofWeek = zone.hourOfWeek(hour);
      assert.deepEqual([weekdays[Math.floor(ofWeek / 24)], ofWeek % 24], [clock.weekday, clock.hour]);
    }),
    { numRuns: 2_000 },
  );
});

test("a local day begins at its first moment and not before", () => {
  fc.assert(
    fc.property(anyZone, anyHour, (name, hour) => {
      const day = Math.floor(hour / dayMs);
      const start = zoneOf(name).startOfDay(day);
      assert.equal(shown(name, start).day, dateOf(day));
      assert.equal(shown(name, start - 1).day, dateOf(day - 1));
    }),
    { numRuns: 2_000 },
  );
});

test("days on which clocks change", () => {
  const hoursOf = (name: string, day: number) =>
    (zoneOf(name).startOfDay(day + 1) - zoneOf(name).startOfDay(day)) / hourMs;
  const dayOf = (date: string) => Date.parse(date) / dayMs;
  assert.equal(hoursOf("Europe/Berlin", dayOf("2026-03-29")), 23);
  assert.equal(hoursOf("Europe/Berlin", dayOf("2026-10-25")), 25);
  assert.equal(hoursOf("Australia/Lord_Howe", dayOf("2026-04-05")), 24.5);
  // Midnight is skipped there: the day begins at one.
  const santiago = zoneOf("America/Santiago").startOfDay(dayOf("2025-09-07"));
  assert.equal(new Date(santiago).toISOString(), "2025-09-07T04:00:00.000Z");
  // It comes twice there: the day begins with the first.
  const havana = zoneOf("America/Havana").startOfDay(dayOf("2025-11-02"));
  assert.equal(new Date(havana).toISOString(), "2025-11-02T04:00:00.000Z");
});
