import type { Millis } from "./domain/documents.ts";

/** Time is handed in, so that tests and the simulation can move it. */
export interface Clock {
  now(): Millis;
  /** Runs once after `ms`; the returned function cancels it. Never keeps the process alive by itself. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
