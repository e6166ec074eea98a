/**
 * The longest that a step of a request may take: to be handled, and to have its answer read.
 *
 * Every request has the same limit, so they run out in the order in which they began: they are a list with the oldest
 * first, and one timer that looks at that one now and then serves them all. A timer for each request would cost
 * more than many a request. The price is that the limit is kept to within one look.
 *
 * The list is our own, and who leaves it keeps no neighbour. A `Set` goes on in a new table when the one it has is full of
 * what was deleted, and the old table keeps its last members and the next table: once the collector counts one of them
 * as old, everything that was ever under way stays until the next collection of all memory.
 */
import { handlerMsMax, looksPerLimit } from "../limits.ts";
import type { Clock, Millis } from "../runtime/clock.ts";

/** A step under way; hand it back when it is over. */
export class Timed {
  readonly since: Millis;
  /** Runs once, when the time is up. */
  readonly late: () => void;
  /** Its neighbours; null when it is over. */
  older: Timed | null = null;
  younger: Timed | null = null;

  constructor(since: Millis, late: () => void) {
    this.since = since;
    this.late = late;
  }
}

export class TimeLimit {
  readonly #clock: Clock;
  readonly #ms: number;
  /** Neighbour of the oldest and the youngest: a ring needs no case for its ends. */
  readonly #ends = new Timed(0, () => {});
  #looking = false;

  constructor(clock: Clock, ms: number = handlerMsMax) {
    this.#clock = clock;
    this.#ms = ms;
    this.#ends.older = this.#ends;
    this.#ends.younger = this.#ends;
  }

  begin(late: () => void): Timed {
    const timed = new Timed(this.#clock.now(), late);
    const youngest = this.#ends.older!;
    timed.older = youngest;
    timed.younger = this.#ends;
    youngest.younger = timed;
    this.#ends.older = timed;
    if (!this.#looking) this.#lookLater();
    return timed;
  }

  /** Also of one that has ended, or was late. */
  end(timed: Timed): void {
    const { older, younger } = timed;
    if (older === null || younger === null) return;
    older.younger = younger;
    younger.older = older;
    timed.older = null;
    timed.younger = null;
  }

  get #oldest(): Timed | null {
    const oldest = this.#ends.younger!;
    return oldest === this.#ends ? null : oldest;
  }

  #lookLater(): void {
    this.#looking = true;
    this.#clock.after(this.#ms / looksPerLimit, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    for (let timed = this.#oldest; timed !== null && now - timed.since >= this.#ms; timed = this.#oldest) {
      this.end(timed);
      timed.late();
    }
    this.#looking = this.#oldest !== null;
    if (this.#looking) this.#lookLater();
  }
}
