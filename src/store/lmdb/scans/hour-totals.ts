/**
 * How many scans there were in which hour, of people and of robots, and nothing else of them: some days of a link, a
 * project or an account in one entry, with the sum of all before it.
 *
 * Trends and rankings of codes ask for no more, and hour by hour a month of it would be 720 entries. The sum of a stretch
 * takes two of these, however long it is: what there was until its end, less what there was until its begin. What is here
 * changes in the transaction that changes hours and days, and says what both together say: when hours become days it
 * stays as it is.
 *
 * Rejected: all hours of a day in one entry, whole. A month of those is read in a fifth of the time that its hours take,
 * of these in less than a tenth; and a save would have to parse and write a whole day for a scan, which takes four times as
 * long as one hour. Here a save changes the end of a text, mostly. Also rejected: sums of longer times beside these
 * entries, which every save would have to change too. The sum of what was before is written once in eight days.
 *
 * Databases of earlier versions have hours and days alone. What an owner has in those is added up before something is
 * saved of it for the first time; until then it is read from there. So an owner has all of its totals here, or none.
 */
import { beginOf, idOfTime } from "../../../domain/analytics/link-scans.ts";
import { type AddTotals, addTotalsOfDay, addTotalsOfHour } from "../../../domain/analytics/tally.ts";
import { dayMs, hourMs } from "../../../domain/analytics/zone.ts";
import type { ScanDayDoc, ScanHourDoc } from "../../../domain/documents.ts";
import type { Millis } from "../../../runtime/clock.ts";
import type { AddTotalsAt, ScanSums, TimeStretch } from "../../store.ts";
import type { Texts } from "../environment.ts";
import { usableId } from "../lmdb-index.ts";
import type { Step } from "../loop-share.ts";
import { ChangingTotals, endOf, type TotalsInStore } from "./changing-totals.ts";
import type { ScanTimes } from "./scan-times.ts";
import {
  addScans,
  addTotals,
  begunBefore,
  emptyEntry,
  entryId,
  entryMs,
  hourOf,
  type Scans,
  type Sum,
  sumUntil,
  withScans,
} from "./totals-entry.ts";

const ever: TimeStretch = { from: 0, to: Number.MAX_SAFE_INTEGER };

export interface StoredTimes {
  readonly hours: ScanTimes<ScanHourDoc>;
  readonly days: ScanTimes<ScanDayDoc>;
}

export class HourTotals {
  readonly #entries: Texts;
  readonly #times: StoredTimes;
  readonly #stored: TotalsInStore;
  /** Used again by every sum. */
  readonly #sum: Sum = { people: 0, robots: 0 };

  constructor(entries: Texts, marks: Texts, times: StoredTimes) {
    this.#entries = entries;
    this.#times = times;
    this.#stored = {
      entries,
      marks,
      hasTotals: (of) => this.has(of),
      hasTimes: (of) => times.hours.has(of) || times.days.has(of),
    };
  }

  /**
   * Tells `add` of all hours of the stretch, step by step. Every entry that there may be is asked for: for the few of a
   * month that takes a third less than a cursor, and leaves less garbage.
   */
  reading(owners: readonly string[], stretch: TimeStretch, add: AddTotalsAt): Step {
    const { from, to } = stretch;
    const begins = begunIn(stretch);
    const endings = begins.map((begin) => idOfTime("", begin));
    let place = 0;
    let next = 0;
    let isFound = false;
    let elsewhere: Step | null = null;
    const addHere: AddTotals = (hour, people, robots) => {
      if (hour >= from && hour < to) add(place, hour, people, robots);
    };
    return (until) => {
      for (; place < owners.length; place++) {
        const of = owners[place]!;
        while (next < begins.length && usableId(of)) {
          const text = this.#entries.get(of + endings[next]);
          if (text !== undefined) {
            isFound = true;
            addTotals(of, begins[next]!, text, addHere);
          }
          next++;
          if (performance.now() >= until) return false;
        }
        if (!isFound && usableId(of) && !this.has(of)) {
          elsewhere ??= this.#readingTimes(of, stretch, addHere);
          if (!elsewhere(until)) return false;
        }
        next = 0;
        isFound = false;
        elsewhere = null;
      }
      return true;
    };
  }

  /** Adds up the stretch. An owner is read in one step, or a save in between could be in one of two entries alone. */
  summing(owners: readonly string[], stretch: TimeStretch, sums: ScanSums): Step {
    const { from, to } = stretch;
    const begins = begunIn(stretch);
    const endings = begins.map((begin) => idOfTime("", begin));
    let place = 0;
    let elsewhere: Step | null = null;
    const addHere: AddTotals = (hour, people, robots) => {
      if (hour < from || hour >= to) return;
      sums.people[place]! += people;
      sums.robots[place]! += robots;
    };
    const isHere = (of: string) =>
      !usableId(of) || this.#addSum(of, begins, endings, stretch, sums, place) || this.has(of);
    return (until) => {
      while (place < owners.length) {
        const of = owners[place]!;
        if (elsewhere !== null || !isHere(of)) {
          elsewhere ??= this.#readingTimes(of, stretch, addHere);
          if (!elsewhere(until)) return false;
          elsewhere = null;
        }
        place++;
        if (performance.now() >= until) break;
      }
      return place === owners.length;
    };
  }

  /** False when there is no entry in the stretch. */
  #addSum(
    of: string,
    begins: readonly Millis[],
    endings: readonly string[],
    { from, to }: TimeStretch,
    { people, robots }: ScanSums,
    place: number,
  ): boolean {
    const sum = this.#sum;
    let first = 0;
    let text: string | undefined;
    for (; first < begins.length; first++) {
      text = this.#entries.get(of + endings[first]);
      if (text !== undefined) break;
    }
    if (text === undefined) return false;
    sumUntil(of, text, (from - begins[first]!) / hourMs, sum);
    people[place]! -= sum.people;
    robots[place]! -= sum.robots;
    let last = begins.length - 1;
    for (; last > first; last--) {
      const later = this.#entries.get(of + endings[last]);
      if (later === undefined) continue;
      text = later;
      break;
    }
    sumUntil(of, text, (to - begins[last]!) / hourMs, sum);
    people[place]! += sum.people;
    robots[place]! += sum.robots;
    return true;
  }

  /** Called inside a transaction, before the hours and days change. */
  changing(): ChangingTotals {
    return new ChangingTotals(this.#stored);
  }

  /** Reads all that there is of an owner; `put` is called inside a transaction, when nothing of it changed meanwhile. */
  completing(of: string): { step: Step; put(): void } {
    const totals = new ChangingTotals({ ...this.#stored, hasTimes: () => false });
    // Even if there was not a scan, there is an entry then: it says that this has been done.
    totals.add(of, 0, 0, 0);
    const step = this.#readingTimes(of, ever, (...each) => totals.add(of, ...each));
    return { step, put: () => totals.put() };
  }

  /** Called inside a transaction. The days are not kept any more. */
  forget(dayIds: readonly string[]): void {
    const days = new Set(dayIds);
    const entries = new Set(dayIds.map((id) => entryId(ownerOf(id), beginOf({ id }))));
    for (const id of entries) {
      const text = this.#entries.get(id);
      if (text !== undefined) this.#forgetIn(id, text, days);
    }
  }

  #forgetIn(id: string, text: string, days: ReadonlySet<string>): void {
    const of = ownerOf(id);
    const before: Sum = { people: 0, robots: 0 };
    sumUntil(id, text, 0, before);
    const left: Scans = new Map();
    addTotals(id, beginOf({ id }), text, (hour, people, robots) => {
      if (!days.has(idOfTime(of, hour - (hour % dayMs)))) {
        addScans(left, hourOf(hour), people, robots);
        return;
      }
      // What all entries together say of a moment behind those days stays as it is.
      before.people += people;
      before.robots += robots;
    });
    if (left.size === 0) this.#entries.remove(id);
    else this.#entries.put(id, withScans(id, emptyEntry(before), left));
  }

  has(of: string): boolean {
    return [...this.#entries.getKeys({ start: `${of}/`, end: endOf(of), limit: 1 })].length > 0;
  }

  #readingTimes(of: string, stretch: TimeStretch, add: AddTotals): Step {
    const hours: ScanHourDoc[] = [];
    const days: ScanDayDoc[] = [];
    const readHours = this.#times.hours.reading(of, stretch, Number.MAX_SAFE_INTEGER, hours);
    const readDays = this.#times.days.reading(of, stretch, Number.MAX_SAFE_INTEGER, days);
    let hoursAreRead = false;
    return (until) => {
      hoursAreRead ||= readHours(until);
      if (!hoursAreRead || !readDays(until)) return false;
      for (const hour of hours) addTotalsOfHour(hour, add);
      for (const day of days) addTotalsOfDay(day, add);
      return true;
    };
  }
}

function begunIn({ from, to }: TimeStretch): Millis[] {
  const begins: Millis[] = [];
  for (let begin = begunBefore(from); begin < to; begin += entryMs) begins.push(begin);
  return begins;
}

/** Of an hour, a day or an entry of totals. */
export function ownerOf(id: string): string {
  return id.slice(0, id.lastIndexOf("/"));
}
