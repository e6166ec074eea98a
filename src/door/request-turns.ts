/**
 * How much of a turn of the event loop the requests of the API get.
 *
 * A thousand clients may ask in the same instant, and the loop hands over all that has come before anybody else is
 * looked at: creates of a tenth of a millisecond each would keep every scan waiting for a tenth of a second. So requests
 * are begun for a short while only; what is left waits, in the order in which it came, and each turn begins as much of
 * it. In between scans and all else have their share. The commits behind them become smaller by themselves, and so does
 * what one of them holds the loop for.
 *
 * By time and not by number: requests differ by a factor of hundreds, and where a turn takes long, few of them a turn
 * would starve their clients. One is begun in every turn, whatever it takes.
 */
import { requestMsPerTurn } from "../limits.ts";

export class RequestTurns {
  readonly #ms: number;
  #waiting: (() => void)[] = [];
  /** How many of those have been begun. */
  #begun = 0;
  /** When the first request of this turn was begun; null when none is, and none waits. */
  #since: number | null = null;
  /** Whether requests of this turn were begun as they came: then those that wait have theirs in the next one. */
  #isTaken = false;

  constructor(ms = requestMsPerTurn) {
    this.#ms = ms;
  }

  /** Begins it now, or when its turn has come. */
  begin(run: () => void): void {
    if (this.#since === null) {
      this.#since = performance.now();
      setImmediate(this.#turned);
    } else if (this.#hasWaiting || !this.#hasTime) {
      this.#waiting.push(run);
      return;
    }
    this.#isTaken = true;
    run();
  }

  get #hasWaiting(): boolean {
    return this.#begun < this.#waiting.length;
  }

  get #hasTime(): boolean {
    return performance.now() - this.#since! < this.#ms;
  }

  readonly #turned = (): void => {
    this.#waiting.splice(0, this.#begun);
    this.#begun = 0;
    const { length } = this.#waiting;
    if (length > 0) setImmediate(this.#turned);
    this.#since = length > 0 ? performance.now() : null;
    if (length > 0 && !this.#isTaken) this.#beginNext();
    this.#isTaken = false;
  };

  readonly #beginNext = (): void => {
    this.#waiting[this.#begun++]!();
    // What a request does at once, it mostly does in microtasks: only behind them is it known what time is left.
    queueMicrotask(this.#goOn);
  };

  readonly #goOn = (): void => {
    if (this.#hasWaiting && this.#hasTime) process.nextTick(this.#beginNext);
  };
}
