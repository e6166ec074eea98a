/** Counts, hours and days of scans on MongoDB: how they are saved, cleared away, and how orphaned ones are added. */
import type { AnyBulkWriteOperation, ClientSession, Collection, Db, Filter } from "mongodb";
import {
  added,
  ChangedHours,
  idOfTime,
  keptUnder,
  type LinkScans,
} from "../../domain/analytics/link-scans.ts";
import { dayIdOf, withHour } from "../../domain/analytics/roll-up.ts";
import { scansIn } from "../../domain/analytics/tally.ts";
import { codeStatuses, type ScanCount, type ScanDayDoc, type ScanHourDoc } from "../../domain/documents.ts";
import { clearedHoursMax, readMsMax } from "../../limits.ts";
import {
  coveredCount,
  type EpochCount,
  foundScans,
  inEpoch,
  type OrphanedCount,
  type OrphanedCounts,
  withOrphaned,
} from "../orphaned-counts.ts";
import type { AdoptedScans, ClearedScans, CountedCode, CountedQuery, KeptSince, Page } from "../store.ts";
import { listIndexOf, type Stored, timeFromStored, timeToStored } from "./documents.ts";

type Update = AnyBulkWriteOperation<Stored>;
type TimeName = "scan_hours" | "scan_days";

/** More than are ever asked for at a time: all come in one answer. */
const batchSize = 10_000;

export async function saveScans(
  db: Db,
  scans: readonly LinkScans[],
  epoch: number,
  session: ClientSession,
): Promise<void> {
  const counts = db.collection<Stored>("scan_counts");
  const slugs = scans.map(({ slug }) => slug);
  const found = await readCounts(counts, slugs, session);
  const rising = scans.filter(({ slug, count }) => count > (found.get(slug)?.count ?? 0));
  if (rising.length === 0) return;
  const links = rising.map((link) => ({ ...link, seen: added(link, found.get(link.slug)?.count ?? 0) }));
  await counts.bulkWrite(
    links.map(({ slug, count }) => putCount(slug, { ...inEpoch(found.get(slug) ?? null, epoch), count })),
    { session, ordered: false },
  );
  await addHours(db, links, session);
}

/** Counts alone, as another store had them. */
async function raiseCounts(
  db: Db,
  counts: readonly ScanCount[],
  epoch: number,
  session: ClientSession,
): Promise<void> {
  const collection = db.collection<Stored>("scan_counts");
  const slugs = counts.map(({ slug }) => slug);
  const found = await readCounts(collection, slugs, session);
  await collection.bulkWrite(
    counts.map(({ slug, count }) => {
      const taken = inEpoch(found.get(slug) ?? null, epoch);
      return putCount(slug, { ...taken, count: Math.max(count, taken.count) });
    }),
    { session },
  );
}

async function readCounts(
  collection: Collection<Stored>,
  slugs: readonly string[],
  session?: ClientSession,
): Promise<Map<string, EpochCount>> {
  if (slugs.length === 0) return new Map();
  const options = { batchSize, maxTimeMS: readMsMax, ...(session && { session }) };
  const found = await collection.find({ _id: { $in: [...slugs] } }, options).toArray();
  return new Map(
    found.map(({ _id, count, epoch = 0, closed = [] }) => [_id, { count, epoch, closed } as EpochCount]),
  );
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
  const slugs = codes.map(({ slug }) => slug);
  const counts = await readCounts(db.collection<Stored>("scan_counts"), slugs);
  const items = codes.map(({ _id, slug }) => ({ id: _id, slug, count: counts.get(slug)?.count ?? 0 }));
  return { items, more: found.length > limit };
}

function putCount(slug: string, count: EpochCount): Update {
  return { updateOne: { filter: { _id: slug }, update: { $set: { ...count } }, upsert: true } };
}

/** Read, added up here and written back: nobody else writes them, the fence sees to that. */
async function addHours(
  db: Db,
  links: readonly Pick<LinkScans, "slug" | "owner" | "seen">[],
  session: ClientSession,
): Promise<void> {
  const ids = links.flatMap((link) =>
    keptUnder(link).flatMap((of) => link.seen.map(({ hour }) => idOfTime(of, hour))),
  );
  const stored = await readTimes<ScanHourDoc>(db, "scan_hours", [...new Set(ids)], session);
  const changed = new ChangedHours((id) => stored.get(id) ?? null);
  for (const link of links) for (const of of keptUnder(link)) changed.add(of, link.seen);
  await putTimes(db, "scan_hours", [...changed.all()], session);
}

async function readTimes<Doc extends ScanHourDoc | ScanDayDoc>(
  db: Db,
  name: TimeName,
  ids: readonly string[],
  session: ClientSession,
): Promise<Map<string, Doc>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .collection<Stored>(name)
    .find({ _id: { $in: [...ids] } }, { session, batchSize })
    .toArray();
  return new Map(found.map((item) => [item._id, timeFromStored<Doc>(name, item)]));
}

async function putTimes(
  db: Db,
  name: TimeName,
  docs: readonly (ScanHourDoc | ScanDayDoc)[],
  session: ClientSession,
): Promise<void> {
  if (docs.length === 0) return;
  const puts = docs.map((doc): Update => {
    const { _id, ...replacement } = timeToStored(doc);
    return { replaceOne: { filter: { _id }, replacement, upsert: true } };
  });
  await db.collection<Stored>(name).bulkWrite(puts, { session, ordered: false });
}

export async function adoptScans(
  db: Db,
  { counts = [], hours = [], days = [] }: AdoptedScans,
  epoch: number,
  session: ClientSession,
): Promise<void> {
  if (counts.length > 0) await raiseCounts(db, counts, epoch, session);
  for (const [name, docs] of [
    ["scan_hours", hours],
    ["scan_days", days],
  ] as const) {
    const stored = await readTimes<ScanHourDoc>(
      db,
      name,
      docs.map(({ id }) => id),
      session,
    );
    const more = docs.filter((doc) => {
      const there = stored.get(doc.id);
      return there === undefined || scansIn(doc) > scansIn(there);
    });
    await putTimes(db, name, more, session);
  }
}

export interface ScanWriting {
  db: Db;
  /** Of the owner, 0 while this process owns nothing. */
  epoch(): number;
  reading<T>(run: () => Promise<T>): Promise<T>;
  writing(run: (session: ClientSession) => Promise<void>): Promise<void>;
}

export async function clearScans(
  { db, reading, writing }: ScanWriting,
  since: KeptSince,
): Promise<ClearedScans> {
  const old = (name: TimeName, before: number) =>
    reading(async () => {
      const found = await db
        .collection<Stored>(name)
        .find({ at: { $lt: before } }, { limit: clearedHoursMax, hint: "at", maxTimeMS: readMsMax })
        .project<Stored>({ _id: 1 })
        .toArray();
      return found.map(({ _id }) => _id);
    });
  const hours = await old("scan_hours", since.hours);
  const days = await old("scan_days", since.days);
  if (hours.length + days.length === 0) return { of: [], next: null };
  await writing(async (session) => {
    const found = await readTimes<ScanHourDoc>(db, "scan_hours", hours, session);
    const dayIds = [...new Set([...found.values()].map(dayIdOf))];
    const changed = await readTimes<ScanDayDoc>(db, "scan_days", dayIds, session);
    for (const hour of found.values()) {
      changed.set(dayIdOf(hour), withHour(changed.get(dayIdOf(hour)) ?? null, hour));
    }
    await putTimes(db, "scan_days", [...changed.values()], session);
    if (hours.length > 0) await remove("scan_hours", hours, session);
    if (days.length > 0) await remove("scan_days", days, session);
  });
  return { of: [...new Set(hours.map((id) => id.slice(0, id.lastIndexOf("/"))))], next: "more" };

  async function remove(name: TimeName, ids: readonly string[], session: ClientSession): Promise<void> {
    await db.collection<Stored>(name).deleteMany({ _id: { $in: [...ids] } }, { session });
  }
}

export function openOrphanedCounts({ db, epoch, reading, writing }: ScanWriting): OrphanedCounts {
  const orphaned: Collection<Stored> = db.collection<Stored>("left_scans");
  const counts: Collection<Stored> = db.collection<Stored>("scan_counts");

  return {
    covered: (slugs, of) =>
      reading(async () => {
        const found = await readCounts(counts, slugs);
        return slugs.map((slug) => coveredCount(found.get(slug) ?? null, of));
      }),

    async add(found) {
      const updates = found.map((each): Update => {
        const { slug, epoch, count } = each;
        const kept = { _id: idOf(each), slug, epoch, count, hour: each.hour, seen: each.seen, off: each.off };
        const isMore = { $gt: [count, { $ifNull: ["$count", -1] }] };
        const update = [{ $replaceWith: { $cond: [isMore, { $literal: kept }, "$$ROOT"] } }];
        return { updateOne: { filter: { _id: idOf(each) }, update, upsert: true } };
      });
      await reading(() => orphaned.bulkWrite(updates, { ordered: false }));
    },

    waiting: (limit) =>
      reading(async () => {
        const found = await orphaned.find({}, { sort: { _id: 1 }, limit, maxTimeMS: readMsMax }).toArray();
        return found.map(({ slug, epoch, count, hour = null, seen = [], off = 0 }) => {
          return { slug, epoch, count, hour, seen, off } as OrphanedCount;
        });
      }),

    fold: (found, now) =>
      writing(async (session) => {
        const slugs = [...new Set(found.map(({ slug }) => slug))];
        const taken = await readCounts(counts, slugs, session);
        const codes = await ownersOf(db, slugs, session);
        const links = found.map((each) => {
          const before = taken.get(each.slug) ?? null;
          const after = withOrphaned(before, each, epoch());
          taken.set(each.slug, after);
          return foundScans(each, before, after, codes.get(each.slug) ?? null, now);
        });
        await counts.bulkWrite(
          [...taken].map(([slug, count]) => putCount(slug, count)),
          { session },
        );
        await addHours(db, links, session);
        await orphaned.deleteMany({ _id: { $in: found.map(idOf) } }, { session });
      }),
  };
}

/** Of codes with analytics. */
async function ownersOf(db: Db, slugs: readonly string[], session: ClientSession) {
  const found = await db
    .collection<Stored>("codes")
    .find({ slug: { $in: [...slugs] } }, { session, batchSize })
    .project({ slug: 1, project_id: 1, account_id: 1, analytics_enabled: 1 })
    .toArray();
  return new Map(
    found
      .filter(({ analytics_enabled }) => analytics_enabled as boolean)
      .map(({ slug, project_id, account_id }) => [slug as string, { project_id, account_id }]),
  );
}

function idOf({ slug, epoch }: Pick<OrphanedCount, "slug" | "epoch">): string {
  return `${slug}/${epoch}`;
}
