/** Days, hours and weeks by the clock of the account, in the reader's language. */
import type { Interval } from "../api/analytics.ts";
import { toWall, zone } from "./time.ts";

/** A day without a zone, as `2026-03-01`. */
export type Day = string;

export function today(now = Date.now()): Day {
  return toWall(now).slice(0, 10);
}

const dayMs = 86_400_000;

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** From the first to the last, both counted. */
export function daysBetween(first: Day, last: Day): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1;
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function shown(moment: number, options: Intl.DateTimeFormatOptions, timeZone = zone.value): string {
  const key = JSON.stringify([options, timeZone]);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(undefined, { ...options, timeZone });
    formats.set(key, format);
  }
  return format.format(moment);
}

/** Both days, without saying twice what they have in common. */
export function daySpan(first: Day, last: Day): string {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
  return format.formatRange(Date.parse(first), Date.parse(last));
}

export function timeSpan(start: string, end: string): string {
  const format = new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: zone.value,
  });
  return format.formatRange(Date.parse(start), Date.parse(end));
}

export function dayName(day: Day): string {
  return shown(Date.parse(day), { day: "numeric", month: "short", year: "numeric" }, "UTC");
}

/** What a point of a trend stands for: whole, for a table or beside the pointer. */
export function pointName(start: string, interval: Interval): string {
  const at = Date.parse(start);
  switch (interval) {
    case "hour":
      return shown(at, {
        weekday: "short",
        day: "numeric",
        month: "short",
        hour: "numeric",
        minute: "2-digit",
      });
    case "day":
      return shown(at, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
    case "week":
      return `Week from ${shown(at, { day: "numeric", month: "short", year: "numeric" })}`;
    case "month":
      return shown(at, { month: "long", year: "numeric" });
  }
}

/** The same below an axis, where there is little room. */
export function pointMark(start: string, interval: Interval, isWithinDay: boolean): string {
  const at = Date.parse(start);
  if (interval === "month") return shown(at, { month: "short", year: "2-digit" });
  if (interval === "hour" && isWithinDay) return shown(at, { hour: "numeric", minute: "2-digit" });
  return shown(at, { day: "numeric", month: "short" });
}

/** 1 January 2024 was a Monday. */
const monday = Date.UTC(2024, 0, 1);

/** 0 is Monday. */
export function weekdayName(weekday: number, length: "short" | "long"): string {
  return shown(monday + weekday * dayMs, { weekday: length }, "UTC");
}

export function hourName(hour: number): string {
  return shown(monday + hour * 3_600_000, { hour: "numeric" }, "UTC");
}

export function hourSpan(hour: number): string {
  const time = (each: number) =>
    shown(monday + each * 3_600_000, { hour: "numeric", minute: "2-digit" }, "UTC");
  return `${time(hour)} – ${time((hour + 1) % 24)}`;
}
