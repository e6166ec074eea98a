/**
 * Connections with more to do than their first request of a loop turn, in a queue. A turn serves as many of them as
 * leave it short; the others wait for the next, and whoever was served goes to the end. Handlers may answer after
 * they return, so the time of a turn is only known when the next one begins: a turn that took too long halves the
 * number for the next, a short one raises it.
 */
import { queuedTurnMsMax } from "../../limits.ts";

export interface TurnTaker {
  takeTurn(): void;
}

const mostAtOnce = 1_024;

export class Turns {
  #queue: TurnTaker[] = [];
  #isScheduled = false;
  #allowed = 32;
  #began = 0;

  add(taker: TurnTaker): void {
    this.#queue.push(taker);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#began = 0;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const now = performance.now();
    if (this.#began !== 0) {
      const isLong = now - this.#began > queuedTurnMsMax;
      this.#allowed = isLong ? Math.max(1, this.#allowed >> 1) : Math.min(mostAtOnce, this.#allowed + 1);
    }
    this.#began = now;
    const queue = this.#queue;
    this.#queue = queue.slice(this.#allowed);
    for (let at = 0; at < queue.length && at < this.#allowed; at++) {
      queue[at]!.takeTurn();
      if (performance.now() - now > queuedTurnMsMax) {
        this.#queue = [...queue.slice(at + 1, this.#allowed), ...this.#queue];
        break;
      }
    }
    this.#isScheduled = this.#queue.length > 0;
    if (this.#isScheduled) setImmediate(this.#run);
  };
}
