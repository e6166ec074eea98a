import type { Millis } from "./clock.ts";
import type { Random } from "./random.ts";

/** Sorts as the values do, and has no letters that are mistaken for digits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const timeChars = 10;
const randomChars = 12;

export type IdKind = "acc" | "prj" | "qr" | "key";

/** An id whose order is the order of creation; 60 random bits part ids of the same millisecond. */
export function newId(kind: IdKind, now: Millis, random: Random): string {
  let time = "";
  for (let rest = now, place = 0; place < timeChars; place++, rest = Math.floor(rest / 32)) {
    time = alphabet[rest % 32] + time;
  }
  return `${kind}_${time}${randomText(randomChars, random)}`;
}

/** Text of 5 random bits a character. */
export function randomText(chars: number, random: Random): string {
  let text = "";
  for (const byte of random(chars)) text += alphabet[byte % 32];
  return text;
}
