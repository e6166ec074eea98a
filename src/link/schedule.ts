/**
 * What a clock on the wall of a time zone shows, cheaply enough for every scan.
 *
 * Intl knows all zones and their daylight saving, but takes microseconds to answer. Every zone changes its
 * offset on a quarter of an hour, UTC, if at all. So Intl is asked once a quarter of an hour for a zone's
 * offset, and all scans in between only add it.
 */
import { clockFace, offsetMinutes } from "../domain/account/timezone.ts";
import { timezonesMax } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Millis } from "../runtime/clock.ts";

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

interface WallClock {
  face: Intl.DateTimeFormat;
  quarter: number;
  offsetMinutes: number;
}

const clocks = new BoundedMap<string, WallClock>(timezonesMax);

/** Minutes since Monday 00:00 in the zone, 0 to 10,079. */
export function minuteOfWeek(timezone: string, now: Millis): number {
  const quarter = Math.floor(now / quarterMs);
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    clock = { face: clockFace(timezone), quarter: -1, offsetMinutes: 0 };
    clocks.set(timezone, clock);
  }
  if (clock.quarter !== quarter) {
    clock.quarter = quarter;
    clock.offsetMinutes = offsetMinutes(clock.face, quarter * quarterMs);
  }
  // The epoch fell on a Thursday, three days into a week.
  const sinceMonday = Math.floor(now / minuteMs) + clock.offsetMinutes + 3 * dayMinutes;
  return ((sinceMonday % weekMinutes) + weekMinutes) % weekMinutes;
}
