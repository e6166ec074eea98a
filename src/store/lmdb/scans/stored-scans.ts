/**
 * Counts, hours and days of scans in LMDB. What writes is called inside a transaction.
 *
 * Hours lie by whose they are, then by time, so that a view reads one run of entries. Clearing away goes from one owner
 * of hours to the next and looks at the oldest hour of each. Rejected: an index by time, which would be written with
 * every hour and read once in its life.
 */
import {
  added,
  ChangedHours,
  idOfTime,
  keptUnder,
  type LinkScans,
} from "../../../domain/analytics/link-scans.ts";
import { dayIdOf, withHour } from "../../../domain/analytics/roll-up.ts";
import { type AddTotals, addTotalsOfDay, addTotalsOfHour, scansIn } from "../../../domain/analytics/tally.ts";
import type { ScanCount, ScanDayDoc, ScanHourDoc } from "../../../domain/documents.ts";
import { clearedHoursMax, clearedOwnersMax } from "../../../limits.ts";
import type { AdoptedScans, KeptSince } from "../../store.ts";
import type { Environment, Texts } from "../environment.ts";
import { usableId } from "../lmdb-index.ts";
import type { ChangingTotals } from "./changing-totals.ts";
import { HourTotals, ownerOf } from "./hour-totals.ts";
import { ScanTimes } from "./scan-times.ts";

/** A slice of what is to be cleared away. */
export interface ClearedSlice {
  hours: readonly string[];
  days: readonly string[];
  readonly isThere: boolean;
  /** Whose hours they are. */
  of: readonly string[];
  next: string | null;
}

/** Where a clearing goes on: among hours first, then among days. */
const amongHours = "hours ";
const amongDays = "days ";

export class StoredScans {
  readonly hours: ScanTimes<ScanHourDoc>;
  readonly days: ScanTimes<ScanDayDoc>;
  readonly totals: HourTotals;
  readonly #counts: Texts;

  constructor({ scanCounts, scanHours, scanDays, scanTotals, layout }: Environment) {
    this.#counts = scanCounts;
    this.hours = new ScanTimes(scanHours, "scan_hours");
    this.days = new ScanTimes(scanDays, "scan_days");
    this.totals = new HourTotals(scanTotals, layout, this);
  }

  count(slug: string): number {
    return Number(usableId(slug) ? (this.#counts.get(slug) ?? 0) : 0);
  }

  save(scans: readonly LinkScans[]): void {
    const changed = new ChangedHours((id) => this.hours.get(id));
    const totals = this.totals.changing();
    for (const link of scans) {
      const stored = this.count(link.slug);
      if (link.count <= stored) continue;
      this.#putCount(link.slug, link.count);
      const seen = added(link, stored);
      if (stored === 0) totals.uncounted(link.slug);
      for (const of of keptUnder(link)) {
        changed.add(of, seen);
        for (const { hour, isRobot, scans } of seen)
          totals.add(of, hour, isRobot ? 0 : scans, isRobot ? scans : 0);
      }
    }
    totals.put();
    for (const hour of changed.all()) this.hours.put(hour);
  }

  walkCounts(after: string | null, limit: number): ScanCount[] {
    const begin = after === null ? {} : { start: after, exclusiveStart: true };
    const entries = Array.from(this.#counts.getRange({ ...begin, limit }));
    return entries.map(({ key, value }) => ({ slug: key, count: Number(value) }));
  }

  adopt({ counts = [], hours = [], days = [] }: AdoptedScans): void {
    for (const { slug, count } of counts) {
      if (count > this.count(slug) || !this.#counts.doesExist(slug)) this.#putCount(slug, count);
    }
    const totals = this.totals.changing();
    const newHours = hours.filter((hour) => isMore(this.hours, hour, addTotalsOfHour, totals));
    const newDays = days.filter((day) => isMore(this.days, day, addTotalsOfDay, totals));
    if (newHours.length + newDays.length > 0) totals.takenOver();
    totals.put();
    for (const hour of newHours) this.hours.put(hour);
    for (const day of newDays) this.days.put(day);
  }

  #putCount(slug: string, count: number): void {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`scan count ${count} of ${slug}`);
    this.#counts.put(slug, String(count));
  }

  /** Reads alone: most slices find nothing, and need no transaction. */
  nextToClear(since: KeptSince, from: string | null): ClearedSlice {
    if (from === null || from.startsWith(amongHours)) {
      const { found, next } = oldest(this.hours, since.hours, from?.slice(amongHours.length) ?? null);
      return slice(found, [], next === null ? amongDays : amongHours + next);
    }
    const { found, next } = oldest(this.days, since.days, from.slice(amongDays.length) || null);
    return slice([], found, next === null ? null : amongDays + next);
  }

  clear({ hours, days }: ClearedSlice): void {
    const changed = new Map<string, ScanDayDoc>();
    for (const id of hours) {
      const hour = this.hours.get(id);
      if (hour === null) continue;
      const dayId = dayIdOf(hour);
      changed.set(dayId, withHour(changed.get(dayId) ?? this.days.get(dayId), hour));
      this.hours.remove(id);
    }
    for (const day of changed.values()) this.days.put(day);
    for (const id of days) this.days.remove(id);
    this.totals.forget(days);
  }
}

function slice(hours: readonly string[], days: readonly string[], next: string | null): ClearedSlice {
  const of = [...new Set(hours.map(ownerOf))];
  return { hours, days, isThere: hours.length + days.length > 0, of, next };
}

/** Whether there are more scans in it than in what is stored; then they are in the totals in its place. */
function isMore<Doc extends ScanHourDoc | ScanDayDoc>(
  times: ScanTimes<Doc>,
  doc: Doc,
  addTotals: (doc: Doc, add: AddTotals) => void,
  totals: ChangingTotals,
): boolean {
  const stored = times.get(doc.id);
  if (stored !== null && scansIn(doc) <= scansIn(stored)) return false;
  const of = ownerOf(doc.id);
  if (stored !== null) addTotals(stored, (hour, people, robots) => totals.add(of, hour, -people, -robots));
  addTotals(doc, (...each) => totals.add(of, ...each));
  return true;
}

/** Some entries from before `since`, of the next owners behind the given one. */
function oldest(
  times: ScanTimes<ScanHourDoc> | ScanTimes<ScanDayDoc>,
  since: number,
  after: string | null,
): { found: string[]; next: string | null } {
  const found: string[] = [];
  let last = after;
  for (let owners = 0; owners < clearedOwnersMax; owners++) {
    const of = times.nextOwner(last);
    if (of === null) return { found, next: null };
    found.push(...times.ids(of, idOfTime(of, since), clearedHoursMax - found.length));
    // The owner may have more: it is looked at again.
    if (found.length >= clearedHoursMax) return { found, next: last ?? "" };
    last = of;
  }
  return { found, next: last };
}
