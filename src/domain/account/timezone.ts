/**
 * Which names are time zones, and how far their clocks are from UTC. Intl knows all zones and their daylight saving, but
 * takes microseconds to answer: whoever asks often remembers.
 */
import { knownZonesMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { Millis } from "../../runtime/clock.ts";

const minuteMs = 60_000;

/**
 * Whether this is a time zone of the IANA database. Intl would also take bare offsets such as `+01:00`:
 * they know no daylight saving and are hardly ever what an account means, so a name must start with a letter.
 */
export function isTimezone(name: string): boolean {
  return known.get(name) === true || isFound(name);
}

/** Those that were found; what is none can be anything and is not kept. */
const known = new BoundedMap<string, true>(knownZonesMax);

function isFound(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return false;
  }
  known.set(name, true);
  return true;
}

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
