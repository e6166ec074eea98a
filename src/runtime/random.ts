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

/** A whole number from 0 to below `bound`, which is far below 2³²: none is favoured by more than a hair. */
export function randomBelow(bound: number, random: Random): number {
  const [a, b, c, d] = random(4) as unknown as [number, number, number, number];
  return Math.floor((((a * 256 + b) * 256 + c) * 256 + d) * (bound / 2 ** 32));
}
