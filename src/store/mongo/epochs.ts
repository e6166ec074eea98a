/**
 * Epochs: numbers of members, each given once, from a counter that only rises.
 *
 * In the version before members counted by themselves there was one fence for all owners, with the epoch of the present
 * one. Before the first number of this version is given it is shut for good, so that no process of that version can
 * write again, and numbers begin behind its last epoch: a journal says by its number alone how it is to be read.
 */
import type { Binary, Collection } from "mongodb";
import { readMsMax, settleMsMax } from "../../limits.ts";
import { asStoreError, type Connection, isDuplicate, within } from "./client.ts";
import { endSession, type FenceDoc, fencesIn } from "./fence-document.ts";

interface EpochsDoc {
  _id: string;
  /** The last one that was given. */
  last?: number;
  /** The last one under which a process of the earlier version owned; there once none of them can write any more. */
  earlier?: number;
}

const epochsId = "epochs";

function epochsIn({ db }: Pick<Connection, "db">): Collection<EpochsDoc> {
  return db.collection<EpochsDoc>("ownership");
}

/**
 * The epoch of a new member, above the given one and all that were ever given, with its fence. The fence is there before
 * anything can be owned under it, so whoever takes over from this member finds it.
 */
export async function nextEpoch(connection: Connection, above = 0, counts = true): Promise<number> {
  try {
    await within(settleMsMax, endEarlierVersion(connection));
    return await within(readMsMax, take(connection, above, counts));
  } catch (error) {
    throw asStoreError(error);
  }
}

async function take(connection: Connection, above: number, counts: boolean): Promise<number> {
  const _id = await takeNumber(connection, above);
  const fence = openFenceOf(_id);
  await fencesIn(connection).insertOne(counts ? fence : { ...fence, counts });
  return _id;
}

export function openFenceOf(_id: number): FenceDoc {
  return { _id, seq: 0, closed: false, finished: false, silent: null };
}

/** Without a fence nothing can be written under it. */
export async function takeNumber(connection: Connection, above = 0): Promise<number> {
  const next = { $add: [{ $max: ["$last", "$earlier", above] }, 1] };
  const taken = await epochsIn(connection).findOneAndUpdate({ _id: epochsId }, [{ $set: { last: next } }], {
    upsert: true,
    returnDocument: "after",
    maxTimeMS: readMsMax,
  });
  return taken!.last!;
}

interface EarlierFence {
  _id: string;
  /** Infinite when it is shut: no epoch reaches that. */
  epoch: number;
  seq: number;
  session?: Binary;
}

const earlierFenceId = "fence";

/** The epoch is put down before the fence is shut: whoever finds it shut finds the epoch. */
async function endEarlierVersion(connection: Connection): Promise<void> {
  const fences: Collection<EarlierFence> = connection.db.collection<EarlierFence>("ownership");
  for (;;) {
    const found = await fences.findOne({ _id: earlierFenceId }, { maxTimeMS: settleMsMax });
    if (found?.epoch === Number.POSITIVE_INFINITY) return;
    if (found?.session !== undefined) await endSession(connection, found.session);
    const earlier = { $max: { earlier: found?.epoch ?? 0 } };
    await epochsIn(connection).updateOne({ _id: epochsId }, earlier, { upsert: true });
    await shut(fences, found);
  }
}

/** Does nothing when it is not as it was found. */
async function shut(fences: Collection<EarlierFence>, found: EarlierFence | null): Promise<void> {
  const epoch = Number.POSITIVE_INFINITY;
  if (found === null) {
    await fences.insertOne({ _id: earlierFenceId, epoch, seq: 0 }).catch((error) => {
      if (!isDuplicate(error)) throw error;
    });
  } else {
    const asFound = { _id: earlierFenceId, epoch: found.epoch };
    await fences.updateOne(asFound, { $set: { epoch }, $inc: { seq: 1 } });
  }
}

/** The last epoch of that version; null while it may still go on. */
export async function lastEarlierEpoch(connection: Connection): Promise<number | null> {
  const found = await epochsIn(connection).findOne({ _id: epochsId }, { maxTimeMS: settleMsMax });
  return found?.earlier ?? null;
}
