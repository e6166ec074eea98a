/**
 * What is saved of a link's scans, and how it comes into the stored hours.
 *
 * A save names the count of one member, absolute, and what is known of the scans since the last one: when they were, and
 * where they came from. Both go into the store in one transaction, and the count decides. A save whose count is stored
 * already changes nothing, so it may be repeated; otherwise exactly as many scans are added to the hours as the count
 * rises by. What nothing is known of is `unknown`; if too much is known, the latest is taken. So hours can never
 * disagree with counts, whatever was lost on the way.
 *
 * Rejected: differences for the hours beside absolute counts. One that is saved twice counts twice, one that is lost
 * is missing for ever, and nobody can tell.
 */
import { hourReferrersMax } from "../../limits.ts";
import type { Millis } from "../../runtime/clock.ts";
import type { Count, ScanHourDoc, Tally } from "../documents.ts";

/** Scans of one hour that are alike. */
export interface SeenScans {
  hour: Millis;
  isRobot: boolean;
  country: string;
  device: string;
  referrer: string;
  scans: Count;
}

export const unknown = "unknown";
/** Those that there was no room for one by one. */
const rest = "other";

/** Whose sums the scans of a code go to. */
export interface CodeOwner {
  readonly project_id: string;
  readonly account_id: string;
}

export interface LinkScans {
  slug: string;
  /** All scans that this member ever counted: see `store/scan-parts.ts`. */
  count: Count;
  /** Null when nobody knows: then no sums are kept of them. */
  owner: CodeOwner | null;
  /** Of the scans since the last save. */
  seen: readonly SeenScans[];
  /** Scans since then while analytics were off. */
  off: Count;
  /** The hour of scans that nothing is known of; null when analytics are off, and they are not kept. */
  otherwise: Millis | null;
}

/** What is to be added to the hours when the count rises from the stored one. */
export function added({ count, seen, off, otherwise }: LinkScans, stored: Count): SeenScans[] {
  let missing = count - stored - off;
  const found: SeenScans[] = [];
  // The latest first: should an earlier save have arrived after all, they are those it did not have.
  for (const each of seen.toSorted((a, b) => b.hour - a.hour)) {
    if (missing <= 0) break;
    const scans = Math.min(each.scans, missing);
    found.push(scans === each.scans ? each : { ...each, scans });
    missing -= scans;
  }
  if (missing > 0 && otherwise !== null) found.push(unknownScans(otherwise, missing));
  return found;
}

export function unknownScans(hour: Millis, scans: Count): SeenScans {
  return { hour, isRobot: false, country: unknown, device: unknown, referrer: unknown, scans };
}

/** Digits of equal length until the year 2286, so that the order of ids is the order of time. */
export function idOfTime(of: string, begin: Millis): string {
  return `${of}/${String(Math.max(0, begin)).padStart(13, "0")}`;
}

/** When the hour or the day of a document began. */
export function beginOf({ id }: { id: string }): Millis {
  return Number(id.slice(id.lastIndexOf("/") + 1));
}

/** Those under whom the scans of a link are kept. */
export function keptUnder({ slug, owner }: Pick<LinkScans, "slug" | "owner">): string[] {
  return owner === null ? [slug] : [slug, owner.project_id, owner.account_id];
}

/** Hours while scans are added to them. */
export class ChangedHours {
  readonly #stored: (id: string) => ScanHourDoc | null;
  readonly #changed = new Map<string, ScanHourDoc>();

  /** What is handed out by `stored` is changed in place. */
  constructor(stored: (id: string) => ScanHourDoc | null) {
    this.#stored = stored;
  }

  add(of: string, seen: readonly SeenScans[]): void {
    for (const scans of seen) addTo(this.#hour(idOfTime(of, scans.hour)), scans);
  }

  all(): Iterable<ScanHourDoc> {
    return this.#changed.values();
  }

  #hour(id: string): ScanHourDoc {
    let hour = this.#changed.get(id);
    if (hour === undefined) {
      hour = this.#stored(id) ?? { id, people: null, robots: null };
      this.#changed.set(id, hour);
    }
    return hour;
  }
}

function addTo(hour: ScanHourDoc, { isRobot, country, device, referrer, scans }: SeenScans): void {
  const kind = isRobot ? "robots" : "people";
  hour[kind] ??= emptyTally();
  addScans(hour[kind], country, device, referrer, scans);
}

function emptyTally(): Tally {
  return { total: 0, countries: {}, devices: {}, referrers: {} };
}

function addScans(tally: Tally, country: string, device: string, referrer: string, scans: number): void {
  tally.total += scans;
  add(tally.countries, country, scans);
  add(tally.devices, device, scans);
  const { referrers } = tally;
  const hasRoom = Object.hasOwn(referrers, referrer) || Object.keys(referrers).length < hourReferrersMax;
  add(referrers, hasRoom ? referrer : rest, scans);
}

/** A host may be called as what every object inherits. */
function add(counts: Record<string, Count>, key: string, scans: number): void {
  counts[key] = scans + (Object.hasOwn(counts, key) ? counts[key]! : 0);
}

/** Adds the scans of one tally to another, name by name. */
export function addTally(to: Tally, from: Tally): void {
  to.total += from.total;
  for (const [key, scans] of Object.entries(from.countries)) add(to.countries, key, scans);
  for (const [key, scans] of Object.entries(from.devices)) add(to.devices, key, scans);
  for (const [key, scans] of Object.entries(from.referrers)) {
    const isKnown = Object.hasOwn(to.referrers, key);
    const hasRoom = isKnown || Object.keys(to.referrers).length < hourReferrersMax;
    add(to.referrers, hasRoom ? key : rest, scans);
  }
}
