/**
 * Where what is asked for an account is answered: here, or by who decides for it. A member asks the keeper, which hands on
 * what it gave away; the keeper asks whom it gave it to.
 *
 * What is refused for certain, since accounts are on their way, is held and asked again (`sharing/holdings.ts`). What may
 * have been done never is: that is told to whoever asked.
 */
import type { Usage } from "../../account/account-actor.ts";
import type { Partition, Questions } from "../../cluster/bus/messages.ts";
import { Refused, type Talk, Unanswered } from "../../cluster/bus/talk.ts";
import type { Gates } from "../../cluster/sharing/gates.ts";
import { Holdings } from "../../cluster/sharing/holdings.ts";
import type { Keeper } from "../../cluster/sharing/keeper.ts";
import { partitionOf } from "../../cluster/sharing/partitions.ts";
import { type Forward, noOwner, ownerSilent } from "../../door/forwarding.ts";
import type { Asker } from "../../engine/inner-app.ts";
import { evictionWaitMs } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { LimitedScan } from "../../scan/limited-elsewhere.ts";
import { Cancelled } from "../../store/store.ts";
import type { Deciding } from "./deciding.ts";

export interface AskingOptions {
  deciding: Deciding;
  gates: Gates;
  clock: Clock;
  /** Runs on while the wall clock is put right. */
  steady(): number;
  /** Of this process while it keeps. */
  keeper(): Keeper | null;
  /** The owner that is followed. */
  owner(): Talk | null;
}

export class Asking {
  readonly holdings: Holdings;
  /** With an owner that takes nothing any more. */
  leaving: Talk | null = null;
  readonly #options: AskingOptions;
  /** When a question of the owner was last answered, by the steady clock. */
  readonly #answeredAt = new WeakMap<Talk, number>();

  constructor(options: AskingOptions) {
    this.#options = options;
    this.holdings = new Holdings(options.clock, options.steady);
  }

  /** A question of whoever may own was answered here. */
  answeredTo(talk: Talk): void {
    this.#answeredAt.set(talk, this.#options.steady());
  }

  readonly call: Forward = async (request, body, unwanted, partition) => {
    let talk: Talk | null = null;
    try {
      const { said, bytes } = await this.holdings.pass(partition, async () => {
        if (unwanted.aborted) throw new Cancelled("The client has gone.");
        // Since it was taken this process may have come to decide.
        if (this.isHere(partition))
          return this.#options.deciding.call(partition, request, body, clientOf(unwanted));
        talk = this.#talkFor(partition);
        return this.#askOwner("call", { ...request, partition }, body, unwanted);
      });
      return { ...said, body: bytes };
    } catch (cause) {
      if (!(cause instanceof Unanswered)) throw cause;
      if (cause.isUndone) throw noOwner();
      if (unwanted.aborted) throw new Cancelled("The client has gone.");
      if (talk !== null) await this.#untilOwnerGaveUp(talk);
      throw ownerSilent();
    }
  };

  /** It acts for this process no longer than some time from the last question of its own that was answered here. */
  async #untilOwnerGaveUp(talk: Talk): Promise<void> {
    const answeredAt = this.#answeredAt.get(talk);
    if (answeredAt === undefined) return;
    // The keeper may have handed it on, to who acts for it as long again.
    const ms = 2 * evictionWaitMs - (this.#options.steady() - answeredAt);
    if (ms > 0) await new Promise<void>((resolve) => this.#options.clock.after(ms, resolve));
  }

  /** What was refused for certain may be asked of the next owner; anything else never again. */
  readonly limited = async (partition: number, scans: readonly LimitedScan[]): Promise<readonly number[]> => {
    const { said } = await this.holdings.pass(partition, async () =>
      this.isHere(partition)
        ? this.#options.deciding.limited(partition, scans)
        : this.#askOwner("limited", { partition, scans }),
    );
    return said.verdicts;
  };

  /** An owner that is there and refuses does not answer yet: what is asked is held. */
  async #askOwner<K extends "call" | "limited" | "usage">(
    kind: K,
    asked: Questions[K]["asked"] & { partition: Partition },
    bytes?: Uint8Array,
    unwanted?: AbortSignal,
  ) {
    const talk = this.#talkFor(asked.partition);
    if (talk === null) {
      // The keeper knows that it is on its way.
      if (this.#options.keeper() !== null) this.holdings.begin(asked.partition);
      throw new Unanswered("No owner is known.", true);
    }
    try {
      const answer = await talk.ask(kind, asked, bytes, unwanted);
      if (talk !== this.leaving) this.holdings.endPassing();
      return answer;
    } catch (cause) {
      if (cause instanceof Unanswered && cause.isUndone && talk.isOpen) this.holdings.begin(asked.partition);
      throw cause;
    }
  }

  /** Whom to ask: the keeper, and whom that one gave it to. */
  #talkFor(partition: Partition): Talk | null {
    const keeper = this.#options.keeper();
    const owner = this.#options.owner();
    if (keeper === null) return owner === this.leaving ? null : owner;
    const given = partition === null ? "self" : keeper.ownerOf(partition);
    return given === "self" ? null : given;
  }

  /** Whether it is decided here; what is no account's is the keeper's. */
  isHere(partition: Partition): boolean {
    if (this.#options.deciding.parts === null) return false;
    return partition === null ? this.#options.keeper() !== null : this.#options.gates.isOpen(partition);
  }

  /** Of an account that is not decided here. */
  async usage(account: string): Promise<Usage> {
    const partition = partitionOf(account);
    try {
      return await this.holdings.pass(partition, async () => {
        if (this.isHere(partition))
          return this.#options.deciding.answered(partition, (owner) => owner.usage(account));
        return (await this.#askOwner("usage", { account, partition })).said;
      });
    } catch (cause) {
      throw cause instanceof Unanswered ? noOwner() : cause;
    }
  }

  /** The keeper hands it to whom it gave the accounts. Whether that one did it may stay unknown. */
  async relay<K extends "call" | "limited">(
    kind: K,
    asked: Questions[K]["asked"],
    bytes?: Uint8Array,
    unwanted?: AbortSignal,
  ) {
    const to =
      this.#options.keeper() === null || this.#options.deciding.parts === null
        ? null
        : this.#talkFor(asked.partition);
    if (to === null) throw new Refused("nobody decides for it at the moment");
    try {
      return await to.ask(kind, asked, bytes, unwanted);
    } catch (cause) {
      throw cause instanceof Unanswered && cause.isUndone ? new Refused(cause.message) : cause;
    }
  }
}

/** Of a request that was taken here. */
function clientOf(unwanted: AbortSignal): Asker {
  return {
    onUnwanted: (run) => unwanted.addEventListener("abort", run, { once: true }),
    isWaitedFor: () => !unwanted.aborted,
  };
}
