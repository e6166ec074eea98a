/** Parts of members that are gone, on MongoDB: see `../scan-parts.ts`. */
import type { Filter } from "mongodb";
import type { LinkScans, SeenScans } from "../../domain/analytics/link-scans.ts";
import { dayMs, hourMs } from "../../domain/analytics/zone.ts";
import { journalKeptDays, partsPerFold, readMsMax } from "../../limits.ts";
import type { Millis } from "../../runtime/clock.ts";
import type { ScanParts } from "../scan-parts.ts";
import { StoreUnavailable } from "../store.ts";
import type { Connection } from "./client.ts";
import type { Stored } from "./documents.ts";
import { partsOfEarlier, readEarlierCounts, storedThen } from "./earlier-version.ts";
import { lastEarlierEpoch } from "./epochs.ts";
import { type Fence, openFence } from "./fence.ts";
import { closeFence, closeFenceOf, type FenceDoc, fencesIn } from "./fence-document.ts";
import { partId, type ScanWriting, saveParts } from "./scans.ts";
import { addToSums } from "./sums.ts";

/** What the earlier version put down for its owner of a journal that was found. */
interface LeftScans {
  _id: string;
  slug: string;
  epoch: number;
  count: number;
  hour?: Millis | null;
  seen?: SeenScans[];
  off?: number;
}

export function openParts(
  connection: Connection,
  { db, reading, writing }: ScanWriting,
  owns: () => boolean,
): ScanParts {
  const fences = fencesIn(connection);
  const parts = db.collection<Stored>("scan_parts");
  const left = db.collection<LeftScans>("left_scans");
  /** Of members whose journal is being read here. */
  const chains = new Map<number, Fence>();

  function chainOf(epoch: number): Fence {
    let chain = chains.get(epoch);
    if (chain === undefined) {
      chain = openFence(connection, {
        epoch: () => null,
        member: () => epoch,
        lost() {},
        mayServe: () => false,
      });
      chains.set(epoch, chain);
    }
    return chain;
  }

  /** Whether it was one of the earlier version. Those are never finished: what is left of their parts is little. */
  async function isEarlier(epoch: number): Promise<boolean> {
    const last = await lastEarlierEpoch(connection);
    if (last === null) throw new StoreUnavailable("An earlier version may still own the accounts.");
    if (epoch > last) return false;
    const first: Omit<FenceDoc, "_id"> = { seq: 0, closed: true, finished: false, silent: null };
    await fences.updateOne({ _id: epoch }, { $setOnInsert: first }, { upsert: true });
    return true;
  }

  async function save(epoch: number, scans: readonly LinkScans[]): Promise<void> {
    let own = scans;
    if (await reading(() => isEarlier(epoch))) {
      const slugs = scans.map(({ slug }) => slug);
      own = partsOfEarlier(scans, epoch, await reading(() => readEarlierCounts(connection, slugs)));
    }
    if (own.length === 0) return;
    await chainOf(epoch).transaction("counts", (session) => saveParts(db, epoch, own, session));
  }

  async function foldEpoch(epoch: number, folded: (slugs: readonly string[]) => void): Promise<void> {
    for (;;) {
      const found = await reading(() => parts.find({ epoch }, some).project({ _id: 1 }).toArray());
      if (found.length === 0) break;
      const ids = found.map(({ _id }) => _id as string);
      let more = new Map<string, number>();
      await writing("documents", async (session) => {
        const still = await parts.find({ _id: { $in: ids } }, { session, batchSize: partsPerFold }).toArray();
        more = new Map(still.map(({ slug, count }) => [slug as string, count as number]));
        if (more.size > 0) await addToSums(db, more, session);
        await parts.deleteMany({ _id: { $in: ids } }, { session });
      });
      folded([...more.keys()]);
    }
    await reading(() => fences.deleteOne({ _id: epoch, finished: true }));
  }

  /** Whoever has been silent for so long has lost its disk. */
  async function finishSilent(now: Millis): Promise<void> {
    const last = await lastEarlierEpoch(connection);
    const silent = { _id: { $gt: last ?? Number.POSITIVE_INFINITY }, closed: true, finished: false };
    await fences.updateMany({ ...silent, silent: null }, { $set: { silent: now } });
    const since = now - journalKeptDays * dayMs;
    const found = await fences.find({ ...silent, silent: { $lt: since } }, some).toArray();
    for (const fence of found) await closeFence(connection, fence, { finished: true });
  }

  /** What the earlier version left to its owner. */
  async function takeLeft(now: Millis): Promise<void> {
    for (;;) {
      const found = await reading(() => left.find({}, some).toArray());
      if (found.length === 0) return;
      for (const each of found) {
        const code = await reading(() => db.collection<Stored>("codes").findOne({ slug: each.slug }));
        await save(each.epoch, [linkScans(each, code, now)]);
        await reading(() => left.deleteOne({ _id: each._id }));
      }
    }
  }

  return {
    stored: (epoch, slugs) =>
      reading(async () => {
        const wasEarlier = await isEarlier(epoch);
        const fence = await fences.findOne({ _id: epoch }, { maxTimeMS: readMsMax });
        if (fence === null || fence.finished) return null;
        await chainOf(epoch).settled();
        const ids = slugs.map((slug) => partId(slug, epoch));
        const found = await parts.find({ _id: { $in: ids } }, { batchSize: ids.length + 1 }).toArray();
        const own = new Map(found.map(({ slug, count }) => [slug as string, count as number]));
        const then = wasEarlier ? await readEarlierCounts(connection, slugs) : null;
        return slugs.map((slug) => {
          const before = then === null ? 0 : storedThen(then.get(slug) ?? null, epoch);
          return before + (own.get(slug) ?? 0);
        });
      }),

    save,

    async finish(epoch) {
      chains.delete(epoch);
      await reading(async () => {
        if (await isEarlier(epoch)) return;
        await closeFenceOf(connection, epoch, { closed: true, finished: true });
      });
    },

    async fold(now, folded) {
      if (!owns()) return;
      await takeLeft(now);
      await reading(() => finishSilent(now));
      const finished = await reading(() => fences.find({ finished: true }, some).toArray());
      for (const { _id } of finished) await foldEpoch(_id, folded);
    },

    left: (present) =>
      reading(async () => {
        const last = await lastEarlierEpoch(connection);
        const isOther = { $gt: last ?? 0, $nin: [...present] };
        const awaited: Filter<FenceDoc> = { _id: isOther, finished: false, counts: { $ne: false } };
        const [toFold, others] = await Promise.all([
          fences.countDocuments({ finished: true }, { maxTimeMS: readMsMax }),
          fences.countDocuments(awaited, { maxTimeMS: readMsMax }),
        ]);
        return { toFold, awaited: others };
      }),
  };
}

const some = { limit: partsPerFold, maxTimeMS: readMsMax } as const;

function linkScans({ slug, count, hour, seen, off }: LeftScans, code: Stored | null, now: Millis): LinkScans {
  const isOn = code?.analytics_enabled === true;
  return {
    slug,
    count,
    owner: code && { project_id: code.project_id as string, account_id: code.account_id as string },
    seen: isOn ? (seen ?? []) : [],
    off: isOn ? (off ?? 0) : count,
    otherwise: isOn ? (hour ?? now - (now % hourMs)) : null,
  };
}
