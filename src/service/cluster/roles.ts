/**
 * Owner or standby: what a process does on a database that it shares.
 *
 * The one that holds the lease decides for the accounts, the others have nothing of them in memory. Becoming owner is an
 * ordinary start and stepping down an ordinary stop whose writes the fence refuses, so there is no state to carry over and
 * none that could be wrong. Before a start the fence is closed behind whoever owned before; if that one did not give the lease back, it
 * may still serve what it has in memory, and is waited for.
 *
 * Changes of role happen one after the other, whatever the lease does meanwhile. What a process counted as owner and
 * could not save is handed over while it stands by.
 */
import type { Lease } from "../../cluster/lease.ts";
import { evictionWaitMs, leaseLookMs } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import { StoreUnavailable } from "../../store/store.ts";

export interface Role {
  leave(): Promise<void>;
}

/** What the roles are made of. */
export interface Cast<Serving extends Role> {
  standBy(): Promise<Role>;
  /** Closes the fence behind all earlier owners; what it resolves with starts to serve. */
  open(epoch: number): Promise<() => Promise<Serving>>;
  /** Hands over what this process counted as owner. Tried until it succeeds or the process owns again. */
  handOver(): Promise<void>;
}

export interface RolesOptions<Serving extends Role> {
  lease: Pick<Lease, "epoch" | "hasEvicted" | "outwaited">;
  clock: Clock;
  cast: Cast<Serving>;
  log: { info(detail: object, message: string): void; warn(detail: object, message: string): void };
  /** Not of the first role. */
  changed(): void;
}

export interface Roles<Serving extends Role> {
  /** Takes the role that the lease says now. Rejects when that is not possible and waiting is of no use. */
  take(): Promise<void>;
  serving(): Serving | null;
  /** Leaves the role for good. */
  end(): Promise<void>;
}

export function createRoles<Serving extends Role>({
  lease,
  clock,
  cast,
  log,
  changed,
}: RolesOptions<Serving>): Roles<Serving> {
  /** `epoch` is that of the ownership, null without one. */
  let role: { epoch: number; serving: Serving } | { epoch: null; standby: Role } | null = null;
  let isFirst = true;
  let isOver = false;
  let turn: Promise<void> = Promise.resolve();

  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  async function takeRole(): Promise<void> {
    const epoch = lease.epoch();
    if (isOver || (role !== null && role.epoch === epoch)) return;
    if (epoch === null) {
      await leave();
      await standBy();
      log.info({}, "standing by: another process owns the database");
    } else if (await own(epoch)) log.info({ epoch }, "owner of the database");
    else return;
    if (!isFirst) changed();
    isFirst = false;
  }

  async function standBy(): Promise<void> {
    role = { epoch: null, standby: await cast.standBy() };
  }

  /**
   * False when the ownership is over before there is anything to serve from: an owner often goes because MongoDB is
   * in trouble, and then there is nothing to be had for a while.
   */
  async function own(epoch: number): Promise<boolean> {
    const isOurs = () => lease.epoch() === epoch && !isOver;
    while (isOurs()) {
      try {
        const serve = await cast.open(epoch);
        if (lease.hasEvicted()) {
          await pause(evictionWaitMs);
          if (!isOurs()) return false;
          lease.outwaited();
        }
        await leave();
        role = { epoch, serving: await serve() };
        return true;
      } catch (cause) {
        if (isFirst || !(cause instanceof StoreUnavailable)) throw cause;
        if (role === null) await standBy();
        await pause(leaseLookMs);
      }
    }
    return false;
  }

  async function handOver(): Promise<void> {
    for (let tries = 1; lease.epoch() === null && !isOver; tries++) {
      try {
        return await cast.handOver();
      } catch (cause) {
        if (tries === 1) log.warn({ err: cause }, "scans in the journal are not handed over yet");
        await pause(leaseLookMs);
      }
    }
  }

  /** What cannot be stored is in the journal. */
  async function leave(): Promise<void> {
    await leaveNow().catch((cause) => log.warn({ err: cause }, "not everything could be stored"));
  }

  async function leaveNow(): Promise<void> {
    const left = role;
    role = null;
    await (left?.epoch === null ? left.standby : left?.serving)?.leave();
  }

  return {
    take() {
      const taken = turn.then(takeRole);
      turn = taken.then(handOver);
      turn.catch(() => {});
      return taken;
    },
    serving: () => (role === null || role.epoch === null ? null : role.serving),
    async end() {
      isOver = true;
      await turn.catch(() => {});
      await leaveNow();
    },
  };
}
