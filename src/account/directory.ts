/**
 * The directory: who is the actor of an account.
 *
 * At most one actor of an account is live in this process. An account is loaded once however many ask; an
 * actor that drains is waited for before the next one is loaded; and only the same instance is ever removed.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { readAccount } from "../domain/account/account-commands.ts";
import type { HandedKeyMeter } from "../domain/account/rate-window.ts";
import type { Command } from "../domain/command.ts";
import type { AccountDoc, ProjectDoc, Write } from "../domain/documents.ts";
import { ApiError, unavailable } from "../domain/errors.ts";
import { actorIdleMs, countedProjectsStep, liveActorsMax, passivationStepMs } from "../limits.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Page, Store } from "../store/store.ts";
import {
  AccountActor,
  type ActorContext,
  type Admission,
  type KeyUsage,
  type Usage,
} from "./account-actor.ts";
import { KeyOwners, wrongKey } from "./key-owners.ts";
import { LeftMeters } from "./left-meters.ts";

export { hashKey } from "./key-owners.ts";

export class Directory {
  readonly #context: ActorContext;
  readonly #actors = new Map<string, AccountActor>();
  readonly #loading = new Map<string, Promise<AccountActor | null>>();
  readonly #draining = new Map<string, Promise<void>>();
  readonly #keys: KeyOwners;
  readonly #leftMeters: LeftMeters;
  #cancelSweep: () => void = () => {};
  #closed = false;

  constructor(context: ActorContext) {
    this.#context = context;
    this.#keys = new KeyOwners(context.store);
    this.#leftMeters = new LeftMeters(context.clock);
    this.#scheduleSweep();
  }

  /** Authenticates a key and takes one request out of its windows. Throws 401, 403 or 404 refusals. */
  async admit(key: string): Promise<Admission> {
    const owner = this.#keys.get(key) ?? (await this.#keys.read(key));
    const actor = this.#liveActor(owner.accountId) ?? (await this.#actorOf(owner.accountId));
    if (actor === null) throw wrongKey;
    try {
      return actor.admit(owner.keyId);
    } catch (refusal) {
      // That a key was revoked must not be told before it is certain.
      throw await actor.output.now().pass(() => refusal, "change");
    }
  }

  /**
   * The same, when it takes no waiting. Null otherwise, and for refusals that have to pass the gate. That a key is
   * nobody's never changes, so it is told here, and by what is returned: to throw it would cost more than all else.
   */
  admitAtOnce(key: string): Admission | ApiError | null {
    const owner = this.#keys.get(key);
    if (owner === undefined && this.#keys.isWrong(key)) return wrongKey;
    const actor = owner && this.#liveActor(owner.accountId);
    if (!actor) return null;
    try {
      return actor.admit(owner.keyId);
    } catch {
      return null;
    }
  }

  run<R>(accountId: string, command: Command<R>): Promise<R> {
    try {
      const answer = this.#answer(accountId, command);
      return answer instanceof Promise ? answer : Promise.resolve(answer);
    } catch (refusal) {
      return Promise.reject(refusal);
    }
  }

  /** Runs a command that only looks: its answer, at once where there is nothing to wait for. */
  look<R>(accountId: string, command: Command<R>): AtOnce<R> {
    return this.#answer(accountId, command);
  }

  #answer<R>(accountId: string, command: Command<R>): AtOnce<R> {
    const actor = this.#liveActor(accountId);
    return actor === null ? this.#answerOfLoaded(accountId, command) : actor.run(command);
  }

  async #answerOfLoaded<R>(accountId: string, command: Command<R>): Promise<R> {
    const actor = await this.#actorOf(accountId);
    if (actor === null) throw new ApiError("account_not_found");
    return actor.run(command);
  }

  /** Stores the first documents of a new account. There is no actor yet that could own the write. */
  async create(writes: Write[]): Promise<void> {
    await this.#context.commits.submit({ committed() {}, commitFailed() {} }, writes);
  }

  /** The account as it is stored, wherever it is decided for. */
  async account(accountId: string): Promise<AccountDoc> {
    if (this.#owns(accountId)) return this.run(accountId, readAccount());
    const stored = await this.#context.store.get("accounts", accountId);
    if (stored === null) throw new ApiError("account_not_found");
    return stored;
  }

  async usage(accountId: string): Promise<Usage> {
    if (!this.#owns(accountId)) return this.#context.elsewhere!.usage(accountId);
    return (await this.#actorOf(accountId))?.usage() ?? { minute: 0, day: 0, projects: 0 };
  }

  async keyUsage(accountId: string): Promise<ReadonlyMap<string, KeyUsage>> {
    return (await this.#actorOf(accountId))?.keyUsage() ?? new Map();
  }

  /** Commands that were accepted and are not answered yet, over all accounts. */
  get commandsWaiting(): number {
    let waiting = 0;
    for (const { commandsInFlight } of this.#actors.values()) waiting += commandsInFlight;
    return waiting;
  }

  get liveActors(): number {
    return this.#actors.size;
  }

  /** The rate meters of accounts that are not decided here any more, and whose actors have left. */
  handOver(): HandedKeyMeter[] {
    return this.#leftMeters.handOver((accountId) => !this.#owns(accountId));
  }

  /** Of accounts that are decided here from now on. */
  receive(meters: readonly HandedKeyMeter[]): void {
    this.#leftMeters.receive(meters);
  }

  /** Passivates the actors of accounts that are not decided here any more; commands in flight end first. */
  async evacuate(): Promise<void> {
    const isGone = (accountId: string) => !this.#owns(accountId);
    await Promise.allSettled([...this.#loading].filter(([id]) => isGone(id)).map(([, loading]) => loading));
    for (const actor of [...this.#actors.values()]) {
      if (!isGone(actor.id)) continue;
      await actor.quiet();
      if (actor.state === "live") this.#drain(actor);
    }
    await Promise.all([...this.#draining].filter(([id]) => isGone(id)).map(([, drained]) => drained));
  }

  /** Passivates every actor; commands still in flight end first. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelSweep();
    await this.#context.commits.drained();
    await Promise.all(this.#loading.values());
    for (const actor of [...this.#actors.values()]) {
      if (actor.state === "live") this.#drain(actor);
    }
    await Promise.all(this.#draining.values());
  }

  /** Whether the account is decided here. */
  #owns(accountId: string): boolean {
    return this.#context.elsewhere?.owns(accountId) ?? true;
  }

  #liveActor(accountId: string): AccountActor | null {
    if (!this.#owns(accountId)) return null;
    const actor = this.#actors.get(accountId);
    return actor?.state === "live" ? actor : null;
  }

  /** The live actor, loaded when there is none; null when there is no such account. */
  async #actorOf(accountId: string): Promise<AccountActor | null> {
    for (;;) {
      if (!this.#owns(accountId)) throw unavailable("Another process decides for the account now.");
      const actor = this.#actors.get(accountId);
      if (actor === undefined) return this.#load(accountId);
      if (actor.state === "live") return actor;
      await this.#draining.get(accountId);
    }
  }

  #load(accountId: string): Promise<AccountActor | null> {
    if (this.#closed) throw unavailable("The service is stopping.");
    let loading = this.#loading.get(accountId);
    if (loading === undefined) {
      if (this.#actors.size >= liveActorsMax) this.#passivateIdle(0, Math.ceil(liveActorsMax / 100));
      loading = this.#read(accountId).finally(() => this.#loading.delete(accountId));
      this.#loading.set(accountId, loading);
    }
    return loading;
  }

  async #read(accountId: string): Promise<AccountActor | null> {
    const { store } = this.#context;
    const stored = await store.get("accounts", accountId);
    if (stored === null) return null;
    const account = await withProjectCount(stored, store);
    const keys = await store.keysOf(accountId);
    if (!this.#owns(accountId)) throw unavailable("Another process decides for the account now.");
    const actor = new AccountActor(account, keys, this.#context, this.#leftMeters, (gone) => {
      if (this.#actors.get(gone.id) === gone) this.#actors.delete(gone.id);
    });
    this.#actors.set(account.id, actor);
    return actor;
  }

  #drain(actor: AccountActor): void {
    const drained = actor
      .passivate()
      .catch(() => {})
      .finally(() => this.#draining.delete(actor.id));
    this.#draining.set(actor.id, drained);
  }

  #passivateIdle(idleMs: number, most: number): void {
    const before = this.#context.clock.now() - idleMs;
    let left = most;
    for (const actor of this.#actors.values()) {
      if (left === 0) return;
      if (actor.state === "live" && actor.isIdle && actor.touchedAt <= before) {
        this.#drain(actor);
        left--;
      }
    }
  }

  #scheduleSweep(): void {
    this.#cancelSweep = this.#context.clock.after(passivationStepMs, () => {
      this.#passivateIdle(actorIdleMs, liveActorsMax);
      this.#leftMeters.clear();
      if (!this.#closed) this.#scheduleSweep();
    });
  }
}

/** Nobody but the account's actor adds projects, and it is not there yet: the count is exact. */
async function withProjectCount(
  account: AccountDoc,
  store: Pick<Store, "listProjects">,
): Promise<AccountDoc> {
  if (account.project_count !== null) return account;
  let project_count = 0;
  for (let before: string | null = null; ; await nextTurn()) {
    const page: Page<ProjectDoc> = await store.listProjects(account.id, {
      before,
      limit: countedProjectsStep,
    });
    project_count += page.items.length;
    if (!page.more) return { ...account, project_count };
    before = page.items.at(-1)!.id;
  }
}
