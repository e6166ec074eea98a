/** Scan counts and hours on MongoDB: how they are raised, and how orphaned ones are added to them. */
import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from "mongodb";
import { scansIn } from "../../domain/analytics/tally.ts";
import type { ScanCount, ScanHourDoc } from "../../domain/documents.ts";
import { readMsMax } from "../../limits.ts";
import {
  type EpochCount,
  inEpoch,
  type OrphanedCount,
  type OrphanedCounts,
  withOrphaned,
} from "../orphaned-counts.ts";
import { type Stored, timeToStored } from "./documents.ts";

type Update = AnyBulkWriteOperation<Stored>;

/** More than are ever asked for at a time: all come in one answer. */
const batchSize = 10_000;

/**
 * Keeps the greater counts. Links that this epoch has not saved before are read first, to keep where the epochs
 * before left them. An update with a condition would spare the reading, but each is ten times the bytes, and those
 * are made on the event loop.
 */
export async function raiseCounts(
  db: Db,
  counts: readonly ScanCount[],
  epoch: number,
  session: ClientSession,
): Promise<void> {
  const collection = db.collection<Stored>("scan_counts");
  const slugs = counts.map(({ slug }) => slug);
  const inThisEpoch = await collection
    .find({ _id: { $in: slugs }, epoch }, { session, projection: { _id: 1 }, batchSize })
    .toArray();
  const known = new Set(inThisEpoch.map(({ _id }) => _id));
  const taken = await takeOver(
    collection,
    slugs.filter((slug) => !known.has(slug)),
    session,
  );
  await collection.bulkWrite(
    counts.map(({ slug, count }): Update => {
      if (known.has(slug)) return { updateOne: { filter: { _id: slug }, update: { $max: { count } } } };
      const found = inEpoch(taken.get(slug) ?? null, epoch);
      return putCount(slug, { ...found, count: Math.max(count, found.count) });
    }),
    { session },
  );
}

async function takeOver(
  collection: Collection<Stored>,
  slugs: string[],
  session: ClientSession,
): Promise<Map<string, EpochCount>> {
  if (slugs.length === 0) return new Map();
  const found = await collection.find({ _id: { $in: slugs } }, { session, batchSize }).toArray();
  return new Map(
    found.map(({ _id, count, epoch = 0, closed = [] }) => [_id, { count, epoch, closed } as EpochCount]),
  );
}

function putCount(slug: string, count: EpochCount): Update {
  return { updateOne: { filter: { _id: slug }, update: { $set: { ...count } }, upsert: true } };
}

export function raiseHour(hour: ScanHourDoc): Update {
  const scans = { $add: [{ $ifNull: ["$people.total", 0] }, { $ifNull: ["$robots.total", 0] }] };
  const update = [
    {
      $replaceWith: { $cond: [{ $gt: [scansIn(hour), scans] }, { $literal: timeToStored(hour) }, "$$ROOT"] },
    },
  ];
  return { updateOne: { filter: { _id: hour.id }, update, upsert: true } };
}

export interface OrphanedCountsOptions {
  db: Db;
  /** Of the owner, 0 while this process owns nothing. */
  epoch(): number;
  reading<T>(run: () => Promise<T>): Promise<T>;
  writing(run: (session: ClientSession) => Promise<void>): Promise<void>;
}

export function openOrphanedCounts({ db, epoch, reading, writing }: OrphanedCountsOptions): OrphanedCounts {
  const orphaned: Collection<Stored> = db.collection<Stored>("left_scans");
  const counts: Collection<Stored> = db.collection<Stored>("scan_counts");

  return {
    async add(found) {
      const updates = found.map(({ slug, epoch, count }): Update => {
        const update = { $setOnInsert: { slug, epoch }, $max: { count } };
        return { updateOne: { filter: { _id: idOf({ slug, epoch }) }, update, upsert: true } };
      });
      await reading(() => orphaned.bulkWrite(updates, { ordered: false }));
    },

    waiting: (limit) =>
      reading(async () => {
        const found = await orphaned.find({}, { sort: { _id: 1 }, limit, maxTimeMS: readMsMax }).toArray();
        return found.map(({ slug, epoch, count }) => ({ slug, epoch, count }) as OrphanedCount);
      }),

    fold: (found) =>
      writing(async (session) => {
        const slugs = [...new Set(found.map(({ slug }) => slug))];
        const taken = await takeOver(counts, slugs, session);
        for (const count of found) {
          taken.set(count.slug, withOrphaned(taken.get(count.slug) ?? null, count, epoch()));
        }
        await counts.bulkWrite(
          [...taken].map(([slug, count]) => putCount(slug, count)),
          { session },
        );
        await orphaned.deleteMany({ _id: { $in: found.map(idOf) } }, { session });
      }),
  };
}

function idOf({ slug, epoch }: Pick<OrphanedCount, "slug" | "epoch">): string {
  return `${slug}/${epoch}`;
}
