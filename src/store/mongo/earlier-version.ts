/**
 * Counts of the version before members counted by themselves.
 *
 * A link had one count, on which every owner counted on: `{count, epoch, closed}`, where `closed` says at which count the
 * epochs before left it. No process of that version can write any more (`epochs.ts`), so those counts stand still.
 * Nothing is converted, which would take a walk through all links: they are one more summand.
 *
 * A journal of such an epoch names counts of the link and not of a member. What it has beyond the count at which its
 * epoch left the link is that member's part.
 */
import type { ClientSession } from "mongodb";
import type { LinkScans } from "../../domain/analytics/link-scans.ts";
import { readMsMax } from "../../limits.ts";
import type { Connection } from "./client.ts";
import type { Stored } from "./documents.ts";

/** The count at which an epoch left a link, and what was found out later to be missing in it. */
export interface ClosedEpoch {
  epoch: number;
  count: number;
  found: number;
}

/** The count of a link as that version left it. */
export interface EarlierCount {
  count: number;
  epoch: number;
  /** Oldest first. */
  closed: readonly ClosedEpoch[];
}

/** So many were remembered. */
const closedMax = 8;

export async function readEarlierCounts(
  { db }: Pick<Connection, "db">,
  slugs: readonly string[],
  session?: ClientSession,
): Promise<Map<string, EarlierCount>> {
  const options = { batchSize: slugs.length + 1, maxTimeMS: readMsMax, ...(session && { session }) };
  const found = await db
    .collection<Stored>("scan_counts")
    .find({ _id: { $in: [...slugs] } }, options)
    .toArray();
  return new Map(
    found.map(({ _id, count, epoch = 0, closed = [] }) => [_id, { count, epoch, closed } as EarlierCount]),
  );
}

/** How many scans of a link, as the owner of that epoch saw them, were stored; all when that is forgotten. */
export function storedThen(left: EarlierCount | null, epoch: number): number {
  if (left === null) return 0;
  const closed = [...left.closed, { epoch: left.epoch, count: left.count, found: 0 }];
  const own = closed.find((each) => each.epoch === epoch);
  if (own !== undefined) return own.count + own.found;
  // An epoch that never saved the link began, and left it, where the one before had.
  const before = closed.filter((each) => each.epoch < epoch).at(-1);
  if (before !== undefined) return before.count;
  return left.closed.length >= closedMax ? Number.POSITIVE_INFINITY : 0;
}

/** The part of the member of that epoch, whose journal has these counts of links. */
export function partsOfEarlier(
  scans: readonly LinkScans[],
  epoch: number,
  left: ReadonlyMap<string, EarlierCount>,
): LinkScans[] {
  return scans
    .map((link) => ({ ...link, count: link.count - storedThen(left.get(link.slug) ?? null, epoch) }))
    .filter(({ count }) => count > 0);
}
