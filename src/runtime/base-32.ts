import type { Random } from "./random.ts";

/**
 * Crockford's alphabet in lower case: no i, l or o beside 1 and 0, and no u. It sorts as the values do, and a letter
 * differs from no other by case alone.
 */
export const base32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Text of five random bits a character: 32 divides 256, so taking five bits of each byte favours none. */
export function randomText(chars: number, random: Random): string {
  let text = "";
  for (const byte of random(chars)) text += base32[byte & 31];
  return text;
}
