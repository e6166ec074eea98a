/**
 * Attempts of many, each of whom may have so many in a window that begins with the first of them.
 *
 * The table forgets whoever began first when it is full. Whoever comes as so many gains little by that: what is
 * guarded here cannot be guessed at any rate that a network carries, and the bound keeps others from being held up.
 */
import { BoundedMap } from "./bounded-map.ts";
import type { Clock, Millis } from "./clock.ts";

export interface AttemptBounds {
  /** Attempts of one in a window. */
  max: number;
  /** The window's length. */
  ms: number;
  /** How many are remembered. */
  entriesMax: number;
}

interface Window {
  since: Millis;
  attempts: number;
}

export class Attempts {
  readonly #bounds: AttemptBounds;
  readonly #clock: Clock;
  readonly #windows: BoundedMap<string, Window>;

  constructor(bounds: AttemptBounds, clock: Clock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#windows = new BoundedMap(bounds.entriesMax);
  }

  /** Seconds until there is room for another attempt; 0 when there is now. */
  secondsLeft(who: string): number {
    const now = this.#clock.now();
    const window = this.#open(who, now);
    if (window === null || window.attempts < this.#bounds.max) return 0;
    return Math.max(1, Math.ceil((window.since + this.#bounds.ms - now) / 1000));
  }

  /** Counts one more; the answer is how many there are in the window, this one included. */
  count(who: string): number {
    const now = this.#clock.now();
    let window = this.#open(who, now);
    if (window === null) {
      window = { since: now, attempts: 0 };
      this.#windows.set(who, window);
    }
    return ++window.attempts;
  }

  /** One that was counted was none. */
  takeBack(who: string): void {
    const window = this.#windows.get(who);
    if (window !== undefined && window.attempts > 0) window.attempts--;
  }

  #open(who: string, now: Millis): Window | null {
    const window = this.#windows.get(who);
    if (window === undefined) return null;
    const age = now - window.since;
    if (age >= 0 && age < this.#bounds.ms) return window;
    this.#windows.delete(who);
    return null;
  }
}
