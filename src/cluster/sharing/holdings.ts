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
  /** Until when what comes with the next keeper is waited for: some of it may come after that one's first answer. */
  #awaitedUntil = Number.NEGATIVE_INFINITY;

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
    this.#awaitedUntil = this.#passingUntil;
  }

  endPassing(): void {
    this.#passingUntil = Number.NEGATIVE_INFINITY;
  }

  /** Whether something comes with the next keeper, or has come a moment ago. */
  get isAwaited(): boolean {
    return this.#steady() < this.#awaitedUntil;
  }

  /** Resolves when what is waited for has come, or did not come in time. */
  async untilCome(hasCome: () => boolean): Promise<void> {
    while (this.isAwaited && !hasCome()) {
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
