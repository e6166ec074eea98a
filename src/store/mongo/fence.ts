/**
 * The fence: how a commit knows that nothing happened behind its owner's back.
 *
 * Every member has one document `{seq, closed, finished}`. Each write transaction of a member first moves `seq` on by
 * one, under the condition that it is what this process saw last. So its transactions form one chain, and one of
 * - an owner that lost the accounts fails, because the next owner *closed* its fence;
 * - an earlier attempt whose outcome nobody knows (the connection broke while it committed) either stands in
 *   the chain before the next one or never will.
 *
 * What a member counted is true whoever owns: counts are saved through the chain too, closed or not, until the member
 * is *finished* (`../scan-parts.ts`).
 *
 * After a failure the store is unsettled. Before it reads or writes again it *settles*: it moves the fence on
 * with a plain write. That write waits for an open transaction on the document and invalidates all later ones,
 * so what is read afterwards is the truth and stays it. Whoever takes the accounts over closes the fences of all
 * earlier members first, in the same way.
 *
 * A transaction whose process died stays open on the server for up to a minute. So the document also names the
 * session that transactions run in, and settling ends what is open in it first.
 *
 * Rejected designs: a version in every document, since a stale owner could still write documents nobody else touched,
 * and a batch over many accounts would need as many conditions as it has documents. One document for all members: two
 * of them could not write at the same time.
 */
import type { ClientSession } from "mongodb";
import { commitMsMax, settleMsMax } from "../../limits.ts";
import type { Ownership } from "../ownership.ts";
import { StoreUnavailable, UniqueViolation } from "../store.ts";
import { asStoreError, type Connection, within } from "./client.ts";
import { endEarlierVersion } from "./earlier-version.ts";
import { closeFence, endTransaction, type FenceDoc, fencesIn } from "./fence-document.ts";

/** What a transaction writes: documents, which takes the accounts, or what the member counted. */
export type Writing = "documents" | "counts";

export interface Fence {
  /** Resolves when what is read from now on includes everything this member ever wrote. */
  settled(): Promise<void>;
  /** Runs one write transaction, after all earlier ones. */
  transaction(writing: Writing, run: (session: ClientSession) => Promise<void>): Promise<void>;
}

type Place = Pick<FenceDoc, "_id" | "seq">;

export function openFence(connection: Connection, ownership: Ownership): Fence {
  const { client } = connection;
  const fences = fencesIn(connection);
  /** The place in the chain after which the next transaction goes; null while unsettled. */
  let place: Place | null = null;
  let transactions: ClientSession | null = null;
  let settling: Promise<void> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  /** The epoch in which all earlier fences were closed. */
  let closedIn: number | null = null;

  async function settle(member: number): Promise<void> {
    place = null;
    try {
      const moved = await within(settleMsMax, move(member));
      if (ownership.epoch() === member && moved?.closed !== false) ownership.lost();
      if (moved === null) throw new StoreUnavailable("This process was declared finished.");
      if (ownership.epoch() === member && closedIn !== member) {
        await closeEarlier(connection, member);
        closedIn = member;
      }
      place = { _id: member, seq: moved.seq };
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async function move(member: number): Promise<FenceDoc | null> {
    await endTransaction(connection, member);
    const next = client.startSession();
    const moved = await fences.findOneAndUpdate(
      { _id: member, finished: false },
      { $set: { session: next.id!.id }, $inc: { seq: 1 } },
      { returnDocument: "after", maxTimeMS: settleMsMax },
    );
    await transactions?.endSession();
    transactions = next;
    return moved;
  }

  async function settled(): Promise<void> {
    const member = ownership.member();
    if (member === null || place?._id === member) return;
    settling ??= settle(member).finally(() => {
      settling = null;
    });
    await settling;
  }

  /** What waited behind one that failed has only what is left of its time: it is not to wait out a second one. */
  async function attempt(
    writing: Writing,
    run: (session: ClientSession) => Promise<void>,
    asked: number,
  ): Promise<void> {
    const end = (place === null ? asked : performance.now()) + commitMsMax;
    if (performance.now() > end) throw new StoreUnavailable("MongoDB was away for too long.");
    await settled();
    const after = place;
    if (after === null || ownership.member() !== after._id) {
      throw new StoreUnavailable("This process is no member.");
    }
    if (writing === "documents" && ownership.epoch() !== after._id) {
      throw new StoreUnavailable("This process does not own the accounts.");
    }
    try {
      await within(Math.max(end - performance.now(), 1), chained(after, writing, end, run));
      place = { ...after, seq: after.seq + 1 };
    } catch (error) {
      const failure = asStoreError(error);
      // A refusal for its contents was aborted for certain: the chain stands where it was.
      if (!(failure instanceof UniqueViolation)) place = null;
      throw failure;
    }
  }

  function chained(
    { _id, seq }: Place,
    writing: Writing,
    end: number,
    run: (s: ClientSession) => Promise<void>,
  ) {
    const session = transactions!;
    return session.withTransaction(
      async () => {
        if (performance.now() > end) throw new StoreUnavailable("MongoDB was away for too long.");
        const { matchedCount } = await fences.updateOne(
          { _id, seq, ...(writing === "documents" ? { closed: false } : { finished: false }) },
          { $set: { seq: seq + 1, silent: null } },
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
    transaction(writing, run) {
      const asked = performance.now();
      const mine = last.then(() => attempt(writing, run, asked));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** No member before this one, and no process of an earlier version, can commit any more. */
async function closeEarlier(connection: Connection, member: number): Promise<void> {
  const fences = fencesIn(connection);
  const open = { _id: { $lt: member }, closed: false };
  const found = await fences.find(open, { maxTimeMS: settleMsMax }).project({ _id: 1 }).toArray();
  for (const { _id } of found) await within(settleMsMax, closeFence(connection, _id, { closed: true }));
  await within(settleMsMax, endEarlierVersion(connection));
}
