/**
 * The five views of scans. Each is added up from the same hours and days, a few at a time, so their totals are one. Some
 * look at totals of hours alone, which a store has at hand without all the rest.
 */
import { type ScanDayDoc, type ScanHourDoc, type Tally, type Weekday, weekdays } from "../documents.ts";
import { type Buckets, bucketsOf } from "./buckets.ts";
import type { AnalyticsQuery, Robots } from "./range.ts";
import type { AddTotals } from "./tally.ts";
import { zoneOf } from "./zone.ts";

export const viewNames = ["trend", "countries", "devices", "referrers", "hours"] as const;
export type ViewName = (typeof viewNames)[number];

interface Adding<Item> {
  total: number;
  items(): Item[];
}

export interface ViewOfTotals<Item> extends Adding<Item> {
  readonly of: "totals";
  readonly add: AddTotals;
}

export interface ViewOfTallies<Item> extends Adding<Item> {
  readonly of: "tallies";
  add(doc: ScanHourDoc | ScanDayDoc): void;
}

/** A view while it is added up. */
export type View<Item> = ViewOfTotals<Item> | ViewOfTallies<Item>;

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

export function trend({ range, interval, timezone, robots }: AnalyticsQuery): ViewOfTotals<TrendItem> {
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

export function hoursOfWeek({ timezone, robots }: AnalyticsQuery): ViewOfTotals<HoursItem> {
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
): ViewOfTallies<RankingItem> {
  const sums = new Map<string, number>();
  const view: ViewOfTallies<RankingItem> = {
    of: "tallies",
    total: 0,
    items: () => ranked(sums, limit),
    add(doc) {
      for (const tally of tallies(doc, robots)) {
        view.total += tally.total;
        for (const key in tally[field]) sums.set(key, (sums.get(key) ?? 0) + tally[field][key]!);
      }
    },
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
  choice: Robots,
  count: (hour: number, scans: number) => void,
  items: () => Item[],
): ViewOfTotals<Item> {
  const view: ViewOfTotals<Item> = {
    of: "totals",
    total: 0,
    items,
    add(hour, people, robots) {
      const scans = chosen(choice, people, robots);
      if (scans === 0) return;
      view.total += scans;
      count(hour, scans);
    },
  };
  return view;
}

/** How many of the scans of an hour are asked for. */
export function chosen(choice: Robots, people: number, robots: number): number {
  return (choice === "only" ? 0 : people) + (choice === "exclude" ? 0 : robots);
}

function tallies(doc: ScanHourDoc | ScanDayDoc, robots: Robots): Tally[] {
  const found: Tally[] = [];
  if (robots !== "only" && doc.people !== null) found.push(doc.people);
  if (robots !== "exclude" && doc.robots !== null) found.push(doc.robots);
  return found;
}
