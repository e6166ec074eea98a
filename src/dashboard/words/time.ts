/** Moments as people read them: in their own language, by the clock of the account. */
import { signal } from "@preact/signals";

/** IANA name of the zone in which times are shown and taken. */
export const zone = signal("UTC");

const formats = new Map<string, Intl.DateTimeFormat>();

function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone.value}`;
  let made = formats.get(key);
  if (made === undefined) {
    made = new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone.value });
    formats.set(key, made);
  }
  return made;
}

export function day(moment: string | number): string {
  return format("day", { dateStyle: "medium" }).format(new Date(moment));
}

export function dayAndTime(moment: string | number): string {
  return format("time", { dateStyle: "medium", timeStyle: "short" }).format(new Date(moment));
}

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "3 days ago", "in 2 hours". */
export function fromNow(moment: string | number, now = Date.now()): string {
  const distance = new Date(moment).getTime() - now;
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  for (const [unit, ms] of steps) {
    if (Math.abs(distance) >= ms) return relative.format(Math.trunc(distance / ms), unit);
  }
  return "just now";
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Kept: making one takes longer than all that is read off it for a screen. */
function clockOf(timezone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat("en-US-u-ca-gregory", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    clocks.set(timezone, clock);
  }
  return clock;
}

/** How far the clock of a zone is ahead of UTC at a moment. */
function offsetMs(timezone: string, moment: number): number {
  const parts = clockOf(timezone).formatToParts(moment);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - Math.floor(moment / 1000) * 1000;
}

/** A moment as `<input type="datetime-local">` wants it, on the clock of the zone. */
export function toWall(moment: string | number, timezone = zone.value): string {
  const at = new Date(moment).getTime();
  return new Date(at + offsetMs(timezone, at)).toISOString().slice(0, 16);
}

/**
 * The moment at which the zone's clock shows this. Of the two moments of an hour that a clock shows twice, the first;
 * a time that it leaves out is read with the offset from before.
 */
export function fromWall(wall: string, timezone = zone.value): number {
  const asUtc = Date.parse(`${wall}Z`);
  const dayMs = 86_400_000;
  const guesses = [asUtc - dayMs, asUtc + dayMs].map((near) => asUtc - offsetMs(timezone, near));
  const right = guesses.filter((moment) => moment + offsetMs(timezone, moment) === asUtc);
  return right.length > 0 ? Math.min(...right) : guesses[0]!;
}
