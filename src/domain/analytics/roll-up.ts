/** Hours that are too old to be kept one by one become a day. */
import type { DayTally, ScanDayDoc, ScanHourDoc, Tally } from "../documents.ts";
import { addTally, idOfTime } from "./link-scans.ts";
import { beginOf } from "./views.ts";
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
