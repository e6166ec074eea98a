/**
 * Reach: whether the database answers this process, as the looks and renewals of its lease find out.
 *
 * A member that cannot reach it decides nothing, and the keeper may do so in its place. That takes both sides: while the
 * database is away for all nobody is better off, and when it is back some find it a moment before others. So whoever has
 * found it for a while speaks of one that has not found it for as long.
 */
import { reachMs } from "../limits.ts";

export class Reach {
  readonly #steady: () => number;
  #since = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  constructor(steady: () => number) {
    this.#steady = steady;
  }

  /** The database answered what it was asked at this moment. */
  answered(asked: number): void {
    if (asked - this.#last >= reachMs) this.#since = asked;
    this.#last = Math.max(this.#last, asked);
  }

  /** It has not answered for a while. */
  get isLost(): boolean {
    return this.#steady() - this.#last >= reachMs;
  }

  /** It has answered all the while. */
  get isSteady(): boolean {
    return !this.isLost && this.#last - this.#since >= reachMs;
  }
}
