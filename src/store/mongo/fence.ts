/**
 * The fence: how a commit knows that nothing happened behind its owner's back.
 *
 * One document holds `{epoch, seq}`. Every write transaction first moves `seq` on by one, under the condition
 * that epoch and seq are what this process saw last. So transactions form one chain, and a transaction of
 * - an owner that lost its lease fails, because the next owner raised the epoch;
 * - an earlier attempt whose outcome nobody knows (the connection broke while it committed) either stands in
 *   the chain before the next one or never will.
 *
 * After a failure the store is unsettled. Before it reads or writes again it *settles*: it moves the fence on
 * with a plain write. That write waits for an open transaction on the document and invalidates all later ones,
 * so what is read afterwards is the truth and stays it. Taking over is the same act with a higher epoch.
 *
 * A transaction whose process died stays open on the server for up to a minute. So the document also names the
 * session that transactions run in, and settling ends what is open in it first.
 *
 * Rejected design: a version in every document. A stale owner could still write documents nobody else touched,
 * and a batch over many accounts would need as many conditions as it has documents.
 */
import {
  type Binary,
  type ClientSession,
  type Collection as MongoCollection,
  MongoServerError,
} from "mongodb";
import { commitMsMax, settleMsMax } from "../../limits.ts";
import type { Ownership } from "../ownership.ts";
import { StoreUnavailable, UniqueViolation } from "../store.ts";
import { asStoreError, type Connection, isDuplicate, within } from "./client.ts";

interface FenceDoc {
  _id: string;
  epoch: number;
  seq: number;
  /** In which the transactions of this place in the chain run. */
  session?: Binary;
}

export interface Fence {
  /** Resolves when what is read from now on includes everything this owner ever wrote. */
  settled(): Promise<void>;
  /** Runs one write transaction, after all earlier ones. */
  transaction(run: (session: ClientSession) => Promise<void>): Promise<void>;
}

const fenceId = "fence";

export function openFence({ client, db }: Connection, ownership: Ownership): Fence {
  const fences: MongoCollection<FenceDoc> = db.collection<FenceDoc>("ownership");
  /** The place in the chain after which the next transaction goes; null while unsettled. */
  let place: { epoch: number; seq: number } | null = null;
  let transactions: ClientSession | null = null;
  let settling: Promise<void> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function settle(epoch: number): Promise<void> {
    place = null;
    try {
      const { seq } = await within(settleMsMax, move(epoch));
      place = { epoch, seq };
    } catch (error) {
      // The upsert collides when the document is there but has a later epoch.
      if (!isDuplicate(error)) throw asStoreError(error);
      ownership.lost();
      throw new StoreUnavailable("Another process owns the accounts now.");
    }
  }

  async function move(epoch: number): Promise<FenceDoc> {
    const found = await fences.findOne({ _id: fenceId }, { maxTimeMS: settleMsMax });
    if (found?.session !== undefined && found.epoch <= epoch) await endSession(found.session);
    const next = client.startSession();
    const moved = await fences.findOneAndUpdate(
      { _id: fenceId, epoch: { $lte: epoch } },
      { $set: { epoch, session: next.id!.id }, $inc: { seq: 1 } },
      { upsert: true, returnDocument: "after", maxTimeMS: settleMsMax },
    );
    await transactions?.endSession();
    transactions = next;
    return moved!;
  }

  /** Everybody may end their own sessions; a database that forbids it makes us wait for the server to do so. */
  async function endSession(id: Binary): Promise<void> {
    const refused = (error: unknown) => {
      if (!(error instanceof MongoServerError)) throw error;
    };
    await client
      .db("admin")
      .command({ killSessions: [{ id }] })
      .catch(refused);
  }

  async function settled(): Promise<void> {
    const epoch = ownership.epoch();
    if (epoch === null || place?.epoch === epoch) return;
    settling ??= settle(epoch).finally(() => {
      settling = null;
    });
    await settling;
  }

  /** What waited behind one that failed has only what is left of its time: it is not to wait out a second one. */
  async function attempt(run: (session: ClientSession) => Promise<void>, asked: number): Promise<void> {
    const end = (place === null ? asked : performance.now()) + commitMsMax;
    if (performance.now() > end) throw new StoreUnavailable("MongoDB was away for too long.");
    await settled();
    const after = place;
    if (after === null || ownership.epoch() !== after.epoch) {
      throw new StoreUnavailable("This process does not own the accounts.");
    }
    try {
      await within(Math.max(end - performance.now(), 1), chained(after, end, run));
      place = { epoch: after.epoch, seq: after.seq + 1 };
    } catch (error) {
      const failure = asStoreError(error);
      // A refusal for its contents was aborted for certain: the chain stands where it was.
      if (!(failure instanceof UniqueViolation)) place = null;
      throw failure;
    }
  }

  function chained(
    after: { epoch: number; seq: number },
    end: number,
    run: (s: ClientSession) => Promise<void>,
  ) {
    const { epoch, seq } = after;
    const session = transactions!;
    return session.withTransaction(
      async () => {
        if (performance.now() > end) throw new StoreUnavailable("MongoDB was away for too long.");
        const { matchedCount } = await fences.updateOne(
          { _id: fenceId, epoch, seq },
          { $set: { seq: seq + 1 } },
          { session },
        );
        if (matchedCount === 0) throw new StoreUnavailable("The last commit's outcome was not known.");
        await run(session);
      },
      {
        readConcern: { level: "snapshot" },
        writeConcern: { w: "majority", journal: true },
        readPreference: "primary",
        maxCommitTimeMS: commitMsMax,
      },
    );
  }

  return {
    settled,
    transaction(run) {
      const asked = performance.now();
      const mine = last.then(() => attempt(run, asked));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
