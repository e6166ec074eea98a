/** Epochs: numbers of members, each given once, from a counter that only rises. */
import type { Collection } from "mongodb";
import { readMsMax } from "../../limits.ts";
import { asStoreError, type Connection, within } from "./client.ts";
import { type FenceDoc, fencesIn } from "./fence-document.ts";

export interface EpochsDoc {
  _id: string;
  /** The last one that was given. */
  last?: number;
  /** The last one under which a process of an earlier version owned; there once none of them can write any more. */
  earlier?: number;
}

export const epochsId = "epochs";

export function epochsIn({ db }: Pick<Connection, "db">): Collection<EpochsDoc> {
  return db.collection<EpochsDoc>("ownership");
}

/**
 * The epoch of a new member, above the given one and all that were ever given, with its fence. The fence is there before
 * anything can be owned under it, so whoever takes over from this member finds it.
 */
export function nextEpoch(connection: Connection, above = 0, counts = true): Promise<number> {
  return within(readMsMax, take(connection, above, counts)).catch((error) => {
    throw asStoreError(error);
  });
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
  const next = { $add: [{ $max: [{ $ifNull: ["$last", 0] }, above] }, 1] };
  const taken = await epochsIn(connection).findOneAndUpdate({ _id: epochsId }, [{ $set: { last: next } }], {
    upsert: true,
    returnDocument: "after",
    maxTimeMS: readMsMax,
  });
  return taken!.last!;
}
