/**
 * The lease: which process owns the accounts of a database.
 *
 * The owner counts `renewals` up in one document. A standby watches: when the count stands still for the
 * length of a lease, by the standby's own clock, it takes over with the next epoch, under the condition that
 * the document is still as it was seen. No two clocks are ever compared. A process that drains gives the lease
 * back, and a standby takes it at its next look.
 *
 * The lease only says who *should* write. That nobody else *can* is the fence's doing (`store/mongo/fence.ts`), so a
 * paused owner that wakes up late does no harm. An owner that cannot reach MongoDB stays owner, since nobody
 * else can take over meanwhile either; when it is back, its next renewal tells.
 *
 *     standby → owner → standby (lost) → …   any → released
 */
import type { Collection as MongoCollection } from "mongodb";
import { leaseLookMs, leaseMs, leaseRenewMs, readMsMax } from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import { asStoreError, type Connection, isDuplicate, within } from "../store/mongo/client.ts";
import type { Ownership } from "../store/ownership.ts";

export type LeaseState = "standby" | "owner" | "released";

interface LeaseDoc {
  _id: string;
  epoch: number;
  holder: string;
  renewals: number;
  released: boolean;
}

export interface LeaseOptions {
  connection: Connection;
  clock: Clock;
  /** Names this process; differs from every other's. */
  holder: string;
  /** Called when this process becomes owner, and when it is owner no longer. */
  changed(state: LeaseState): void;
}

export interface Lease extends Ownership {
  /** Looks once, so that the first process on a database owns it when this resolves; then goes on by the clock. */
  start(): Promise<void>;
  state(): LeaseState;
  /** Gives the lease back; another process can take it at once. */
  release(): Promise<void>;
}

const leaseId = "lease";

export function createLease({ connection, clock, holder, changed }: LeaseOptions): Lease {
  const leases: MongoCollection<LeaseDoc> = connection.db.collection<LeaseDoc>("ownership");
  let state: LeaseState = "standby";
  let epoch = 0;
  let seen: { renewals: number; epoch: number; since: number } | null = null;
  let cancel: () => void = () => undefined;
  let working: Promise<void> = Promise.resolve();

  function enter(next: LeaseState): void {
    if (state === next || state === "released") return;
    state = next;
    seen = null;
    changed(next);
  }

  async function renew(): Promise<void> {
    const renewed = await within(
      readMsMax,
      leases.updateOne({ _id: leaseId, epoch, holder, released: false }, { $inc: { renewals: 1 } }),
    );
    if (renewed.matchedCount !== 1) enter("standby");
  }

  async function look(): Promise<void> {
    const began = clock.now();
    const found = await within(readMsMax, leases.findOne({ _id: leaseId }, { maxTimeMS: readMsMax }));
    if (found && !found.released) {
      // An earlier attempt to take it landed after we stopped waiting for it.
      if (found.holder === holder) return own(found.epoch);
      if (seen?.epoch !== found.epoch || seen.renewals !== found.renewals) {
        seen = { epoch: found.epoch, renewals: found.renewals, since: began };
      }
      if (clock.now() - seen.since < leaseMs) return;
    }
    await take(found);
  }

  async function take(found: LeaseDoc | null): Promise<void> {
    const next = { epoch: (found?.epoch ?? 0) + 1, holder, renewals: 0, released: false };
    if (found === null) {
      const first = await within(
        readMsMax,
        leases
          .insertOne({ _id: leaseId, ...next })
          .catch((error) => (isDuplicate(error) ? null : Promise.reject(error))),
      );
      if (first === null) return;
    } else {
      const { epoch, renewals } = found;
      const taken = await within(
        readMsMax,
        leases.updateOne({ _id: leaseId, epoch, renewals }, { $set: next }),
      );
      if (taken.modifiedCount !== 1) return;
    }
    own(next.epoch);
  }

  function own(taken: number): void {
    epoch = taken;
    enter("owner");
  }

  async function step(): Promise<void> {
    // A failed step changes nothing: the next one finds out.
    await (state === "owner" ? renew() : look()).catch(() => undefined);
    schedule();
  }

  function schedule(): void {
    if (state === "released") return;
    cancel = clock.after(state === "owner" ? leaseRenewMs : leaseLookMs, () => {
      working = step();
    });
  }

  return {
    async start() {
      await look().catch((error) => {
        throw asStoreError(error);
      });
      schedule();
    },
    state: () => state,
    epoch: () => (state === "owner" ? epoch : null),
    lost: () => enter("standby"),
    async release() {
      cancel();
      await working;
      cancel();
      const held = state === "owner";
      enter("released");
      if (!held) return;
      const given = leases.updateOne({ _id: leaseId, epoch, holder }, { $set: { released: true } });
      await within(readMsMax, given).catch(() => undefined);
    },
  };
}
