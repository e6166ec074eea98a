import type { tags } from "typia";

/** Milliseconds since the epoch, UTC. */
export type Millis = number & tags.Type<"int64">;

/** Time is handed in, so that tests and the simulation can move it. */
export interface Clock {
  now(): Millis;
  /** Runs once after `ms`; the returned function cancels it. Never keeps the process alive by itself. */
  after(ms: number, run: () => void): () => void;
}

/** Resolves when the second of the clock is over. */
export function nextSecond(clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(1_000 - (clock.now() % 1_000), resolve));
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
