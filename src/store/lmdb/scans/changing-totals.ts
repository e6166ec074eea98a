/**
 * Entries of totals while scans are added to them, within a transaction.
 *
 * An entry says how many scans were before it, so whoever adds to one that is not the owner's last has to go through the
 * later ones. To look for those at every save would make it a tenth longer; so the begin of the latest entry that there is
 * of anybody is kept, and nothing comes after that one.
 */
import { beginOf, idOfTime } from "../../../domain/analytics/link-scans.ts";
import type { Millis } from "../../../runtime/clock.ts";
import type { Texts } from "../environment.ts";
import {
  addScans,
  begunBefore,
  behind,
  emptyEntry,
  hourOf,
  type Scans,
  type Sum,
  sumUntil,
  withScans,
} from "./totals-entry.ts";

/** Totals of somebody who has hours or days have never been added up: that has to be done first. */
export class TotalsMissing extends Error {
  override name = "TotalsMissing";
}

export interface TotalsInStore {
  readonly entries: Texts;
  /** Has the begin of the latest entry of all, and whether anything was taken over. */
  readonly marks: Texts;
  hasTotals(of: string): boolean;
  /** Whether there are hours or days of an owner. */
  hasTimes(of: string): boolean;
}

const latestMark = "latest_totals";
/** There once was something taken over: then owners can have totals of which nothing was counted. */
const takenOverMark = "totals_taken_over";

/** By the begin of their entry. */
type ScansByEntry = Map<Millis, Scans>;

export class ChangingTotals {
  readonly #stored: TotalsInStore;
  readonly #changes = new Map<string, ScansByEntry>();
  readonly #uncounted = new Set<string>();

  constructor(stored: TotalsInStore) {
    this.#stored = stored;
  }

  /**
   * No scan of this owner was counted before, so it has no hours and no days, unless they were taken over, and then with
   * totals. To look for all that could be there takes longer than all else in the first save of a link.
   */
  uncounted(of: string): void {
    this.#uncounted.add(of);
  }

  /** Some of this is not from scans that were counted here. */
  takenOver(): void {
    this.#stored.marks.put(takenOverMark, "1");
  }

  /** Numbers below zero take away. */
  add(of: string, hour: Millis, people: number, robots: number): void {
    const scans = madeIn(madeIn(this.#changes, of), begunBefore(hour));
    addScans(scans, hourOf(hour), people, robots);
  }

  put(): void {
    const { marks } = this.#stored;
    const latest = Number(marks.get(latestMark) ?? -1);
    const mayBeTakenOver = marks.doesExist(takenOverMark);
    let later = latest;
    for (const [of, changes] of this.#changes) {
      for (const begin of changes.keys()) later = Math.max(later, begin);
      const isNew = this.#uncounted.has(of) && !(mayBeTakenOver && this.#stored.hasTotals(of));
      if (isNew) this.#putBehind({ people: 0, robots: 0 }, of, changes, new Map());
      else if (changes.size > 1 || !this.#isPutToLast(of, changes, latest)) this.#putAll(of, changes);
    }
    if (later > latest) marks.put(latestMark, String(later));
  }

  /** As nearly all are: more scans of an entry that is there, and that nothing comes after. */
  #isPutToLast(of: string, changes: ScansByEntry, latest: Millis): boolean {
    const { entries } = this.#stored;
    for (const [begin, more] of changes) {
      const id = idOfTime(of, begin);
      const text = begin < latest ? undefined : entries.get(id);
      if (text === undefined) return false;
      entries.put(id, withScans(id, text, more));
    }
    return true;
  }

  #putAll(of: string, changes: ScansByEntry): void {
    const { entries } = this.#stored;
    const first = Math.min(...changes.keys());
    const texts = new Map<Millis, string>();
    const range = { start: idOfTime(of, first), end: endOf(of) };
    for (const { key, value } of entries.getRange(range)) texts.set(beginOf({ id: key }), value);
    this.#putBehind(this.#sumBefore(of, first, texts), of, changes, texts);
  }

  /** `texts` are the entries that are there, from the first change on, and `before` what was until then. */
  #putBehind(before: Sum, of: string, changes: ScansByEntry, texts: ReadonlyMap<Millis, string>): void {
    const { entries } = this.#stored;
    const begins = [...new Set([...texts.keys(), ...changes.keys()])].sort((a, b) => a - b);
    for (const begin of begins) {
      const id = idOfTime(of, begin);
      const stored = texts.get(begin);
      const more = changes.get(begin);
      let text = stored === undefined ? emptyEntry(before) : behind(before, stored);
      if (more !== undefined) text = withScans(id, text, more);
      if (text !== stored) entries.put(id, text);
      sumUntil(id, text, Number.POSITIVE_INFINITY, before);
    }
  }

  /** `later` are all entries from there on, in order. */
  #sumBefore(of: string, begin: Millis, later: ReadonlyMap<Millis, string>): Sum {
    const { entries, hasTimes } = this.#stored;
    const sum = { people: 0, robots: 0 };
    const earlier = {
      start: idOfTime(of, begin),
      end: `${of}/`,
      reverse: true,
      exclusiveStart: true,
      limit: 1,
    };
    for (const { key, value } of entries.getRange(earlier)) {
      sumUntil(key, value, Number.POSITIVE_INFINITY, sum);
      return sum;
    }
    // What was before the first entry is not kept any more.
    for (const [at, text] of later) {
      sumUntil(idOfTime(of, at), text, 0, sum);
      return sum;
    }
    if (hasTimes(of)) throw new TotalsMissing(of);
    return sum;
  }
}

function madeIn<Outer, Inner, V>(maps: Map<Outer, Map<Inner, V>>, key: Outer): Map<Inner, V> {
  let found = maps.get(key);
  if (found === undefined) {
    found = new Map();
    maps.set(key, found);
  }
  return found;
}

/** What sorts right behind a slash is the end of the owner's entries. */
export function endOf(of: string): string {
  return `${of}0`;
}
