/** The points of a trend: the hours, local days, weeks or months that a range consists of. */
import { trendPointsMax } from "../../limits.ts";
import type { Millis } from "../../runtime/clock.ts";
import { invalidField } from "../errors.ts";
import type { Interval, Range } from "./range.ts";
import { dayMs, hourMs, type Zone } from "./zone.ts";

export interface Buckets {
  /** Where each begins, in order; the first at the begin of the range. */
  readonly starts: readonly Millis[];
  /** Which of them an hour of the range belongs to. */
  indexOf(hour: Millis): number;
}

/** No bucket of the interval is shorter. */
const shortestMs: Record<Interval, Millis> = {
  hour: hourMs,
  day: dayMs - 2 * hourMs,
  week: 7 * dayMs - 2 * hourMs,
  month: 28 * dayMs - 2 * hourMs,
};

export function bucketsOf({ from, to }: Range, interval: Interval, zone: Zone): Buckets {
  if (to <= from) return { starts: [], indexOf: () => -1 };
  const length = to - from;
  // Looked at first, so that nobody can have millions of points made only to be refused.
  if (length / (2 * shortestMs[interval]) > trendPointsMax) throw tooMany();
  const buckets =
    interval === "hour" ? hours(from, length / hourMs) : calendar(from, to, zone, calendars[interval]);
  if (buckets.starts.length > trendPointsMax) throw tooMany();
  return buckets;
}

function tooMany(): Error {
  return invalidField(
    "interval",
    `is too short for this range: more than ${trendPointsMax} points. Take a longer one, or a shorter range`,
  );
}

function hours(from: Millis, count: number): Buckets {
  return {
    starts: Array.from({ length: count }, (_, index) => from + index * hourMs),
    indexOf: (hour) => (hour - from) / hourMs,
  };
}

/** A way to number stretches of local days. */
interface Calendar {
  numberOf(day: number): number;
  firstDayOf(number: number): number;
}

const calendars: Record<Exclude<Interval, "hour">, Calendar> = {
  day: { numberOf: (day) => day, firstDayOf: (number) => number },
  // From Monday. The epoch fell on a Thursday.
  week: { numberOf: (day) => Math.floor((day + 3) / 7), firstDayOf: (number) => number * 7 - 3 },
  month: { numberOf: monthOf, firstDayOf: (number) => Date.UTC(1970, number, 1) / dayMs },
};

function monthOf(day: number): number {
  const date = new Date(day * dayMs);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function calendar(from: Millis, to: Millis, zone: Zone, { numberOf, firstDayOf }: Calendar): Buckets {
  const first = numberOf(zone.day(from));
  const last = numberOf(zone.day(to - hourMs));
  const starts = [from];
  for (let number = first + 1; number <= last; number++) starts.push(zone.startOfDay(firstDayOf(number)));
  return { starts, indexOf: (hour) => numberOf(zone.day(hour)) - first };
}
