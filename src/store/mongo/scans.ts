/** Scan counts and hours on MongoDB: how they are raised, and how left scans are added to them. */
import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from "mongodb";
import type { ScanCount, ScanHourDoc } from "../../domain/documents.ts";
import { readMsMax } from "../../limits.ts";
import { type EpochCount, inEpoch, type LeftScan, type LeftScans, withLeft } from "../orphaned-scans.ts";
import { hourToStored, type Stored } from "./documents.ts";

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
  const greater = { $gt: [hour.total, { $ifNull: ["$total", -1] }] };
  const update = [{ $replaceWith: { $cond: [greater, { $literal: hourToStored(hour) }, "$$ROOT"] } }];
  return { updateOne: { filter: { _id: hour.id }, update, upsert: true } };
}

export interface LeftScansOptions {
  db: Db;
  /** Null while this process owns nothing. */
  epoch(): number | null;
  reading<T>(run: () => Promise<T>): Promise<T>;
  writing(run: (session: ClientSession) => Promise<void>): Promise<void>;
}

export function openLeftScans({ db, epoch, reading, writing }: LeftScansOptions): LeftScans {
  const left: Collection<Stored> = db.collection<Stored>("left_scans");
  const counts: Collection<Stored> = db.collection<Stored>("scan_counts");
  const owned = () => epoch() ?? 0;

  return {
    get epoch() {
      return owned();
    },

    async leave(scans) {
      const updates = scans.map(({ slug, epoch, count }): Update => {
        const update = { $setOnInsert: { slug, epoch }, $max: { count } };
        return { updateOne: { filter: { _id: idOf({ slug, epoch }) }, update, upsert: true } };
      });
      await reading(() => left.bulkWrite(updates, { ordered: false }));
    },

    waiting: (limit) =>
      reading(async () => {
        const found = await left.find({}, { sort: { _id: 1 }, limit, maxTimeMS: readMsMax }).toArray();
        return found.map(({ slug, epoch, count }) => ({ slug, epoch, count }) as LeftScan);
      }),

    fold: (scans) =>
      writing(async (session) => {
        const slugs = [...new Set(scans.map(({ slug }) => slug))];
        const taken = await takeOver(counts, slugs, session);
        for (const scan of scans) {
          taken.set(scan.slug, withLeft(taken.get(scan.slug) ?? null, scan, owned()));
        }
        await counts.bulkWrite(
          [...taken].map(([slug, count]) => putCount(slug, count)),
          { session },
        );
        await left.deleteMany({ _id: { $in: scans.map(idOf) } }, { session });
      }),
  };
}

function idOf({ slug, epoch }: Pick<LeftScan, "slug" | "epoch">): string {
  return `${slug}/${epoch}`;
}
