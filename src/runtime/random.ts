import { randomFillSync } from "node:crypto";

/** Randomness is handed in, so that tests and the simulation can repeat it. */
export type Random = (bytes: number) => Uint8Array;

const pool = new Uint8Array(4_096);
let used = pool.length;

/** From the system's generator, fetched for many at a time: asking it costs far more than the bytes. */
export const systemRandom: Random = (bytes) => {
  if (bytes > pool.length) return randomFillSync(new Uint8Array(bytes));
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const given = pool.slice(used, used + bytes);
  // Nobody gets them a second time, not even out of memory.
  pool.fill(0, used, used + bytes);
  used += bytes;
  return given;
};
