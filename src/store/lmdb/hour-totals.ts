/**
 * How many scans there were in which hour, of people and of robots, and nothing else of them: some days of a link, a
 * project or an account in one entry.
 *
 * Trends and rankings of codes ask for no more, and hour by hour a month of it would be 720 entries. What is here changes
 * in the transaction that changes hours and days, and says what both together say: when hours become days it stays as
 * it is.
 *
 * Rejected: all hours of a day in one entry, whole. A month of those is read in a fifth of the time that its hours take,
 * of these in less than a tenth; and a save would have to parse and write a whole day for a scan, which takes four times as
 * long as one hour. Here a save changes the end of a text, mostly.
 *
 * Databases of earlier versions have hours and days alone. What an owner has in those is added up when something is
 * saved of it for the first time; until then it is read from there. So an owner has all of its totals here, or none.
 */
import { beginOf, idOfTime } from "../../domain/analytics/link-scans.ts";
import { type AddTotals, addTotalsOfDay, addTotalsOfHour } from "../../domain/analytics/tally.ts";
import { dayMs, hourMs } from "../../domain/analytics/zone.ts";
import type { ScanDayDoc, ScanHourDoc } from "../../domain/documents.ts";
import type { Millis } from "../../runtime/clock.ts";
import { assertVersion, documentVersion } from "../document-version.ts";
import type { AddTotalsAt, TimeStretch } from "../store.ts";
import type { Texts } from "./environment.ts";
import { usableId } from "./lmdb-index.ts";
import type { Step } from "./loop-share.ts";
import type { ScanTimes } from "./scan-times.ts";

/** What an entry covers: more makes reading a month no faster, and every save longer. */
const entryMs = 8 * dayMs;
const ever: TimeStretch = { from: 0, to: Number.MAX_SAFE_INTEGER };

export interface StoredTimes {
  readonly hours: ScanTimes<ScanHourDoc>;
  readonly days: ScanTimes<ScanDayDoc>;
}

export class HourTotals {
  readonly #entries: Texts;
  readonly #times: StoredTimes;

  constructor(entries: Texts, times: StoredTimes) {
    this.#entries = entries;
    this.#times = times;
  }

  /**
   * Tells `add` of all hours of the stretch, step by step. Every entry that there may be is asked for: for the few of a
   * month that takes a third less than a cursor, and leaves less garbage.
   */
  reading(owners: readonly string[], stretch: TimeStretch, add: AddTotalsAt): Step {
    const { from, to } = stretch;
    const begins: Millis[] = [];
    for (let begin = begunBefore(from); begin < to; begin += entryMs) begins.push(begin);
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
        if (!isFound && usableId(of) && !this.#has(of)) {
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

  /** Called inside a transaction, before the hours and days change. */
  changing(): ChangingTotals {
    return new ChangingTotals(this.#entries, (of, add) => {
      if (!this.#has(of)) this.#readingTimes(of, ever, add)(Number.POSITIVE_INFINITY);
    });
  }

  /** Called inside a transaction. The days are not kept any more. */
  forget(dayIds: readonly string[]): void {
    const days = new Set(dayIds);
    const entries = new Set(dayIds.map((id) => entryId(ownerOf(id), beginOf({ id }))));
    for (const id of entries) {
      const text = this.#entries.get(id);
      if (text === undefined) continue;
      let left = emptyEntry;
      addTotals(id, beginOf({ id }), text, (hour, people, robots) => {
        const day = idOfTime(ownerOf(id), hour - (hour % dayMs));
        if (!days.has(day)) left += scansOf(hourOf(hour), people, robots);
      });
      if (left === emptyEntry) this.#entries.remove(id);
      else this.#entries.put(id, left);
    }
  }

  #has(of: string): boolean {
    // What sorts right behind a slash is the end of the owner's entries.
    return [...this.#entries.getKeys({ start: `${of}/`, end: `${of}0`, limit: 1 })].length > 0;
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

/** People and robots by the hour of an entry. */
type Scans = Map<number, readonly [people: number, robots: number]>;

/** Entries while scans are added to them, within a transaction. */
export class ChangingTotals {
  readonly #entries: Texts;
  readonly #addStored: (of: string, add: AddTotals) => void;
  readonly #changed = new Map<string, { text: string; more: Scans }>();
  readonly #owners = new Set<string>();

  /** `addStored` tells of what is stored elsewhere of an owner who has nothing here. */
  constructor(entries: Texts, addStored: (of: string, add: AddTotals) => void) {
    this.#entries = entries;
    this.#addStored = addStored;
  }

  /** Numbers below zero take away. */
  add(of: string, hour: Millis, people: number, robots: number): void {
    const { more } = this.#entry(of, entryId(of, hour));
    addScans(more, hourOf(hour), people, robots);
  }

  put(): void {
    for (const [id, { text, more }] of this.#changed) this.#entries.put(id, withScans(id, text, more));
  }

  #entry(of: string, id: string): { more: Scans } {
    const known = this.#changed.get(id);
    if (known !== undefined) return known;
    const text = this.#entries.get(id);
    const entry = { text: text ?? emptyEntry, more: new Map() };
    this.#changed.set(id, entry);
    if (text === undefined && !this.#owners.has(of)) {
      this.#owners.add(of);
      this.#addStored(of, (...totals) => this.add(of, ...totals));
    }
    return entry;
  }
}

function addScans(scans: Scans, hour: number, people: number, robots: number): void {
  const [morePeople, moreRobots] = scans.get(hour) ?? nobody;
  scans.set(hour, [people + morePeople, robots + moreRobots]);
}

const nobody = [0, 0] as const;

/** An entry is the version, then three numbers for each hour in order: which one of the entry, people, robots. */
const emptyEntry = String.fromCharCode(documentVersion);

function scansOf(hour: number, people: number, robots: number): string {
  return `,${hour},${people},${robots}`;
}

function entryId(of: string, hour: Millis): string {
  return idOfTime(of, begunBefore(hour));
}

function begunBefore(at: Millis): Millis {
  return at - (at % entryMs);
}

/** Which hour of its entry. */
function hourOf(hour: Millis): number {
  return Math.floor((hour % entryMs) / hourMs);
}

/** Of an hour, a day or an entry of totals. */
export function ownerOf(id: string): string {
  return id.slice(0, id.lastIndexOf("/"));
}

const comma = 0x2c;
const zero = 0x30;

function addTotals(id: string, begin: Millis, text: string, add: AddTotals): void {
  assertVersion("scan_totals", id, text.charCodeAt(0));
  if (text === emptyEntry) return;
  let hour = 0;
  let people = 0;
  let number = 0;
  let field = 0;
  for (let at = 2; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (letter !== comma) {
      number = number * 10 + letter - zero;
      continue;
    }
    if (field === 0) hour = number;
    else if (field === 1) people = number;
    else add(begin + hour * hourMs, people, number);
    field = field === 2 ? 0 : field + 1;
    number = 0;
  }
  add(begin + hour * hourMs, people, number);
}

/** Nearly all scans are of the last hour that there is, or of later ones. */
function withScans(id: string, text: string, more: Scans): string {
  const beforeRobots = text.lastIndexOf(",");
  const beforePeople = text.lastIndexOf(",", beforeRobots - 1);
  const end = text.lastIndexOf(",", beforePeople - 1);
  const lastHour = end < 0 ? -1 : Number(text.slice(end + 1, beforePeople));
  const first = Math.min(...more.keys());
  if (first > lastHour) return text + textOf(more);
  const all: Scans = new Map();
  if (first === lastHour) {
    addScans(
      all,
      lastHour,
      Number(text.slice(beforePeople + 1, beforeRobots)),
      Number(text.slice(beforeRobots + 1)),
    );
  } else {
    addTotals(id, 0, text, (hour, ...scans) => addScans(all, hour / hourMs, ...scans));
  }
  for (const [hour, scans] of more) addScans(all, hour, ...scans);
  return (first === lastHour ? text.slice(0, end) : emptyEntry) + textOf(all);
}

function textOf(scans: Scans): string {
  const inOrder = [...scans].sort(([a], [b]) => a - b);
  return inOrder.map(([hour, [people, robots]]) => scansOf(hour, people, robots)).join("");
}
