/**
 * The lease: which process owns the accounts of a database.
 *
 * The owner counts `renewals` up in one document. A standby watches: when the count stands still for the
 * length of a lease, by the standby's own clock, it takes over with an epoch of its own, under the condition that
 * the document is still as it was seen. Only an unbroken watch counts: after a look that failed it begins anew, or the
 * first look after an outage of the database would find a count that nobody could have moved. A process that drains
 * gives the lease back, and a standby takes it at its next look, which comes at once where it is told (`hand-over.ts`).
 *
 * That a former owner cannot *write* is the fence's doing (`store/mongo/fence.ts`). That it does not *serve* what it has
 * in memory is the doing of its right to serve (`right-to-serve.ts`), which ends by itself, and of the next owner, who
 * waits for that: it has *evicted* until `outwaited` is called.
 *
 * An owner that cannot reach MongoDB stays owner, since it cannot know better. It goes on serving only while nobody
 * watches: then the database is away, or nobody is there who could take over. Standbys therefore leave a mark in the
 * document, and it counts for much longer than they need to leave it again: one that is paused leaves none, and may take
 * over when it wakes up. Who has just taken the lease counts as watched: others may have started with it, and not have
 * looked yet. Not seen by an owner that was cut off before is one that comes later: such a process cannot be told from a
 * dead one, and is followed like one.
 *
 * Where members speak with each other (`bus/`), a standby that is connected with the owner leaves no mark: it *promises*
 * the owner, again and again, not to take over for as long as a right lasts. It does so while it cannot look itself, or
 * sees renewals. So an owner goes on serving while MongoDB is away for all of them. Whose connection ends counts as one
 * that watches.
 *
 *     standby → owner → standby (lost) → …   any → released
 */
import {
  handOverLookMs,
  handOverYieldMs,
  holdMsMax,
  leaseGapMs,
  leaseLookMs,
  leaseMs,
  leaseRenewMs,
  promiseStillMsMax,
  renewalsUnderWayMax,
  rightMs,
  watchAgainRenewals,
  watchedRenewals,
} from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Ownership } from "../store/ownership.ts";
import type { Moment, RightToServe } from "./right-to-serve.ts";

export type LeaseState = "standby" | "owner" | "released";

export interface LeaseDoc {
  epoch: number;
  holder: string;
  renewals: number;
  released: boolean;
  /** The renewal that a standby saw last; null when none was seen. */
  watched: number | null;
  /** Whoever owned before may still serve. */
  evicts: boolean;
  /** Members that may still serve by what the one gave them who gave the lease back last. */
  served: readonly string[];
  /** Where other members reach the holder; null when it does not speak with them. */
  bus: string | null;
}

/** The document, wherever it is kept. Whatever fails rejects, soon, and may have been done. */
export interface LeaseRecord {
  read(): Promise<LeaseDoc | null>;
  /** A new number, above the given one and all that were ever given, and whether scans will be counted under it. */
  nextEpoch(above: number, counts: boolean): Promise<number>;
  /** False when there is one. */
  insert(first: LeaseDoc): Promise<boolean>;
  /** False when epoch or renewals are not those of `seen` any more. */
  replace(seen: LeaseDoc, next: LeaseDoc): Promise<boolean>;
  /** The document after it, null when the lease is somebody else's. */
  renew(own: Pick<LeaseDoc, "epoch" | "holder" | "evicts">): Promise<LeaseDoc | null>;
  /** Leaves the mark of a standby that saw this. */
  watch(seen: LeaseDoc): Promise<void>;
  release(own: Pick<LeaseDoc, "epoch" | "holder" | "evicts" | "served">): Promise<void>;
}

export interface LeaseOptions {
  record: LeaseRecord;
  clock: Clock;
  right: RightToServe;
  /** How long renewals have to stand still before they are taken to have ended; nothing but patience depends on it. */
  patienceMs?: number;
  /** Names this process; differs from every other's. */
  holder: string;
  /** Where other members reach it. */
  bus?: string | null;
  /** Since when all who are connected keep their promises to an owner; null when one of them has made none. */
  promisedSince?(now: Moment): Moment | null;
  /** Told of every look of a standby that succeeded: who holds the lease. */
  looked?(held: LeaseDoc | null): void;
  /** The database answered what it was asked at this moment of the steady clock. */
  reached?(asked: number): void;
  /** Called when this process becomes owner, and when it is owner no longer. */
  changed(state: LeaseState): void;
}

export interface Lease extends Ownership {
  /** Looks once, so that the first process on a database owns it when this resolves; then goes on by the clock. */
  start(): Promise<void>;
  state(): LeaseState;
  /** Whether somebody who did not give the lease back may still serve. */
  hasEvicted(): boolean;
  /** Nobody else can serve any more. */
  outwaited(): void;
  /** For an owner: somebody may watch who left no mark, since its connection was there instead. */
  mayBeWatched(): void;
  /** For a standby: how long, from now on, it will not take over from an owner; 0 for no promise. */
  promise(): number;
  /** For an owner: the epoch of the one that gave the lease back to it; null when nobody did. */
  givenBy(): number | null;
  /** For an owner: who may still serve by what the one before gave them. */
  inherited(): readonly string[];
  /** For a standby: it is to own next. What it needs for that from the database is asked for while there is time. */
  prepare(): void;
  /** For a standby: the lease is given back any moment, to this process or to another one. */
  handedOver(isToUs: boolean): void;
  /** Gives the lease back; another process can take it at once. `served` may still serve for what they were given. */
  release(served?: readonly string[]): Promise<void>;
}

export function createLease({
  record,
  clock,
  right,
  patienceMs = leaseMs,
  holder,
  bus = null,
  promisedSince = (now) => now,
  looked = () => undefined,
  reached = () => undefined,
  changed,
}: LeaseOptions): Lease {
  let state: LeaseState = "standby";
  /** As this process last knew it to be. */
  let own: LeaseDoc | null = null;
  let renewalsUnderWay = 0;
  /** As a standby; `since` and `last` are the first and the last look at this count. */
  let seen: { renewals: number; epoch: number; since: number; last: number } | null = null;
  /** What it tried to take over from, while it is not known what became of that. */
  let attempted: LeaseDoc | null = null;
  /** What it last tried to take over from, whatever became of it: who owns has done so by its last attempt. */
  let takenFrom: LeaseDoc | null = null;
  let promisedUntil = Number.NEGATIVE_INFINITY;
  /** The number that it will own under. */
  let prepared: Promise<number | null> = Promise.resolve(null);
  /** One that speaks with others is a member already, and goes on counting as that. */
  const counts = bus === null;
  let cancel: () => void = () => undefined;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  /** Until when it looks often, since the lease is on its way to another process. */
  let hurriesUntil = Number.NEGATIVE_INFINITY;
  /** Until when it leaves a lease that was given back to the one for whom it is meant. */
  let yieldsUntil = Number.NEGATIVE_INFINITY;

  function enter(next: LeaseState): void {
    if (state === next || state === "released") return;
    state = next;
    seen = null;
    if (next !== "owner") right.revoke();
    changed(next);
  }

  function renew(): void {
    const sent = right.now();
    const { epoch } = own!;
    const since = isWatched(own!) ? null : promisedSince(sent);
    if (since !== null && right.isHeld()) right.grant(since);
    if (renewalsUnderWay >= renewalsUnderWayMax) return;
    renewalsUnderWay++;
    void record
      .renew(own!)
      .then((found) => {
        reached(sent.steady);
        renewed(sent, epoch, found);
      })
      // The next one finds out.
      .catch(() => undefined)
      .finally(() => {
        renewalsUnderWay--;
      });
  }

  function isWatched({ renewals, watched }: LeaseDoc): boolean {
    return watched !== null && renewals - watched < watchedRenewals;
  }

  function renewed(sent: Moment, epoch: number, found: LeaseDoc | null): void {
    if (state !== "owner" || own!.epoch !== epoch) return;
    if (found === null) {
      enter("standby");
      return;
    }
    right.grant(sent);
    if (found.renewals <= own!.renewals) return;
    const watched = Math.max(found.watched ?? -1, own!.watched ?? -1);
    own = { ...found, evicts: own!.evicts, watched: watched < 0 ? null : watched };
  }

  async function look(): Promise<void> {
    const began = right.now().steady;
    const found = await record.read().catch((error) => {
      seen = null;
      throw error;
    });
    reached(began);
    // It says how things were before this process was paused.
    if (right.now().steady - began >= leaseGapMs) {
      seen = null;
      return;
    }
    // Epoch and count only rise: what was tried under these conditions cannot be done any more.
    if (!isSame(attempted, found)) attempted = null;
    looked(found?.released === false ? found : null);
    if (found?.released && right.now().steady < yieldsUntil) return;
    if (found !== null && !found.released) {
      // An earlier attempt to take it landed after we stopped waiting for it.
      if (found.holder === holder) return take(found, null);
      if (!isUnbroken(found, began)) {
        const now = right.now().steady;
        seen = { epoch: found.epoch, renewals: found.renewals, since: now, last: now };
      }
      seen!.last = began;
      const isPromised = () => right.now().steady < promisedUntil;
      const isMarked = found.watched !== null && found.renewals - found.watched < watchAgainRenewals;
      if (!isPromised() && !isMarked) await record.watch(found);
      if (isPromised() || began - seen!.since < patienceMs) return;
    }
    await takeOver(found);
  }

  function isUnbroken(found: LeaseDoc, now: number): boolean {
    if (seen === null || seen.epoch !== found.epoch || seen.renewals !== found.renewals) return false;
    return now - seen.last < leaseGapMs;
  }

  async function takeOver(found: LeaseDoc | null): Promise<void> {
    const evicts = found !== null && (!found.released || found.evicts);
    const began = right.now().steady;
    // From here on nothing is promised any more.
    attempted = found;
    takenFrom = found;
    const epoch = await epochAbove(found?.epoch ?? 0).catch((error) => {
      attempted = null;
      throw error;
    });
    if (right.now().steady - began >= leaseGapMs) {
      attempted = null;
      return;
    }
    const next: LeaseDoc = {
      epoch,
      holder,
      renewals: 0,
      released: false,
      watched: 0,
      evicts,
      served: found?.released ? found.served : [],
      bus,
    };
    const sent = right.now();
    const taken = found === null ? await record.insert(next) : await record.replace(found, next);
    attempted = null;
    if (taken) take(next, sent);
  }

  /** A prepared one is of use as long as nobody else has owned since. */
  async function epochAbove(epoch: number): Promise<number> {
    const number = await prepared;
    prepared = Promise.resolve(null);
    return number !== null && number > epoch ? number : record.nextEpoch(epoch, counts);
  }

  function take(taken: LeaseDoc, sent: Moment | null): void {
    own = taken;
    if (sent !== null) right.grant(sent);
    enter("owner");
  }

  function schedule(): void {
    if (state === "released") return;
    const lookMs = right.now().steady < hurriesUntil ? handOverLookMs : leaseLookMs;
    cancel = clock.after(state === "owner" ? leaseRenewMs : lookMs, turn);
  }

  function turn(): void {
    if (state === "owner") {
      renew();
      schedule();
      return;
    }
    isLooking = true;
    // A failed look changes nothing but that the watch begins anew.
    looking = look()
      .catch(() => undefined)
      .then(() => {
        isLooking = false;
        schedule();
      });
  }

  return {
    async start() {
      await look();
      schedule();
    },
    state: () => state,
    epoch: () => (state === "owner" ? own!.epoch : null),
    member: () => own?.epoch ?? null,
    lost: () => enter("standby"),
    mayServe: () => right.isHeld(),
    hasEvicted: () => state === "owner" && own!.evicts,
    outwaited() {
      if (own !== null) own = { ...own, evicts: false };
    },
    mayBeWatched() {
      if (own !== null) own = { ...own, watched: own.renewals };
    },
    promise() {
      const now = right.now().steady;
      const isStill = seen !== null && now - seen.since >= promiseStillMsMax;
      if (state !== "standby" || attempted !== null || isStill) return 0;
      promisedUntil = now + rightMs;
      return rightMs;
    },
    givenBy: () => (takenFrom?.released ? takenFrom.epoch : null),
    inherited: () => own?.served ?? [],
    prepare() {
      prepared = record.nextEpoch(0, counts).catch(() => null);
    },
    handedOver(isToUs) {
      if (state !== "standby") return;
      const { steady } = right.now();
      hurriesUntil = steady + holdMsMax;
      yieldsUntil = isToUs ? Number.NEGATIVE_INFINITY : steady + handOverYieldMs;
      if (isLooking) return;
      cancel();
      turn();
    },
    async release(served = []) {
      cancel();
      await looking;
      cancel();
      const held = state === "owner";
      enter("released");
      if (held) await record.release({ ...own!, served }).catch(() => undefined);
    },
  };
}

function isSame(attempted: LeaseDoc | null, found: LeaseDoc | null): boolean {
  return attempted?.epoch === found?.epoch && attempted?.renewals === found?.renewals;
}
