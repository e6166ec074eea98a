/**
 * What an analytics call asks for: the stretch of time, whose clock, which scans.
 *
 * Scans are kept by the hour, UTC, and later by the day. So that all views of a range have one total, the range itself
 * is brought to whole hours, or whole days where it is old, and the answer says what it became: every hour that a range
 * touches is in it.
 */

import {
  analyticsDaysDefault,
  daysKeptDays,
  hoursKeptDays,
  rankingDefault,
  rankingMax,
} from "../../limits.ts";
import type { Millis } from "../../runtime/clock.ts";
import { isTimezone } from "../account/timezone.ts";
import { invalidField } from "../errors.ts";
import { parseTimestamp } from "../timestamps.ts";
import { dayMs, hourMs, type Zone, zoneOf } from "./zone.ts";

export interface Range {
  /** Whole hours, UTC. */
  from: Millis;
  /** Exclusive. */
  to: Millis;
}

export const intervals = ["hour", "day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

export const robotChoices = ["exclude", "include", "only"] as const;
export type Robots = (typeof robotChoices)[number];

export interface AnalyticsQuery {
  range: Range;
  /** The range is not the one that was asked for: part of it is kept no more, or only by the day. */
  isCut: boolean;
  timezone: string;
  interval: Interval;
  robots: Robots;
  /** How many names a ranking has. */
  limit: number;
}

/** The range alone has to be allowed by the plan: `earliest` is asked once it is known. */
export interface Asked {
  query: AnalyticsQuery;
  /** As it was asked for, before anything was cut. */
  from: Millis;
}

export function readQuery(query: URLSearchParams, accountZone: string, days: number, now: Millis): Asked {
  const timezone = query.get("timezone") || accountZone;
  if (!isTimezone(timezone)) {
    throw invalidField("timezone", "must be the name of an IANA time zone (like Europe/Berlin)");
  }
  const interval = oneOf("interval", intervals, query.get("interval") || "day");
  const robots = oneOf("robots", robotChoices, query.get("robots") || "exclude");
  const limit = readLimit(query.get("limit"));
  const zone = zoneOf(timezone);
  const to = moment("to", query.get("to"), zone) ?? now + 1;
  const from = moment("from", query.get("from"), zone) ?? to - Math.min(days, analyticsDaysDefault) * dayMs;
  if (from >= to) throw invalidField("to", "must be later than from");
  const range = kept({ from: down(from, hourMs), to: up(to, hourMs) }, now);
  const isCut = range.from !== down(from, hourMs) || range.to !== up(to, hourMs);
  return { query: { range, isCut, timezone, interval, robots, limit }, from };
}

/** The first moment that a plan with so many days of analytics includes: whole days by the given clock. */
export function earliestOf(days: number, timezone: string, now: Millis): Millis {
  if (days >= daysKeptDays) return Number.NEGATIVE_INFINITY;
  const zone = zoneOf(timezone);
  return zone.startOfDay(zone.day(down(now, hourMs)) - days);
}

/** From when on scans are kept by the hour, and from when on at all: whole days, UTC. */
export function hoursKeptSince(now: Millis): Millis {
  return down(now - hoursKeptDays * dayMs, dayMs);
}

export function daysKeptSince(now: Millis): Millis {
  return down(now - daysKeptDays * dayMs, dayMs);
}

/** As much of a range as there can be anything of. */
function kept({ from, to }: Range, now: Millis): Range {
  const first = daysKeptSince(now);
  const byTheHour = hoursKeptSince(now);
  const wholeFrom = from < byTheHour ? down(from, dayMs) : from;
  const wholeTo = to < byTheHour ? up(to, dayMs) : to;
  return { from: Math.min(Math.max(wholeFrom, first), wholeTo), to: wholeTo };
}

function down(at: Millis, unit: Millis): Millis {
  return Math.floor(at / unit) * unit;
}

function up(at: Millis, unit: Millis): Millis {
  return Math.ceil(at / unit) * unit;
}

function oneOf<T extends string>(name: string, choices: readonly T[], given: string): T {
  const found = choices.find((choice) => choice === given);
  if (found === undefined) throw invalidField(name, `must be one of ${choices.join(", ")}`);
  return found;
}

function readLimit(given: string | null): number {
  if (given === null || given === "") return rankingDefault;
  const limit = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > rankingMax) {
    throw invalidField("limit", `must be a whole number from 1 to ${rankingMax}`);
  }
  return limit;
}

const dateAlone = /^\d{4}-\d\d-\d\d$/;

/** A date alone is the begin of that day by the clock of the zone. */
function moment(name: string, given: string | null, zone: Zone): Millis | null {
  if (given === null || given === "") return null;
  // In a query a plus sign that was not escaped is a space.
  if (!dateAlone.test(given)) return parseTimestamp(name, given.replace(" ", "+"));
  const day = parseTimestamp(name, `${given}T00:00:00Z`) / dayMs;
  return zone.startOfDay(day);
}
