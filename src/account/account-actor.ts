/**
 * The actor of one account: the only writer of everything the account owns.
 *
 * A command runs in three steps. *Prefetch* loads the documents that it names. *Apply* is synchronous: it
 * decides on memory, changes memory and hands its writes to the group commit. The answer, refusals too, then passes
 * the *output gate*.
 *
 * After a failed commit nothing is patched back. The actor is gone, its waiting answers become 503, and the
 * next request loads the stored truth into a new one.
 */

import { effectiveLimits, type Plan, type Plans, planOf } from "../domain/account/plans.ts";
import {
  dayMs,
  exactWindows,
  meterOf,
  minuteMs,
  type RateMeter,
  takeRequest,
  usedNow,
} from "../domain/account/rate-window.ts";
import type { AccountView, Command, Need } from "../domain/command.ts";
import type {
  AccountDoc,
  AnswerDoc,
  CodeDoc,
  KeyDoc,
  PlanLimits,
  ProjectDoc,
  StoredWindow,
  Write,
} from "../domain/documents.ts";
import { ApiError, unavailable } from "../domain/errors.ts";
import { mailboxCommandsMax } from "../limits.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Clock, Millis } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";
import type { CommitOwner, GroupCommit } from "./group-commit.ts";
import type { LeftMeters } from "./left-meters.ts";
import { OutputGate, type WayOut } from "./output-gate.ts";
import { WorkingSet } from "./working-set.ts";

/**
 * live → draining (idle, storing its last figures) → gone
 * live → gone (a commit failed)
 * An actor that is being loaded is a promise in the directory.
 */
export type ActorState = "live" | "draining" | "gone";

/** What the rest of the process is told about durable changes. */
export interface Changes {
  /** The write is stored. Runs before the answer that announces it leaves. */
  durable(write: Write): void;
  /** It is not known whether the write is stored: whatever was derived from the document is void. */
  uncertain(write: Write): void;
}

export interface ActorContext {
  store: Store;
  commits: GroupCommit;
  clock: Clock;
  plans: Plans;
  changes: Changes;
  /** Where other members decide for some of the accounts. */
  elsewhere?: { owns(accountId: string): boolean; usage(accountId: string): Promise<Usage> };
}

/** A request that passed the door: its key, and the state of the key's windows for the answer's headers. */
export interface Admission {
  accountId: string;
  keyId: string;
  limits: PlanLimits;
  /** When it passed, and the windows as they were then. */
  at: Millis;
  second: StoredWindow;
  minute: StoredWindow;
  day: StoredWindow;
  /** For the answer, which must not leave before the windows are stored. */
  wayOut: WayOut;
  /** Null when the request may go on. */
  refusal: ApiError | null;
}

/** Requests in the minute and the day of the clock. */
export interface KeyUsage {
  minute: number;
  day: number;
}

export interface Usage extends KeyUsage {
  projects: number;
}

/** A refusal is returned, not thrown: it must pass the gate like any other answer. */
type Outcome<R> = { answer: R } | ApiError;

function answerOf<R>(outcome: Outcome<R>): R {
  if (outcome instanceof ApiError) throw outcome;
  return outcome.answer;
}

export class AccountActor implements CommitOwner, AccountView {
  readonly id: string;
  state: ActorState = "live";
  /** When the actor last had something to do. */
  touchedAt: number;
  readonly output = new OutputGate();
  readonly #context: ActorContext;
  readonly #working: WorkingSet;
  readonly #keys = new Map<string, KeyDoc>();
  readonly #meters = new Map<string, RateMeter>();
  #account: AccountDoc;
  /** What the limits in force were made of stays the same when other fields of the account change. */
  #limits: { plan: AccountDoc["plan"]; own: AccountDoc["limits"]; inForce: PlanLimits } | null = null;
  #commandsInFlight = 0;
  #whenDone: (() => void)[] = [];
  readonly #left: LeftMeters;
  readonly #onGone: (actor: AccountActor) => void;

  constructor(
    account: AccountDoc,
    keys: KeyDoc[],
    context: ActorContext,
    left: LeftMeters,
    onGone: (actor: AccountActor) => void,
  ) {
    this.id = account.id;
    this.#account = account;
    this.#context = context;
    this.#left = left;
    this.#onGone = onGone;
    this.#working = new WorkingSet(context.store, account.id);
    for (const key of keys) {
      this.#keys.set(key.id, key);
      const meter = left.take(key.id);
      if (meter !== null) this.#meters.set(key.id, meter);
    }
    this.touchedAt = context.clock.now();
  }

  /** The door: is the key live, is access enabled, do the windows have room? Takes one request out of them. */
  admit(keyId: string): Admission {
    this.#requireLive();
    const now = this.#context.clock.now();
    this.touchedAt = now;
    const key = this.#keys.get(keyId);
    if (key === undefined || key.revoked_at !== null) throw new ApiError("unauthorized");
    if (!this.#account.api_access) throw new ApiError("api_access_disabled");
    const { limits } = this;
    const meter = this.#meter(key);
    const verdict = takeRequest(meter, limits, now);
    if (verdict.store !== null) {
      this.#write([{ collection: "keys", put: { ...key, ...verdict.store, last_used_at: now } }]);
    }
    return {
      accountId: this.id,
      keyId,
      limits,
      at: now,
      second: { ...meter.second },
      minute: { ...meter.minute },
      day: { ...meter.day },
      wayOut: this.output.now(),
      refusal: verdict.refused === null ? null : new ApiError(verdict.refused, undefined, verdict.retryAfter),
    };
  }

  /** Its answer, at once where there is nothing to wait for. */
  run<R>(command: Command<R>): AtOnce<R> {
    this.#requireLive();
    if (this.#commandsInFlight >= mailboxCommandsMax || !this.#context.commits.hasRoom()) {
      throw unavailable("Too many requests are waiting. Try again shortly.");
    }
    const now = this.#context.clock.now();
    this.touchedAt = now;
    this.#commandsInFlight++;
    const needs = command.needs(this.#account);
    try {
      if (this.#working.borrow(needs)) return this.#decide(command, now, []);
    } finally {
      this.#working.giveBack();
    }
    return this.#decideAfter(this.#working.pin(needs), command, needs);
  }

  async #decideAfter<R>(first: Promise<unknown> | null, command: Command<R>, needs: Need[]): Promise<R> {
    try {
      for (let reading = first; reading !== null; ) {
        await reading;
        this.#assertLive();
        // What it needs may have changed with the account while it waited.
        const more = command
          .needs(this.#account)
          .filter((need) => !needs.some((held) => held.id === need.id));
        needs.push(...more);
        reading = this.#working.pin(more);
      }
    } catch (cause) {
      this.#end(needs);
      throw cause;
    }
    return this.#decide(command, this.#context.clock.now(), needs);
  }

  /** What is decided waits at the gate. */
  #decide<R>(command: Command<R>, now: Millis, held: readonly Need[]): AtOnce<R> {
    let outcome: Outcome<R>;
    try {
      this.#assertLive();
      outcome = this.#apply(command, now);
    } catch (cause) {
      this.#end(held);
      throw cause;
    }
    const end = () => this.#end(held);
    if (!this.output.isOpen) return this.output.now().pass(() => answerOf(outcome), "change", end);
    end();
    return answerOf(outcome);
  }

  #end(needs: readonly Need[]): void {
    this.#working.unpin(needs);
    this.#commandsInFlight--;
    if (this.#commandsInFlight === 0) for (const resolve of this.#whenDone.splice(0)) resolve();
  }

  usage(): Usage {
    const usage = { minute: 0, day: 0, projects: this.#account.project_count ?? 0 };
    for (const { minute, day } of this.keyUsage().values()) {
      usage.minute += minute;
      usage.day += day;
    }
    return usage;
  }

  /** Requests of each key, by its id. */
  keyUsage(): Map<string, KeyUsage> {
    const now = this.#context.clock.now();
    const usage = new Map<string, KeyUsage>();
    for (const key of this.#keys.values()) {
      const { minute, day } = this.#meters.get(key.id) ?? key;
      usage.set(key.id, { minute: usedNow(minute, minuteMs, now), day: usedNow(day, dayMs, now) });
    }
    return usage;
  }

  get commandsInFlight(): number {
    return this.#commandsInFlight;
  }

  get isIdle(): boolean {
    return this.#commandsInFlight === 0 && this.output.isOpen;
  }

  /** Resolves when it is idle, or gone. Nobody may give it anything to do any more. */
  async quiet(): Promise<void> {
    while (this.state !== "gone" && !this.isIdle) {
      if (this.#commandsInFlight === 0)
        await this.output
          .now()
          .pass(() => {}, "change")
          .catch(() => {});
      else await new Promise<void>((resolve) => this.#whenDone.push(resolve));
    }
  }

  /** Stores the exact rate windows and leaves. Only an idle actor may be asked to. */
  async passivate(): Promise<void> {
    this.state = "draining";
    const writes: Write[] = [];
    for (const [id, meter] of this.#meters) {
      const key = this.#keys.get(id)!;
      const windows = exactWindows(meter, key);
      if (windows !== null) writes.push({ collection: "keys", put: { ...key, ...windows } });
    }
    let isStored = false;
    try {
      if (writes.length > 0) await this.#write(writes);
      isStored = true;
    } finally {
      this.#leave(isStored);
    }
  }

  committed(writes: Iterable<Write>): void {
    for (const write of writes) {
      this.#working.committed(write);
      this.#context.changes.durable(write);
    }
  }

  commitFailed(writes: Iterable<Write>): void {
    this.#leave(false);
    for (const write of writes) this.#context.changes.uncertain(write);
  }

  #apply<R>(command: Command<R>, now: Millis): Outcome<R> {
    try {
      const outcome = command.apply(this, now);
      if (outcome.writes.length > 0) this.#write(outcome.writes);
      return outcome;
    } catch (refusal) {
      if (refusal instanceof ApiError) return refusal;
      throw refusal;
    }
  }

  #write(writes: Write[]): Promise<void> {
    for (const write of writes) this.#install(write);
    const durable = this.#context.commits.submit(this, writes);
    this.output.closeUntil(durable);
    return durable;
  }

  #install(write: Write): void {
    if (write.collection === "accounts" && "put" in write) this.#account = write.put;
    else if (write.collection === "keys" && "put" in write) this.#keys.set(write.put.id, write.put);
    else this.#working.install(write);
  }

  #requireLive(): void {
    if (this.state !== "live") throw unavailable("The account is being reloaded. Try again shortly.");
  }

  #assertLive(): void {
    if (this.state === "gone") throw unavailable("The store did not take the change. Try again shortly.");
  }

  /** `isStored`: its rate windows are, exactly. */
  #leave(isStored: boolean): void {
    if (this.state === "gone") return;
    this.state = "gone";
    for (const [key, meter] of this.#meters) this.#left.put(this.id, key, meter, isStored);
    this.#onGone(this);
  }

  #meter(key: KeyDoc): RateMeter {
    let meter = this.#meters.get(key.id);
    if (meter === undefined) {
      meter = meterOf(key);
      this.#meters.set(key.id, meter);
    }
    return meter;
  }

  // What commands see. An object written down with getters beside the actor would be slow to look at.

  get account(): AccountDoc {
    return this.#account;
  }

  get plan(): Plan {
    return planOf(this.#account, this.plans);
  }

  /** The same object as long as it says the same: what is made of limits can be kept beside them. */
  get limits(): PlanLimits {
    const { plan, limits: own } = this.#account;
    if (this.#limits?.plan !== plan || this.#limits.own !== own) {
      this.#limits = { plan, own, inForce: effectiveLimits(this.#account, this.plans) };
    }
    return this.#limits.inForce;
  }

  get plans(): Plans {
    return this.#context.plans;
  }

  get keys(): ReadonlyMap<string, KeyDoc> {
    return this.#keys;
  }

  project(id: string): ProjectDoc | null {
    return this.#working.get({ collection: "projects", id }) as ProjectDoc | null;
  }

  code(id: string): CodeDoc | null {
    return this.#working.get({ collection: "codes", id }) as CodeDoc | null;
  }

  answer(id: string): AnswerDoc | null {
    return this.#working.get({ collection: "answers", id }) as AnswerDoc | null;
  }
}
