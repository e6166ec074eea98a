/** Scan counts and hours on MongoDB: how they are raised, and how left scans are added to them. */
import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from "mongodb";
import type { ScanCount, ScanHourDoc } from "../domain/documents.ts";
import { closedEpochsMax, type EpochCount, type LeftScan, type LeftScans, withLeft } from "./left-scans.ts";
import { readMsMax } from "./mongo-client.ts";
import { hourToStored, type Stored } from "./mongo-documents.ts";

type Update = AnyBulkWriteOperation<Stored>;

/** The greater count, and where the epochs before this one left it: `inEpoch` of `left-scans.ts`, on the server. */
export function raiseCount({ slug, count }: ScanCount, epoch: number): Update {
  const storedEpoch = { $ifNull: ["$epoch", 0] };
  const isLeft = { $and: [{ $ne: [{ $type: "$count" }, "missing"] }, { $lt: [storedEpoch, epoch] }] };
  const left = { epoch: storedEpoch, count: "$count", found: { $literal: 0 } };
  const closed = { $ifNull: ["$closed", []] };
  const closedNow = { $slice: [{ $concatArrays: [closed, [left]] }, -closedEpochsMax] };
  const update = [
    {
      $set: {
        count: { $max: ["$count", count] },
        epoch: { $max: [storedEpoch, epoch] },
        closed: { $cond: [isLeft, closedNow, closed] },
      },
    },
  ];
  return { updateOne: { filter: { _id: slug }, update, upsert: true } };
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
        const stored = await counts.find({ _id: { $in: slugs } }, { session, batchSize: 10_000 }).toArray();
        const taken = new Map<string, EpochCount>(stored.map((found) => [found._id, countFrom(found)]));
        for (const scan of scans) {
          taken.set(scan.slug, withLeft(taken.get(scan.slug) ?? null, scan, owned()));
        }
        const updates = [...taken].map(([slug, count]): Update => {
          return { updateOne: { filter: { _id: slug }, update: { $set: { ...count } }, upsert: true } };
        });
        await counts.bulkWrite(updates, { session });
        await left.deleteMany({ _id: { $in: scans.map(idOf) } }, { session });
      }),
  };
}

function idOf({ slug, epoch }: Pick<LeftScan, "slug" | "epoch">): string {
  return `${slug}/${epoch}`;
}

function countFrom({ count, epoch = 0, closed = [] }: Stored): EpochCount {
  return { count, epoch, closed } as EpochCount;
}
