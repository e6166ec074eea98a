/**
 * The counts of links on MongoDB: a part for each member, and a sum of what finished members counted.
 *
 * Folding moves scans from parts to the sum in one transaction. All of them are in one collection and are read as of one
 * moment, or a scan would be seen twice or not at all. What an earlier version counted is beside them and stands still.
 */
import type { AnyBulkWriteOperation, ClientSession, Db, Filter } from "mongodb";
import { codeStatuses, type ScanCount } from "../../domain/documents.ts";
import { readMsMax } from "../../limits.ts";
import type { CountedCode, CountedQuery, Page } from "../store.ts";
import { listIndexOf, type Stored } from "./documents.ts";
import { readEarlierCounts } from "./earlier-version.ts";
import { openGathering } from "./lookup.ts";

/** More than are ever asked for at a time: all come in one answer. */
const batchSize = 10_000;

/** Without an epoch it is the sum. */
interface PartDoc {
  _id: string;
  slug: string;
  epoch?: number;
  count: number;
}

/** By epoch; what belongs to no member any more is under 0. */
export type CountByMember = ReadonlyMap<number, number>;

export function openCounts(db: Db): (slug: string) => Promise<CountByMember | null> {
  return openGathering((slugs) => readCounts(db, slugs));
}

export async function readCounts(
  db: Db,
  slugs: readonly string[],
  session?: ClientSession,
): Promise<Map<string, CountByMember>> {
  // A transaction does one thing at a time, and reads everything as of one moment.
  const [parts, earlier] =
    session === undefined
      ? await Promise.all([readParts(db, slugs), readEarlierCounts({ db }, slugs)])
      : [await readParts(db, slugs, session), await readEarlierCounts({ db }, slugs, session)];
  const counts = new Map<string, Map<number, number>>();
  for (const [slug, { count }] of earlier) counts.set(slug, new Map([[0, count]]));
  for (const { slug, epoch = 0, count } of parts) {
    const ofLink = counts.get(slug) ?? new Map<number, number>();
    counts.set(slug, ofLink.set(epoch, count + (ofLink.get(epoch) ?? 0)));
  }
  return counts;
}

function readParts(db: Db, slugs: readonly string[], session?: ClientSession): Promise<PartDoc[]> {
  const asOfOneMoment = session ? { session } : { readConcern: { level: "snapshot" } as const };
  return db
    .collection<PartDoc>("scan_parts")
    .find({ slug: { $in: [...slugs] } }, { batchSize, maxTimeMS: readMsMax, ...asOfOneMoment })
    .toArray();
}

export function totalOf(counts: CountByMember | null | undefined): number {
  let total = 0;
  for (const count of counts?.values() ?? []) total += count;
  return total;
}

/** The first links with a count behind the given slug, in the order of slugs. */
export async function countsBehind(db: Db, after: string, limit: number): Promise<ScanCount[]> {
  const slugs: string[] = [];
  for (let from: string | null = after; from !== null && slugs.length < limit; ) {
    const found = await slugsBehind(db, from, limit);
    slugs.push(...found.slugs);
    from = found.next;
  }
  const first = slugs.slice(0, limit);
  const counts = await readCounts(db, first);
  return first.map((slug) => ({ slug, count: totalOf(counts.get(slug)) }));
}

/** Some slugs, without a gap; `next` is where more begin. */
async function slugsBehind(
  db: Db,
  after: string,
  limit: number,
): Promise<{ slugs: string[]; next: string | null }> {
  const options = { limit, maxTimeMS: readMsMax, batchSize };
  const [earlier, parts] = await Promise.all([
    db
      .collection<Stored>("scan_counts")
      .find({ _id: { $gt: after } }, { ...options, sort: { _id: 1 } })
      .project<{ _id: string }>({ _id: 1 })
      .toArray(),
    db
      .collection<PartDoc>("scan_parts")
      .find({ slug: { $gt: after } }, { ...options, sort: { slug: 1 } })
      .project<{ slug: string }>({ slug: 1 })
      .toArray(),
  ]);
  // A link has several parts: there may be others right behind the last one that was read.
  const next = parts.length === limit ? parts.at(-1)!.slug : null;
  const slugs = [...new Set([...earlier.map(({ _id }) => _id), ...parts.map(({ slug }) => slug)])]
    .filter((slug) => next === null || slug <= next)
    .sort()
    .slice(0, limit);
  return { slugs, next };
}

export async function countedCodes(
  db: Db,
  { account_id, project_id, before, limit }: CountedQuery,
): Promise<Page<CountedCode>> {
  const filter: Filter<Stored> = {
    account_id,
    status: { $in: [...codeStatuses] },
    ...(project_id === null ? {} : { project_id }),
    ...(before === null ? {} : { _id: { $lt: before } }),
  };
  const hint = listIndexOf({ project_id, type: null });
  const found = await db
    .collection<Stored>("codes")
    .find(filter, { hint, sort: { _id: -1 }, limit: limit + 1, maxTimeMS: readMsMax, batchSize })
    .project<{ _id: string; slug: string }>({ slug: 1 })
    .toArray();
  const codes = found.slice(0, limit);
  const counts = await readCounts(
    db,
    codes.map(({ slug }) => slug),
  );
  const items = codes.map(({ _id, slug }) => ({ id: _id, slug, count: totalOf(counts.get(slug)) }));
  return { items, more: found.length > limit };
}

/** Adds scans to the sums of links. */
export async function addToSums(
  db: Db,
  more: ReadonlyMap<string, number>,
  session: ClientSession,
): Promise<void> {
  const updates = [...more].map(([slug, scans]): AnyBulkWriteOperation<PartDoc> => {
    const update = { $inc: { count: scans }, $setOnInsert: { slug } };
    return { updateOne: { filter: { _id: slug }, update, upsert: true } };
  });
  await db.collection<PartDoc>("scan_parts").bulkWrite(updates, { session, ordered: false });
}

/** To the counts that another store has, where it has more. */
export async function raiseSums(db: Db, counts: readonly ScanCount[], session: ClientSession): Promise<void> {
  const slugs = counts.map(({ slug }) => slug);
  const stored = await readCounts(db, slugs, session);
  const missing = (slug: string, count: number) => Math.max(0, count - totalOf(stored.get(slug)));
  await addToSums(db, new Map(counts.map(({ slug, count }) => [slug, missing(slug, count)])), session);
}
