/** Which scans are looked at. It is in the address, so that it can be kept, shared and gone back to. */
import type { AnalyticsQuery, Interval, Robots } from "../../api/analytics.ts";
import { adjust, place } from "../../app/location.ts";
import { addDays, type Day, daySpan, daysBetween, isDay, today } from "../../words/calendar.ts";

/** Days up to now, today among them. */
export const presets = [
  ["1", "Today"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "12 months"],
] as const;

export interface Choice {
  /** One of the presets, or "own" with a first and a last day. */
  range: string;
  first: Day;
  last: Day;
  /** Empty: the one that suits the range. */
  interval: Interval | "";
  robots: Robots;
  /** Empty: all of the account. */
  project: string;
}

const rangeDefault = "30";
/** Whatever of it the plan includes. */
export const newest = rangeDefault;
const intervals: readonly Interval[] = ["hour", "day", "week", "month"];

/** `daysMax`: how many days back the plan goes. */
export function choiceOf(query: URLSearchParams, daysMax: number): Choice {
  const now = today();
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  const isOwn = isDay(from) && isDay(to) && from <= to;
  const offered = offeredPresets(daysMax).map(([days]) => days);
  const wanted = [query.get("range"), rangeDefault, offered.at(-1)];
  const range = wanted.find((days) => offered.includes(days ?? "")) ?? rangeDefault;
  return {
    range: isOwn ? "own" : range,
    first: isOwn ? from : addDays(now, 1 - Number(range)),
    last: isOwn ? to : now,
    interval: intervals.find((each) => each === query.get("interval")) ?? "",
    robots: (["include", "only"] as const).find((each) => each === query.get("robots")) ?? "exclude",
    project: query.get("project") ?? "",
  };
}

export function writeChoice({ range, first, last, interval, robots, project }: Choice): void {
  const query = {
    ...(range === "own" ? { from: first, to: last } : range !== rangeDefault && { range }),
    ...(interval !== "" && { interval }),
    ...(robots !== "exclude" && { robots }),
    ...(project !== "" && { project }),
  };
  adjust(place.peek().path, query);
}

/** Those that the plan includes. */
export function offeredPresets(daysMax: number): (readonly [days: string, words: string])[] {
  return presets.filter(([days]) => Number(days) <= Math.max(1, daysMax));
}

export function firstDayOf(daysMax: number): Day {
  return addDays(today(), -daysMax);
}

export function daysOf({ first, last }: Choice): number {
  return daysBetween(first, last);
}

/** What the service is asked; a range that goes on until now has no end. */
export function queryOf(choice: Choice): AnalyticsQuery {
  const { first, last, robots } = choice;
  return { from: first, ...(last < today() && { to: addDays(last, 1) }), robots };
}

/** Points that can be told apart, and that the service answers with. */
const pointsMax = 800;

export function offeredIntervals(days: number): Interval[] {
  const offered: Interval[] = [];
  if (days * 24 <= pointsMax) offered.push("hour");
  if (days > 1 && days <= pointsMax) offered.push("day");
  if (days >= 14) offered.push("week");
  if (days >= 60) offered.push("month");
  return offered;
}

export function intervalOf(choice: Choice): Interval {
  const days = daysOf(choice);
  const offered = offeredIntervals(days);
  const chosen = offered.find((each) => each === choice.interval);
  if (chosen !== undefined) return chosen;
  return days <= 2 ? "hour" : days <= 92 ? "day" : days <= 400 ? "week" : "month";
}

export function rangeWords({ first, last }: Choice): string {
  return daySpan(first, last);
}
