/**
 * The five views of scans. Each is added up from the same hours and days, a few at a time, so their totals are one.
 */
import type { ScanDayDoc, ScanHourDoc, Tally, Weekday } from "../documents.ts";
import { type Buckets, bucketsOf } from "./buckets.ts";
import type { AnalyticsQuery, Robots } from "./range.ts";
import { hourMs, zoneOf } from "./zone.ts";

export const viewNames = ["trend", "countries", "devices", "referrers", "hours"] as const;
export type ViewName = (typeof viewNames)[number];

/** A view while it is added up. */
export interface View<Item> {
  addHour(hour: ScanHourDoc): void;
  addDay(day: ScanDayDoc): void;
  /** Whether totals are all that it looks at. */
  readonly totalsSuffice: boolean;
  total: number;
  items(): Item[];
}

export interface TrendItem {
  start: number;
  scans: number;
}

export interface RankingItem {
  key: string;
  scans: number;
}

export interface HoursItem {
  weekday: Weekday;
  hour: number;
  scans: number;
}

/** What lies beyond the limit of a ranking. */
export const rest = "other";

export function trend({ range, interval, timezone, robots }: AnalyticsQuery): View<TrendItem> {
  const { starts, indexOf }: Buckets = bucketsOf(range, interval, zoneOf(timezone));
  const scans = new Float64Array(starts.length);
  return byHour(
    robots,
    (hour, count) => {
      scans[indexOf(hour)]! += count;
    },
    () => starts.map((start, index) => ({ start, scans: scans[index]! })),
  );
}

/** How many there are, and no more. */
export function totals({ robots }: AnalyticsQuery): View<never> {
  return byHour(
    robots,
    () => {},
    () => [],
  );
}

const weekdays: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export function hoursOfWeek({ timezone, robots }: AnalyticsQuery): View<HoursItem> {
  const zone = zoneOf(timezone);
  const scans = new Float64Array(7 * 24);
  return byHour(
    robots,
    (hour, count) => {
      scans[zone.hourOfWeek(hour)]! += count;
    },
    () =>
      Array.from(scans, (count, index) => ({
        weekday: weekdays[Math.floor(index / 24)]!,
        hour: index % 24,
        scans: count,
      })),
  );
}

export function ranking(
  field: "countries" | "devices" | "referrers",
  { robots, limit }: AnalyticsQuery,
): View<RankingItem> {
  const sums = new Map<string, number>();
  const add = (doc: ScanHourDoc | ScanDayDoc): void => {
    for (const tally of asked(doc, robots)) {
      view.total += tally.total;
      for (const key in tally[field]) sums.set(key, (sums.get(key) ?? 0) + tally[field][key]!);
    }
  };
  const view = {
    addHour: add,
    addDay: add,
    totalsSuffice: false,
    total: 0,
    items: () => ranked(sums, limit),
  };
  return view;
}

/** Most first; those of the same number by name. */
function ranked(sums: ReadonlyMap<string, number>, limit: number): RankingItem[] {
  const named = [...sums].filter(([key]) => key !== rest);
  named.sort(([a, scansA], [b, scansB]) => scansB - scansA || (a < b ? -1 : 1));
  const items = named.slice(0, limit).map(([key, scans]) => ({ key, scans }));
  const others = named.slice(limit).reduce((sum, [, scans]) => sum + scans, sums.get(rest) ?? 0);
  return others === 0 ? items : [...items, { key: rest, scans: others }];
}

function byHour<Item>(
  robots: Robots,
  count: (hour: number, scans: number) => void,
  items: () => Item[],
): View<Item> {
  const view: View<Item> = {
    totalsSuffice: true,
    total: 0,
    items,
    addHour(doc) {
      const hour = beginOf(doc);
      for (const { total } of asked(doc, robots)) {
        view.total += total;
        count(hour, total);
      }
    },
    addDay(doc) {
      const day = beginOf(doc);
      for (const { hours } of asked(doc, robots)) {
        for (let hour = 0; hour < hours.length; hour++) {
          const scans = hours[hour]!;
          if (scans === 0) continue;
          view.total += scans;
          count(day + hour * hourMs, scans);
        }
      }
    },
  };
  return view;
}

/** When the hour or the day of a document began. */
export function beginOf({ id }: { id: string }): number {
  return Number(id.slice(id.lastIndexOf("/") + 1));
}

function asked<T extends Tally>(doc: { people: T | null; robots: T | null }, robots: Robots): T[] {
  const found: T[] = [];
  if (robots !== "only" && doc.people !== null) found.push(doc.people);
  if (robots !== "exclude" && doc.robots !== null) found.push(doc.robots);
  return found;
}
