import type { Millis } from "./clock.ts";
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

const timeChars = 10;
const randomChars = 12;

export type IdKind = "acc" | "prj" | "qr" | "key" | "usr";

/** An id whose order is the order of creation; 60 random bits part ids of the same millisecond. */
export function newId(kind: IdKind, now: Millis, random: Random): string {
  let time = "";
  for (let rest = now, place = 0; place < timeChars; place++, rest = Math.floor(rest / 32)) {
    time = base32[rest % 32] + time;
  }
  return `${kind}_${time}${randomText(randomChars, random)}`;
}
