/**
 * The fence: how a commit knows that nothing happened behind its owner's back.
 *
 * Every number has one document `{seq, closed, finished}`. Each write transaction under a number first moves `seq` on by
 * one, under the condition that it is what this process saw last. So its transactions form one chain, and one of
 * - an owner that lost the accounts fails, because the next owner *closed* its fence;
 * - an earlier attempt whose outcome nobody knows (the connection broke while it committed) either stands in
 *   the chain before the next one or never will.
 *
 * What a member counted is true whoever owns: counts are saved through a chain too, closed or not, until the member
 * is *finished* (`../scan-parts.ts`). Where a process is the same member whether or not it owns, it counts under one
 * number and owns under another: documents and counts are two chains then, and one otherwise.
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
import type { ClientSession, Filter } from "mongodb";
import { commitMsMax, settleMsMax } from "../../limits.ts";
import type { Ownership } from "../ownership.ts";
import { StoreUnavailable, UniqueViolation } from "../store.ts";
import { asStoreError, type Connection, within } from "./client.ts";
import { closeFence, endTransaction, type FenceDoc, fencesIn } from "./fence-document.ts";

/** What a transaction writes: documents, which takes the accounts, or what the member counted. */
export type Writing = "documents" | "counts";

export interface Fence {
  /** Resolves when what is read from now on includes everything this member ever wrote. */
  settled(): Promise<void>;
  /** Runs one write transaction, after all earlier ones. */
  transaction(writing: Writing, run: (session: ClientSession) => Promise<void>): Promise<void>;
}

interface Place {
  seq: number;
  session: ClientSession;
}

export function openFence(connection: Connection, ownership: Ownership): Fence {
  const { client } = connection;
  const fences = fencesIn(connection);
  /** The place in each chain after which its next transaction goes; none while that is unsettled. */
  const places = new Map<number, Place>();
  const settling = new Map<number, Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();
  /** The epoch in which all earlier fences were closed. */
  let closedIn: number | null = null;

  async function settle(number: number): Promise<void> {
    try {
      const { moved, session } = await within(settleMsMax, move(number));
      const isOwning = ownership.epoch() === number;
      if (isOwning && moved?.closed !== false) ownership.lost();
      if (moved === null) throw new StoreUnavailable("This process was declared finished.");
      if (isOwning && !ownership.isDeputy?.() && closedIn !== number) {
        await closeEarlier(connection, number, ownership.member());
        closedIn = number;
      }
      places.set(number, { seq: moved.seq, session });
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async function move(number: number): Promise<{ moved: FenceDoc | null; session: ClientSession }> {
    await endTransaction(connection, number);
    const session = client.startSession();
    const moved = await fences.findOneAndUpdate(
      { _id: number, finished: false },
      { $set: { session: session.id!.id }, $inc: { seq: 1 } },
      { returnDocument: "after", maxTimeMS: settleMsMax },
    );
    return { moved, session };
  }

  async function unsettle(number: number): Promise<void> {
    const place = places.get(number);
    places.delete(number);
    await place?.session.endSession();
  }

  async function settledOf(number: number): Promise<void> {
    if (places.has(number)) return;
    let running = settling.get(number);
    if (running === undefined) {
      running = settle(number).finally(() => settling.delete(number));
      settling.set(number, running);
    }
    await running;
  }

  async function settled(): Promise<void> {
    const member = ownership.member();
    if (member !== null) await settledOf(member);
    const epoch = ownership.epoch();
    if (epoch !== null && epoch !== member) await settledOf(epoch);
    for (const number of places.keys()) if (number !== member && number !== epoch) await unsettle(number);
  }

  /** What waited behind one that failed has only what is left of its time: it is not to wait out a second one. */
  async function attempt(
    writing: Writing,
    number: number | null,
    run: (session: ClientSession) => Promise<void>,
    asked: number,
  ): Promise<void> {
    const isSettled = number !== null && places.has(number);
    const end = (isSettled ? performance.now() : asked) + commitMsMax;
    if (performance.now() > end) throw new StoreUnavailable("MongoDB was away for too long.");
    await settled();
    if (number === null || numberFor(writing) !== number) throw new StoreUnavailable(refusals[writing]);
    const after = places.get(number);
    if (after === undefined) throw new StoreUnavailable("The last commit's outcome was not known.");
    try {
      await within(Math.max(end - performance.now(), 1), chained(number, after, writing, end, run));
      after.seq++;
    } catch (error) {
      const failure = asStoreError(error);
      // A refusal for its contents was aborted for certain: the chain stands where it was.
      if (!(failure instanceof UniqueViolation)) await unsettle(number).catch(() => {});
      throw failure;
    }
  }

  function numberFor(writing: Writing): number | null {
    return writing === "documents" ? ownership.epoch() : ownership.member();
  }

  function chained(
    _id: number,
    { seq, session }: Place,
    writing: Writing,
    end: number,
    run: (s: ClientSession) => Promise<void>,
  ) {
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
      // What was decided under one number is not to be written under the next.
      const number = numberFor(writing);
      const mine = last.then(() => attempt(writing, number, run, asked));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

const refusals: Record<Writing, string> = {
  documents: "This process does not own the accounts.",
  counts: "This process is no member.",
};

/** No owner before this one can commit any more. */
async function closeEarlier(connection: Connection, epoch: number, member: number | null): Promise<void> {
  const fences = fencesIn(connection);
  const close = async (open: Filter<FenceDoc>) => {
    const found = await fences.find({ ...open, closed: false }, { maxTimeMS: settleMsMax }).toArray();
    // At the same time: requests are held meanwhile.
    const closed = found.map((fence) => {
      // One that counted nothing has no journal that could be waited for.
      const changes = fence.counts === false ? { closed: true, finished: true } : { closed: true };
      return within(settleMsMax, closeFence(connection, fence, changes));
    });
    await Promise.all(closed);
  };
  await close({ _id: { $lt: epoch, $ne: member ?? epoch } });
  // Deputies may have a later number. Whoever could give more of them is shut out by now.
  await close({ under: { $exists: true, $ne: epoch } });
}
