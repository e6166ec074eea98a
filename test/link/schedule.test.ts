import assert from "node:assert/strict";
import { test } from "node:test";
import { isTimezone } from "../../src/domain/account/timezone.ts";
import { compileRules, matchRules } from "../../src/link/match-rules.ts";
import { minuteOfWeek } from "../../src/link/schedule.ts";
import { scheduleRule } from "../fakes/sample-documents.ts";

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

function wallClock(timezone: string, instant: string): string {
  const minute = minuteOfWeek(timezone, Date.parse(instant));
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${days[Math.floor(minute / 1440)]} ${pad(Math.floor((minute % 1440) / 60))}:${pad(minute % 60)}`;
}

const shown: [zone: string, instant: string, wall: string][] = [
  ["UTC", "1970-01-01T00:00:00Z", "thu 00:00"],
  ["UTC", "1969-12-28T23:59:59.999Z", "sun 23:59"],
  ["UTC", "2025-06-02T00:00:00Z", "mon 00:00"],
  ["Asia/Kathmandu", "2025-06-01T18:14:59Z", "sun 23:59"],
  ["Asia/Kathmandu", "2025-06-01T18:15:00Z", "mon 00:00"],
  ["Pacific/Kiritimati", "2025-06-01T10:00:00Z", "mon 00:00"],
  ["Pacific/Pago_Pago", "2025-06-02T10:59:00Z", "sun 23:59"],
  // Berlin springs forward from 02:00 to 03:00, and falls back from 03:00 to 02:00.
  ["Europe/Berlin", "2025-03-30T00:59:59Z", "sun 01:59"],
  ["Europe/Berlin", "2025-03-30T01:00:00Z", "sun 03:00"],
  ["Europe/Berlin", "2025-10-26T00:59:59Z", "sun 02:59"],
  ["Europe/Berlin", "2025-10-26T01:00:00Z", "sun 02:00"],
  ["Europe/Berlin", "2025-10-26T02:00:00Z", "sun 03:00"],
  ["America/New_York", "2025-03-09T06:59:59Z", "sun 01:59"],
  ["America/New_York", "2025-03-09T07:00:00Z", "sun 03:00"],
  ["America/New_York", "2025-11-02T05:59:59Z", "sun 01:59"],
  ["America/New_York", "2025-11-02T06:00:00Z", "sun 01:00"],
  // Lord Howe shifts by half an hour.
  ["Australia/Lord_Howe", "2025-04-05T14:59:59Z", "sun 01:59"],
  ["Australia/Lord_Howe", "2025-04-05T15:00:00Z", "sun 01:30"],
  ["Australia/Lord_Howe", "2025-10-04T15:29:59Z", "sun 01:59"],
  ["Australia/Lord_Howe", "2025-10-04T15:30:00Z", "sun 02:30"],
];

for (const [zone, instant, wall] of shown) {
  test(`${instant} is ${wall} in ${zone}`, () => {
    assert.equal(wallClock(zone, instant), wall);
  });
}

test("the kept offset is the true one in every zone, minute by minute, with time going either way", () => {
  const zones = Intl.supportedValuesOf("timeZone").filter((_, index) => index % 20 === 0);
  assert.ok(zones.length > 15);
  const changes = ["2025-03-09T06:50:00Z", "2025-03-30T00:50:00Z", "2025-10-26T00:50:00Z"].map(Date.parse);
  for (const timeZone of [...zones, "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]) {
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    for (const start of changes) {
      for (const offset of [0, 5, 9, 10, 11, 25, 9, 40, 0]) {
        const instant = start + offset * 60_000;
        const expected = format.format(instant).replace(",", "").toLowerCase();
        assert.equal(wallClock(timeZone, new Date(instant).toISOString()), expected, timeZone);
      }
    }
  }
});

test("a window begins with its start and ends before its end, in the zone's own time", () => {
  const url = "https://example.com/";
  const rules = compileRules([scheduleRule(["mon", "fri"], "09:00", "17:30", url)]);
  const open = (instant: string) =>
    matchRules(
      rules,
      { device: () => "desktop", country: () => null, minuteOfWeek },
      "Europe/Berlin",
      Date.parse(instant),
    ) !== null;
  // Monday, winter time.
  assert.equal(open("2025-01-06T07:59:59.999Z"), false);
  assert.equal(open("2025-01-06T08:00:00Z"), true);
  assert.equal(open("2025-01-06T16:29:59.999Z"), true);
  assert.equal(open("2025-01-06T16:30:00Z"), false);
  // Friday, summer time.
  assert.equal(open("2025-07-04T06:59:59Z"), false);
  assert.equal(open("2025-07-04T07:00:00Z"), true);
  // Tuesday.
  assert.equal(open("2025-07-08T10:00:00Z"), false);
});

test("time zones are IANA names", () => {
  for (const name of [
    "UTC",
    "Europe/Berlin",
    "Asia/Kolkata",
    "America/Argentina/Buenos_Aires",
    "Etc/GMT+5",
  ]) {
    assert.equal(isTimezone(name), true, name);
  }
  for (const name of ["", "Europe/Bern1", "Mars/Base", "+01:00", "-0300", "Europe/Berlin ", "CEST"]) {
    assert.equal(isTimezone(name), false, name);
  }
});
