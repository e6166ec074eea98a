/** Hours that are too old to be kept one by one become a day; what several members have of one hour becomes one. */
import type { DayTally, ScanDayDoc, ScanHourDoc, Tally } from "../documents.ts";
import { addTally, beginOf, idOfTime } from "./link-scans.ts";
import { dayMs, hourMs } from "./zone.ts";

/** The id of the day that an hour belongs to. */
export function dayIdOf({ id }: { id: string }): string {
  const begin = beginOf({ id });
  return idOfTime(id.slice(0, id.lastIndexOf("/")), begin - (begin % dayMs));
}

/** The day with the hour in it. Hours that come late are added to a day that is there already. */
export function withHour(day: ScanDayDoc | null, hour: ScanHourDoc): ScanDayDoc {
  const at = (beginOf(hour) % dayMs) / hourMs;
  return {
    id: dayIdOf(hour),
    people: together(day?.people ?? null, hour.people, at),
    robots: together(day?.robots ?? null, hour.robots, at),
  };
}

/** The scans of both, which are of the same hour. */
export function sumOfHours(one: ScanHourDoc, other: ScanHourDoc): ScanHourDoc {
  return {
    id: one.id,
    people: sumOfTallies(one.people, other.people),
    robots: sumOfTallies(one.robots, other.robots),
  };
}

function sumOfTallies(one: Tally | null, other: Tally | null): Tally | null {
  if (one === null || other === null) return one ?? other;
  const sum = structuredClone(one);
  addTally(sum, other);
  return sum;
}

function together(day: DayTally | null, hour: Tally | null, at: number): DayTally | null {
  if (hour === null) return day;
  const sum: DayTally = {
    total: day?.total ?? 0,
    hours: [...(day?.hours ?? new Array<number>(24).fill(0))],
    countries: { ...day?.countries },
    devices: { ...day?.devices },
    referrers: { ...day?.referrers },
  };
  sum.hours[at]! += hour.total;
  addTally(sum, hour);
  return sum;
}
