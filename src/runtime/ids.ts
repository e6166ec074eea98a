import type { Millis } from "./clock.ts";
import type { Random } from "./random.ts";

/**
 * Crockford's alphabet in lower case: no i, l or o beside 1 and 0, and no u. It sorts as the values do, and a letter
 * differs from no other by case alone.
 */
export const base32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Two characters at a time: every step of putting a text together makes another text. */
const pairs = Array.from(base32, (first) => Array.from(base32, (second) => first + second)).flat();

/** Text of five random bits a character: 32 divides 256, so taking five bits of each byte favours none. */
export function randomText(chars: number, random: Random): string {
  const bytes = random(chars);
  let text = "";
  for (let at = 1; at < chars; at += 2) text += pairs[((bytes[at - 1]! & 31) << 5) | (bytes[at]! & 31)];
  return chars % 2 === 0 ? text : text + base32[bytes[chars - 1]! & 31];
}

const timeChars = 10;
const randomChars = 12;

export type IdKind = "acc" | "prj" | "qr" | "key" | "usr";

/** An id whose order is the order of creation; 60 random bits part ids of the same millisecond. */
export function newId(kind: IdKind, now: Millis, random: Random): string {
  return `${kind}_${timeText(now)}${randomText(randomChars, random)}`;
}

let lastTime: Millis = 0;
let lastTimeText = base32[0]!.repeat(timeChars);

/** Much is made at one moment. */
function timeText(time: Millis): string {
  if (time !== lastTime) {
    let text = "";
    for (let rest = time, place = 0; place < timeChars; place++, rest = Math.floor(rest / 32)) {
      text = base32[rest % 32] + text;
    }
    lastTimeText = text;
    lastTime = time;
  }
  return lastTimeText;
}
