/**
 * Orphaned counts: scans that a process counted and could not save before it lost the accounts.
 *
 * An owner counts in memory, from the count it loaded, and saves the sum; what it had not saved when it died is in
 * the journal on its own disk. By the time that journal is read, the next owner has counted on from the count that
 * was saved. The two cannot be merged by taking the greater. So the store remembers for each link the count at
 * which every earlier epoch left it: what the journal has beyond that was lost, and is added, once.
 *
 * Orphaned counts are put down in the store by whoever finds them, owner or not, and added up by the owner.
 * Rejected design: a counter per process, summed. It needs no history, but every container that ever ran leaves
 * one behind in every link, and a scan limit would have to be read from a sum.
 */
import { added, type CodeOwner, type LinkScans, type SeenScans } from "../domain/analytics/link-scans.ts";
import { hourMs } from "../domain/analytics/zone.ts";
import type { Count } from "../domain/documents.ts";
import { closedEpochsMax, countsPerFold } from "../limits.ts";
import type { Millis } from "../runtime/clock.ts";

/** That a link had been scanned `count` times, as the owner of this epoch saw it. */
export interface OrphanedCount {
  slug: string;
  epoch: Count;
  count: Count;
  /** The hour of the last scan; null in counts that earlier versions put down. */
  hour: Millis | null;
  /** What is known of the scans that the store lacked when the count was found. */
  seen: SeenScans[];
  /** How many of those were made while analytics were off. */
  off: Count;
}

export interface OrphanedCounts {
  /** How many scans of these links, as the owner of the epoch saw them, are in the store. */
  covered(slugs: readonly string[], epoch: Count): Promise<number[]>;
  /** Puts them down for the owner. May be repeated, and done by a process that owns nothing. */
  add(counts: readonly OrphanedCount[]): Promise<void>;
  /** Some of those that wait. */
  waiting(limit: number): Promise<OrphanedCount[]>;
  /** Adds up what the counts and the hours lack; then they wait no more. At most one of a link and an epoch. */
  fold(counts: readonly OrphanedCount[], now: Millis): Promise<void>;
}

/** Who can ever own the accounts in a store. */
export type Owners = typeof soleOwner | ChangingOwners;

/** One process and no other: what its journal has can be saved as it is. */
export const soleOwner = { kind: "sole" } as const;

/** One after the other, each with a disk of its own. */
export interface ChangingOwners {
  readonly kind: "changing";
  /** Of the owner that this store was opened for; 0 for a standby. */
  readonly epoch: Count;
  readonly orphans: OrphanedCounts;
  /** See `Ownership`. */
  mayServe(): boolean;
}

/** Null where no other process can ever own the accounts: then there is nothing to ask. */
export function rightIn(owners: Owners): (() => boolean) | null {
  return owners.kind === "sole" ? null : () => owners.mayServe();
}

/** Adds up all that wait, some at a time; `around` is what has to be done before and after. */
export async function foldAll(
  orphans: OrphanedCounts,
  now: Millis,
  around = (_counts: readonly OrphanedCount[], fold: () => Promise<void>) => fold(),
): Promise<void> {
  for (;;) {
    const counts = await orphans.waiting(countsPerFold);
    if (counts.length === 0) return;
    await around(counts, () => orphans.fold(counts, now));
  }
}

/** The count at which an epoch left a link, and what was found out later to be missing in it. */
export interface ClosedEpoch {
  epoch: Count;
  count: Count;
  found: Count;
}

export interface EpochCount {
  count: Count;
  epoch: Count;
  /** Oldest first. */
  closed: readonly ClosedEpoch[];
}

const never: EpochCount = { count: 0, epoch: 0, closed: [] };

/** The count as an owner of this epoch takes it over. */
export function inEpoch(stored: EpochCount | null, epoch: number): EpochCount {
  if (stored === null) return { ...never, epoch };
  if (stored.epoch >= epoch) return stored;
  const last = { epoch: stored.epoch, count: stored.count, found: 0 };
  return { count: stored.count, epoch, closed: [...stored.closed, last].slice(-closedEpochsMax) };
}

/** With what the orphaned count has beyond that at which its epoch left the link. `now` is the owner's epoch. */
export function withOrphaned(stored: EpochCount | null, orphaned: OrphanedCount, now: number): EpochCount {
  const taken = inEpoch(stored, now);
  const own = ownOf(taken, orphaned.epoch);
  if (own === null) return taken;
  const lost = Math.max(0, orphaned.count - own.count - own.found);
  const found = { ...own, found: own.found + lost };
  const others = taken.closed.filter(({ epoch }) => epoch !== orphaned.epoch);
  return {
    count: taken.count + lost,
    epoch: taken.epoch,
    closed: [...others, found].sort((a, b) => a.epoch - b.epoch).slice(-closedEpochsMax),
  };
}

/** How many scans that the owner of an epoch counted are in the store; all of them when that is forgotten. */
export function coveredCount(stored: EpochCount | null, epoch: number): number {
  const own = ownOf(inEpoch(stored, Math.max(stored?.epoch ?? 0, epoch) + 1), epoch);
  return own === null ? Number.POSITIVE_INFINITY : own.count + own.found;
}

/** What folding an orphaned count adds to the hours of the link. `owner` is null when its analytics are off. */
export function foundScans(
  { slug, hour, seen, off }: OrphanedCount,
  before: EpochCount | null,
  after: EpochCount,
  owner: CodeOwner | null,
  now: Millis,
): Pick<LinkScans, "slug" | "owner" | "seen"> {
  if (owner === null) return { slug, owner, seen: [] };
  const otherwise = hour ?? now - (now % hourMs);
  const found = { slug, owner, count: after.count, seen, off, otherwise };
  return { slug, owner, seen: added(found, before?.count ?? 0) };
}

function ownOf(taken: EpochCount, epoch: number): ClosedEpoch | null {
  return taken.closed.find((closed) => closed.epoch === epoch) ?? unsaved(taken, epoch);
}

/** An epoch that never saved the link began, and left it, where the one before had. Null when that is forgotten. */
function unsaved({ closed }: EpochCount, epoch: number): ClosedEpoch | null {
  const before = closed.filter((other) => other.epoch < epoch).at(-1);
  if (before === undefined && closed.length === closedEpochsMax) return null;
  return { epoch, count: before?.count ?? 0, found: 0 };
}
