/**
 * The longest that a step of a request may take: to be handled, and to have its answer read.
 *
 * Every request has the same limit, so they run out in the order in which they began: the oldest is the first
 * of a set, and one timer that looks at it now and then serves them all. A timer for each request would cost
 * more than many a request. The price is that the limit is kept to within one look.
 */
import { handlerMsMax, looksPerLimit } from "../limits.ts";
import type { Clock, Millis } from "../runtime/clock.ts";

/** A step under way; hand it back when it is over. */
export interface Timed {
  readonly since: Millis;
  /** Runs once, when the time is up. */
  readonly late: () => void;
}

export class TimeLimit {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #underWay = new Set<Timed>();
  #looking = false;

  constructor(clock: Clock, ms: number = handlerMsMax) {
    this.#clock = clock;
    this.#ms = ms;
  }

  begin(late: () => void): Timed {
    const timed = { since: this.#clock.now(), late };
    this.#underWay.add(timed);
    if (!this.#looking) this.#lookLater();
    return timed;
  }

  end(timed: Timed): void {
    this.#underWay.delete(timed);
  }

  #lookLater(): void {
    this.#looking = true;
    this.#clock.after(this.#ms / looksPerLimit, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    for (const timed of this.#underWay) {
      if (now - timed.since < this.#ms) break;
      this.#underWay.delete(timed);
      timed.late();
    }
    this.#looking = this.#underWay.size > 0;
    if (this.#looking) this.#lookLater();
  }
}
