/** Numbers that look random and are the same in every run. */
export interface Seeded {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
}

/** The generator mulberry32. */
export function seeded(seed: number): Seeded {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { next, whole, pick: (items) => items[whole(0, items.length - 1)]! };
}
