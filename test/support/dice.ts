/** Chance from a seed: the same seed and stream throw the same numbers, on every machine. */
export interface Dice {
  /** A whole number from 0 to `n - 1`. */
  below(n: number): number;
  /** A whole number between the two, both included. */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** Every stream is a sequence of its own, so that one request can be made again without those before it. */
export function dice(seed: number, stream: number): Dice {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(stream + 1, 0xc2b2ae35)) | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() < share,
    pick(choices) {
      if (choices.length === 0) throw new Error("nothing to pick from");
      return choices[below(choices.length)]!;
    },
  };
}
