import type { tags } from "typia";

/** Milliseconds since the epoch, UTC. */
export type Millis = number & tags.Type<"int64">;

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
