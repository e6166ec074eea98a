/**
 * The share of the event loop that long walks have.
 *
 * A walk over many entries is done in steps, and the steps of all walks together hold a turn of the loop for no
 * longer than `loopShareMs`. Walks take turns: each goes to the end of the queue after its step, so a short one
 * waits for one step of every other, not for their end.
 *
 * Rejected: every walk pausing by a clock of its own. However short its steps are, two hundred at once make turns
 * of two hundred steps, and everybody waits for a turn: a scan once or twice, a newcomer until all who came
 * before are accepted, which is one a turn.
 */
import { loopShareMs, loopWalksMax } from "../../limits.ts";
import { Cancelled, StoreUnavailable } from "../store.ts";

/** Does some of the work, until `end` by `performance.now()` at the latest. True when all of it is done. */
export type Step = (end: number) => boolean;

interface Walk {
  step: Step;
  signal: AbortSignal | undefined;
  done(): void;
  failed(cause: unknown): void;
}

export class LoopShare {
  readonly #walks: Walk[] = [];

  /** Resolves when a step says that all is done; rejects with what a step throws, or when nobody wants it any more. */
  walk(step: Step, signal?: AbortSignal): Promise<void> {
    return new Promise((done, failed) => {
      if (this.#walks.length >= loopWalksMax) throw new StoreUnavailable("The store has too much to do.");
      this.#walks.push({ step, signal, done, failed });
      if (this.#walks.length === 1) this.#inNextTurn();
    });
  }

  #inNextTurn(): void {
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const end = performance.now() + loopShareMs;
    do {
      const walk = this.#walks.shift()!;
      if (!isOverAfterStep(walk, end)) this.#walks.push(walk);
    } while (this.#walks.length > 0 && performance.now() < end);
    if (this.#walks.length > 0) this.#inNextTurn();
  }
}

function isOverAfterStep(walk: Walk, end: number): boolean {
  try {
    if (walk.signal?.aborted) throw new Cancelled();
    if (!walk.step(end)) return false;
    walk.done();
  } catch (cause) {
    walk.failed(cause);
  }
  return true;
}
