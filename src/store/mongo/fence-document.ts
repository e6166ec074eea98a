/** The document of a member's fence, and how it is closed: see `fence.ts`. */
import { type Binary, type Collection, MongoServerError } from "mongodb";
import { settleMsMax } from "../../limits.ts";
import type { Millis } from "../../runtime/clock.ts";
import type { Connection } from "./client.ts";

export interface FenceDoc {
  /** Of the member, or of what it owns under. */
  _id: number;
  seq: number;
  /** No commits any more. */
  closed: boolean;
  /** No counts any more either. */
  finished: boolean;
  /** False of one that scans are never counted under. */
  counts?: false;
  /** Of a deputy: the epoch of who gave it. */
  under?: number;
  /** Since when it is closed and nothing was heard of it. */
  silent: Millis | null;
  /** In which the transactions of this place in the chain run. */
  session?: Binary;
}

export function fencesIn({ db }: Pick<Connection, "db">): Collection<FenceDoc> {
  return db.collection<FenceDoc>("fences");
}

type Closing = Partial<Pick<FenceDoc, "closed" | "finished">>;

/** Afterwards no transaction of that member is under way, and none that this shuts out will ever be. */
export async function closeFence(
  connection: Connection,
  { _id, session }: Pick<FenceDoc, "_id" | "session">,
  closing: Closing,
): Promise<void> {
  // Should it have another one by now, the server waits for that one's transaction.
  if (session !== undefined) await endSession(connection, session);
  await fencesIn(connection).updateOne({ _id }, { $set: closing }, { maxTimeMS: settleMsMax });
}

export async function closeFenceOf(connection: Connection, member: number, closing: Closing): Promise<void> {
  const found = await fenceOf(connection, member);
  if (found !== null) await closeFence(connection, found, closing);
}

export async function endTransaction(connection: Connection, member: number): Promise<void> {
  const found = await fenceOf(connection, member);
  if (found?.session !== undefined) await endSession(connection, found.session);
}

function fenceOf(connection: Connection, member: number): Promise<FenceDoc | null> {
  return fencesIn(connection).findOne({ _id: member }, { maxTimeMS: settleMsMax });
}

/** Everybody may end their own sessions; a database that forbids it makes us wait for the server to do so. */
export async function endSession({ client }: Pick<Connection, "client">, id: Binary): Promise<void> {
  const refused = (error: unknown) => {
    if (!(error instanceof MongoServerError)) throw error;
  };
  await client
    .db("admin")
    .command({ killSessions: [{ id }] })
    .catch(refused);
}
