/**
 * An entry of totals as text: the version, how many people and robots there were before all of it, then three numbers for
 * each hour in order: which one of the entry, people, robots. A save changes its end, mostly.
 */
import { idOfTime } from "../../../domain/analytics/link-scans.ts";
import type { AddTotals } from "../../../domain/analytics/tally.ts";
import { dayMs, hourMs } from "../../../domain/analytics/zone.ts";
import type { Millis } from "../../../runtime/clock.ts";
import { assertVersion, documentVersion } from "../../document-version.ts";

/** What an entry covers: more makes reading a month no faster, and every save longer. */
export const entryMs = 8 * dayMs;

export function begunBefore(at: Millis): Millis {
  return at - (at % entryMs);
}

/** Which hour of its entry. */
export function hourOf(hour: Millis): number {
  return Math.floor((hour % entryMs) / hourMs);
}

export function entryId(of: string, hour: Millis): string {
  return idOfTime(of, begunBefore(hour));
}

export interface Sum {
  people: number;
  robots: number;
}

/** People and robots by the hour of an entry. */
export type Scans = Map<number, readonly [people: number, robots: number]>;

const version = String.fromCharCode(documentVersion);
const comma = 0x2c;
const zero = 0x30;

export function emptyEntry({ people, robots }: Sum): string {
  return `${version}${people},${robots}`;
}

/** The same hours behind another number of earlier scans. */
export function behind(before: Sum, text: string): string {
  return emptyEntry(before) + text.slice(endOfBefore(text));
}

function endOfBefore(text: string): number {
  const end = text.indexOf(",", text.indexOf(",") + 1);
  return end < 0 ? text.length : end;
}

/** All scans before the entry, and those of its hours that are before the given one; into `sum`. */
export function sumUntil(id: string, text: string, end: number, sum: Sum): void {
  assertVersion("scan_totals", id, text.charCodeAt(0));
  let at = 1;
  let robots = 0;
  let people = 0;
  // Which hour, people, robots; of what is before the entry only the last two.
  let hour = -1;
  let field = 1;
  let number = 0;
  for (; at <= text.length; at++) {
    const letter = at === text.length ? comma : text.charCodeAt(at);
    if (letter !== comma) {
      number = number * 10 + letter - zero;
      continue;
    }
    if (field === 0) {
      hour = number;
      if (hour >= end) break;
    } else if (field === 1) people += number;
    else robots += number;
    field = field === 2 ? 0 : field + 1;
    number = 0;
  }
  sum.people = people;
  sum.robots = robots;
}

/** `begin` is when the entry begins. */
export function addTotals(id: string, begin: Millis, text: string, add: AddTotals): void {
  assertVersion("scan_totals", id, text.charCodeAt(0));
  let hour = 0;
  let people = 0;
  let number = 0;
  let field = 0;
  for (let at = endOfBefore(text) + 1; at <= text.length; at++) {
    const letter = at === text.length ? comma : text.charCodeAt(at);
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
}

export function addScans(scans: Scans, hour: number, people: number, robots: number): void {
  const [morePeople, moreRobots] = scans.get(hour) ?? nobody;
  scans.set(hour, [people + morePeople, robots + moreRobots]);
}

const nobody = [0, 0] as const;

/** Nearly all scans are of the last hour that there is, or of later ones. */
export function withScans(id: string, text: string, more: Scans): string {
  const beforeRobots = text.lastIndexOf(",");
  const beforePeople = text.lastIndexOf(",", beforeRobots - 1);
  const end = beforePeople <= 0 ? -1 : text.lastIndexOf(",", beforePeople - 1);
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
  return text.slice(0, first === lastHour ? end : endOfBefore(text)) + textOf(all);
}

function textOf(scans: Scans): string {
  const inOrder = [...scans].sort(([a], [b]) => a - b);
  return inOrder.map(([hour, [people, robots]]) => `,${hour},${people},${robots}`).join("");
}
