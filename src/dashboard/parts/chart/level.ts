/**
 * Numbers as one of a few strengths of a colour. By the root of the share: where one place has most of the scans, the
 * others can still be told apart.
 */
export const levels = 5;

/** 0 for nothing, else 1 to `levels`. */
export function levelOf(value: number, most: number): number {
  return value <= 0 ? 0 : Math.max(1, Math.ceil(levels * Math.sqrt(value / most)));
}
