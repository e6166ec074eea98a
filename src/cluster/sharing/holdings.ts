/**
 * Holdings: what is held (`holding.ts`) of each partition by itself, and of what is the keeper's; and of all of them while the
 * accounts pass from one keeper to the next. All that wait count together against one bound.
 */
import { holdMsMax, holdTickMs, partitionsMax } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Partition } from "../bus/messages.ts";
import { Unanswered } from "../bus/talk.ts";
import { Holding } from "./holding.ts";

export class Holdings {
  readonly #clock: Clock;
  readonly #steady: () => number;
  /** By partition, and behind them that of what is the keeper's. */
  readonly #holdings: Holding[] = [];
  readonly #held = { size: 0 };
  #passingUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, steady: () => number) {
    this.#clock = clock;
    this.#steady = steady;
  }

  /** Whether the accounts are on their way to another keeper, as far as is known. */
  get isPassing(): boolean {
    return this.#steady() < this.#passingUntil;
  }

  /** They are from now on. */
  beginPassing(): void {
    this.#passingUntil = this.#steady() + holdMsMax;
  }

  endPassing(): void {
    this.#passingUntil = Number.NEGATIVE_INFINITY;
  }

  /** Resolves when what is waited for has come, or they are not on their way any more. */
  async untilPassed(hasCome: () => boolean): Promise<void> {
    while (this.isPassing && !hasCome()) {
      await new Promise<void>((resolve) => this.#clock.after(holdTickMs, resolve));
    }
  }

  /** The partition is on its way. */
  begin(partition: Partition): void {
    this.#of(partition).begin();
  }

  /** Whatever waits, and whatever comes to where somebody has waited. */
  beginAll(): void {
    for (const holding of this.#holdings) holding?.begin();
  }

  /** See `Holding`. */
  pass<T>(partition: Partition, ask: () => Promise<T>): Promise<T> {
    const holding = this.#of(partition);
    if (this.isPassing) holding.begin();
    return holding.pass(async () => {
      try {
        return await ask();
      } catch (cause) {
        if (this.isPassing && cause instanceof Unanswered && cause.isUndone) holding.begin();
        throw cause;
      }
    });
  }

  #of(partition: Partition): Holding {
    const at = partition ?? partitionsMax;
    this.#holdings[at] ??= new Holding(this.#clock, this.#held);
    return this.#holdings[at];
  }
}
