import type { Clock, Millis } from "./clock.ts";

export interface ChoreLog {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/** A chore rests at least this many times as long as it took, so that it never takes much of the loop. */
const restFactor = 30;
/** But no longer than so many pauses: what seemed to take hours may be a machine that slept, or a clock that was set. */
const restPausesMax = 10;

/**
 * Work that comes back: due some time after it was last done. A failure is logged once, not at every attempt.
 */
export class Chore {
  readonly #name: string;
  readonly #work: () => Promise<void>;
  readonly #clock: Clock;
  readonly #log: ChoreLog;
  readonly #pauseMs: number;
  #dueAt: Millis;
  /** When what was saved last had happened. */
  doneAt: Millis;
  #failing = false;

  constructor(name: string, pauseMs: number, clock: Clock, log: ChoreLog, work: () => Promise<void>) {
    this.#name = name;
    this.#work = work;
    this.#clock = clock;
    this.#log = log;
    this.#pauseMs = pauseMs;
    this.doneAt = clock.now();
    this.#dueAt = this.doneAt + pauseMs;
  }

  get isDue(): boolean {
    return this.#clock.now() >= this.#dueAt;
  }

  /** False when it failed; it is then still due. */
  async run(): Promise<boolean> {
    const began = this.#clock.now();
    try {
      await this.#work();
    } catch (err) {
      if (!this.#failing) this.#log.error({ err }, `${this.#name} failed`);
      this.#failing = true;
      return false;
    }
    if (this.#failing) this.#log.info({}, `${this.#name} works again`);
    this.#failing = false;
    this.doneAt = began;
    const ended = this.#clock.now();
    const rest = Math.min(restFactor * (ended - began), restPausesMax * this.#pauseMs);
    this.#dueAt = ended + Math.max(this.#pauseMs, rest);
    return true;
  }
}

/** Whoever asks while it runs gets a run that began after asking. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    const now = work().finally(() => {
      running = null;
    });
    running = now;
    return now;
  };
  return () => {
    // Between the end of one run and the beginning of the next nothing runs, and yet one is due.
    if (next !== null) return next;
    if (running === null) return run();
    next = running
      .catch(() => {})
      .then(() => {
        next = null;
        return run();
      });
    return next;
  };
}

/** Again `ms` after the last run ended, until stopped. */
export function repeat(clock: Clock, ms: number, work: () => Promise<void>): () => void {
  let stopped = false;
  let cancel = () => {};
  const schedule = () => {
    cancel = clock.after(ms, () => {
      void work().then(() => {
        if (!stopped) schedule();
      });
    });
  };
  schedule();
  return () => {
    stopped = true;
    cancel();
  };
}
