import type { Random } from "../../src/runtime/random.ts";

/** All chance of a run comes from one seed; a fork has a stream of its own, so that one part's draws do not shift another's. */
export interface Seeded {
  /** From 0 up to, not including, `end`. */
  below(end: number): number;
  /** Both ends included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes: Random;
  fork(): Seeded;
}

/** Mulberry32: small, fast, and good enough to choose what happens next. */
export function seededRandom(seed: number): Seeded {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  function word(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
  const below = (end: number) => Math.floor((word() / 2 ** 32) * end);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => word() / 2 ** 32 < probability,
    pick: (items) => items[below(items.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => word() >>> 24),
    fork: () => seededRandom(word()),
  };
}

/** Now and then gives the same bytes again, so that two creates want the same slug. */
export function repeating(random: Seeded): Random {
  const last = new Map<number, Uint8Array>();
  return (count) => {
    let bytes = last.get(count);
    if (bytes === undefined || random.chance(0.6)) {
      bytes = random.bytes(count);
      last.set(count, bytes);
    }
    return bytes;
  };
}
