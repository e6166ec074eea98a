/** Hours and days of scans on MongoDB: how they are saved with the parts of counts, read and cleared away. */
import type { AnyBulkWriteOperation, ClientSession, Db } from "mongodb";
import {
  added,
  ChangedHours,
  idOfTime,
  keptUnder,
  type LinkScans,
} from "../../domain/analytics/link-scans.ts";
import { dayIdOf, sumOfHours, withHour } from "../../domain/analytics/roll-up.ts";
import { type AddTotals, addTotalsOfDay, scansIn } from "../../domain/analytics/tally.ts";
import { dayMs } from "../../domain/analytics/zone.ts";
import type { ScanDayDoc, ScanHourDoc } from "../../domain/documents.ts";
import { clearedHoursMax, hoursPerRead, readMsMax } from "../../limits.ts";
import type { AdoptedScans, ClearedScans, KeptSince, TimeStretch } from "../store.ts";
import {
  addTotalsFromStored,
  allOfTime,
  type Stored,
  timeFromStored,
  timeIdIn,
  timeIdOf,
  timeToStored,
  totalsAlone,
} from "./documents.ts";
import type { Writing } from "./fence.ts";
import { raiseSums } from "./sums.ts";

type Update = AnyBulkWriteOperation<Stored>;
type TimeName = "scan_hours" | "scan_days";

/** More than are ever asked for at a time: all come in one answer. */
const batchSize = 10_000;

export interface ScanWriting {
  db: Db;
  reading<T>(run: () => Promise<T>): Promise<T>;
  writing(writing: Writing, run: (session: ClientSession) => Promise<void>): Promise<void>;
}

/** What a member counted, in its parts and its hours. */
export async function saveParts(
  db: Db,
  epoch: number,
  scans: readonly LinkScans[],
  session: ClientSession,
): Promise<void> {
  const parts = db.collection<Stored>("scan_parts");
  const ids = scans.map(({ slug }) => partId(slug, epoch));
  const found = await parts.find({ _id: { $in: ids } }, { session, batchSize }).toArray();
  const stored = new Map(found.map(({ slug, count }) => [slug as string, count as number]));
  const rising = scans.filter(({ slug, count }) => count > (stored.get(slug) ?? 0));
  if (rising.length === 0) return;
  await parts.bulkWrite(
    rising.map(({ slug, count }): Update => {
      const filter = { _id: partId(slug, epoch) };
      return { updateOne: { filter, update: { $set: { slug, epoch, count } }, upsert: true } };
    }),
    { session, ordered: false },
  );
  const links = rising.map((link) => ({ ...link, seen: added(link, stored.get(link.slug) ?? 0) }));
  await addHours(db, epoch, links, session);
}

export function partId(slug: string, epoch: number): string {
  return `${slug}/${epoch}`;
}

/** Read, added up here and written back: nobody else writes what this member counted, its fence sees to that. */
async function addHours(
  db: Db,
  epoch: number,
  links: readonly Pick<LinkScans, "slug" | "owner" | "seen">[],
  session: ClientSession,
): Promise<void> {
  const ids = links.flatMap((link) =>
    keptUnder(link).flatMap((of) => link.seen.map(({ hour }) => timeIdIn(idOfTime(of, hour), epoch))),
  );
  const stored = await readTimes<ScanHourDoc>(db, "scan_hours", [...new Set(ids)], session);
  const changed = new ChangedHours((id) => stored.get(timeIdIn(id, epoch)) ?? null);
  for (const link of links) for (const of of keptUnder(link)) changed.add(of, link.seen);
  await putTimes(db, "scan_hours", [...changed.all()], session, epoch);
}

/** By the ids that they are stored under. */
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
  epoch: number | null = null,
): Promise<void> {
  if (docs.length === 0) return;
  const puts = docs.map((doc): Update => {
    const { _id, ...replacement } = timeToStored(doc, epoch);
    return { replaceOne: { filter: { _id }, replacement, upsert: true } };
  });
  await db.collection<Stored>(name).bulkWrite(puts, { session, ordered: false });
}

/** The first hours of a stretch, what all members have of each in one. */
export function hoursOf(
  db: Db,
  of: string,
  { from, to }: TimeStretch,
  limit: number,
): Promise<ScanHourDoc[]> {
  return readHours(db, { $gte: idOfTime(of, from), $lt: idOfTime(of, to) }, limit);
}

/** The first hours behind an id. */
export function hoursBehind(db: Db, after: string | null, limit: number): Promise<ScanHourDoc[]> {
  return readHours(db, { $gte: after === null ? "" : allOfTime(after).$lt }, limit);
}

export async function hourOf(db: Db, id: string): Promise<ScanHourDoc | null> {
  const [hour] = await readHours(db, allOfTime(id), 1);
  return hour ?? null;
}

async function readHours(db: Db, ids: { $gte: string; $lt?: string }, limit: number): Promise<ScanHourDoc[]> {
  const hours = new Map<string, ScanHourDoc>();
  const read = async (range: object, options: object) => {
    const found = await db
      .collection<Stored>("scan_hours")
      .find({ _id: range }, { sort: { _id: 1 }, maxTimeMS: readMsMax, batchSize, ...options })
      .toArray();
    for (const item of found) {
      const hour = timeFromStored<ScanHourDoc>("scan_hours", item);
      const other = hours.get(hour.id);
      hours.set(hour.id, other === undefined ? hour : sumOfHours(other, hour));
    }
    return found;
  };
  for (let range = ids; ; ) {
    const found = await read(range, { limit });
    if (found.length < limit) break;
    const { _id } = found.at(-1)!;
    const next = allOfTime(timeIdOf(_id)).$lt;
    // What others have of the last hour may not have fitted.
    await read({ $gt: _id, $lt: next }, {});
    if (hours.size >= limit) break;
    range = { ...ids, $gte: next };
  }
  return [...hours.values()].slice(0, limit);
}

/** Of one owner; what members have of one hour comes one after the other. A stretch may begin and end within a day. */
export async function addTotals(
  db: Db,
  of: string,
  { from, to }: TimeStretch,
  add: AddTotals,
): Promise<void> {
  const begunFrom = (time: number) => ({ _id: { $gte: idOfTime(of, time), $lt: idOfTime(of, to) } });
  const options = { sort: { _id: 1 }, maxTimeMS: readMsMax, batchSize: hoursPerRead } as const;
  const days = db.collection<Stored>("scan_days").find(begunFrom(from - (from % dayMs)), options);
  for await (const day of days) {
    addTotalsOfDay(timeFromStored<ScanDayDoc>("scan_days", day), (hour, ...totals) => {
      if (hour >= from && hour < to) add(hour, ...totals);
    });
  }
  const hours = db
    .collection<Stored>("scan_hours")
    .find(begunFrom(from), options)
    .project<Stored>(totalsAlone);
  for await (const hour of hours) addTotalsFromStored(hour, add);
}

export async function adoptScans(
  db: Db,
  { counts = [], hours = [], days = [] }: AdoptedScans,
  session: ClientSession,
): Promise<void> {
  if (counts.length > 0) await raiseSums(db, counts, session);
  if (hours.length > 0) await adoptTimes(db, "scan_hours", hours, session);
  if (days.length > 0) await adoptTimes(db, "scan_days", days, session);
}

/** In the place of all that members have, where it is more. */
async function adoptTimes(
  db: Db,
  name: TimeName,
  docs: readonly (ScanHourDoc | ScanDayDoc)[],
  session: ClientSession,
): Promise<void> {
  const collection = db.collection<Stored>(name);
  const found = await collection
    .find({ $or: docs.map(({ id }) => ({ _id: allOfTime(id) })) }, { session, batchSize })
    .toArray();
  const stored = new Map<string, number>();
  for (const item of found) {
    const time = timeFromStored<ScanHourDoc>(name, item);
    stored.set(time.id, (stored.get(time.id) ?? 0) + scansIn(time));
  }
  const more = docs.filter((doc) => scansIn(doc) > (stored.get(doc.id) ?? -1));
  const replaced = new Set(more.map(({ id }) => id));
  const gone = found.map(({ _id }) => _id).filter((id) => replaced.has(timeIdOf(id)));
  if (gone.length > 0) await collection.deleteMany({ _id: { $in: gone } }, { session });
  await putTimes(db, name, more, session);
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
  await writing("documents", async (session) => {
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
  return { of: [...new Set(hours.map((id) => id.slice(0, id.indexOf("/"))))], next: "more" };

  async function remove(name: TimeName, ids: readonly string[], session: ClientSession): Promise<void> {
    await db.collection<Stored>(name).deleteMany({ _id: { $in: [...ids] } }, { session });
  }
}
