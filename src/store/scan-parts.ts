/**
 * Scan parts: how many scans of a link each member counted, and no other.
 *
 * A member is one life of a process on a database that several may use; its epoch, a number that only rises, names it.
 * It counts from what the store has of its own part, in memory and in its journal, and it alone raises the part. A part
 * needs no owner: it is true whoever owns the account, so it is saved outside of the fence, and one that is saved late
 * or again changes nothing. The journal of a machine that died may turn up on any day and in any process. A link's
 * count is the sum of its parts.
 *
 * A member whose journal is all in the store is *finished*, for good: its parts are folded into one sum and forgotten,
 * so no more of them may come. Whoever is never heard of again is declared finished after a long time.
 *
 * Rejected: one count a link, on which every owner counts on. What a dead owner had counted beyond it can then only be
 * told from a history of owners in every link, which has to be bounded and so forgets; and two processes cannot count
 * at the same time.
 */
import type { LinkScans } from "../domain/analytics/link-scans.ts";
import type { Count } from "../domain/documents.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Millis } from "../runtime/clock.ts";

/** Who counted the stored scans of a link: this member, and all others. */
export interface LinkCount {
  own: Count;
  others: Count;
}

/** What this process is among those that may use the database. */
export interface Membership {
  /** Names what it counts; 0 while it counts nothing. */
  readonly epoch: Count;
  /** See `Ownership`. */
  mayServe(): boolean;
}

/** Members that are not there any more, and of which not all is over. */
export interface LeftMembers {
  /** Finished, with parts that are not folded yet. */
  toFold: Count;
  /** Whose journal may still have scans. */
  awaited: Count;
}

/** Parts of members that are not there any more. */
export interface ScanParts {
  /** How many scans of these links that member counted, as far as they are stored; null when it is finished. */
  stored(epoch: Count, slugs: readonly string[]): Promise<number[] | null>;
  /** What its journal has. May be repeated, by any process; of a finished member it changes nothing or is refused. */
  save(epoch: Count, scans: readonly LinkScans[]): Promise<void>;
  /** All that this member ever counted is stored. */
  finish(epoch: Count): Promise<void>;
  /** Folds the parts of finished members, where the accounts are owned. `folded` is told of the links. */
  fold(now: Millis, folded: (slugs: readonly string[]) => void): Promise<void>;
  /** For whoever looks on. Those that are there are named, since nothing that is stored tells. */
  left(present: readonly Count[]): Promise<LeftMembers>;
}

/** Where there is one member for ever, what it counted is the count. */
export function partsOfOne(
  scanCount: (slug: string) => AtOnce<Count>,
  saveScans: (scans: readonly LinkScans[]) => Promise<void>,
): ScanParts {
  return {
    stored: (_epoch, slugs) => Promise.all(slugs.map(scanCount)),
    save: (_epoch, scans) => saveScans(scans),
    finish: () => Promise.resolve(),
    fold: () => Promise.resolve(),
    left: () => Promise.resolve({ toFold: 0, awaited: 0 }),
  };
}
