/**
 * How far the clocks of a time zone are from UTC. Intl knows all zones and their daylight saving, but takes
 * microseconds to answer: whoever asks often remembers.
 */
import type { Millis } from "../../runtime/clock.ts";

const minuteMs = 60_000;

/** A clock of the zone, to be read with `offsetMinutes`. */
export function clockFace(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
}

/** Minutes that the clock is ahead of UTC at a whole minute. */
export function offsetMinutes(clock: Intl.DateTimeFormat, at: Millis): number {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0 };
  for (const { type, value } of clock.formatToParts(at)) {
    if (type in shown) shown[type as keyof typeof shown] = Number(value);
  }
  const local = Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute);
  return Math.round((local - at) / minuteMs);
}
