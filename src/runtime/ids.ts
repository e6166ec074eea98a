import { base32, randomText } from "./base-32.ts";
import type { Millis } from "./clock.ts";
import type { Random } from "./random.ts";

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
