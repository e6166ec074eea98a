/** Scans added up. */
import type { Millis } from "../../runtime/clock.ts";
import type { Count, ScanDayDoc, ScanHourDoc, Tally } from "../documents.ts";
import { beginOf } from "./link-scans.ts";
import { hourMs } from "./zone.ts";

/** All scans of an hour or a day. */
export function scansIn({ people, robots }: { people: Tally | null; robots: Tally | null }): number {
  return (people?.total ?? 0) + (robots?.total ?? 0);
}

/** Is told how many scans there were in an hour. */
export type AddTotals = (hour: Millis, people: Count, robots: Count) => void;

export function addTotalsOfHour(hour: ScanHourDoc, add: AddTotals): void {
  add(beginOf(hour), hour.people?.total ?? 0, hour.robots?.total ?? 0);
}

export function addTotalsOfDay(day: ScanDayDoc, add: AddTotals): void {
  const begin = beginOf(day);
  for (let at = 0; at < 24; at++) {
    const people = day.people?.hours[at] ?? 0;
    const robots = day.robots?.hours[at] ?? 0;
    if (people + robots > 0) add(begin + at * hourMs, people, robots);
  }
}
