/**
 * The slug of a public link: `qr-` and ten characters, five bits each.
 *
 * Fifty bits fit two words of twenty-five, and those two words are the key of the link table and of the
 * scan journal. Packing reads character codes straight from the string, so a scan allocates nothing for it.
 *
 * A slug is made, shown and stored in lower case; people type capitals, so either case is read. One table of
 * values for both makes the ordinary spelling cost nothing more.
 */
import { base32, randomText } from "../runtime/base-32.ts";
import type { Random } from "../runtime/random.ts";

const prefix = "qr-";
const half = 5;
export const slugLength = prefix.length + 2 * half;

const valueOfCode = new Int8Array(128).fill(-1);
for (let value = 0; value < base32.length; value++) {
  valueOfCode[base32.charCodeAt(value)] = value;
  valueOfCode[base32.toUpperCase().charCodeAt(value)] = value;
}
/** The bit by which a small letter differs from its capital. */
const caseBit = 32;

export function newSlug(random: Random): string {
  return prefix + randomText(2 * half, random);
}

/** The first five characters as a number, or -1 when the text is no slug as far as this half can tell. */
export function slugHigh(slug: string): number {
  if (slug.length !== slugLength) return -1;
  // q, r, -
  if ((slug.charCodeAt(0) | caseBit) !== 113 || (slug.charCodeAt(1) | caseBit) !== 114) return -1;
  if (slug.charCodeAt(2) !== 45) return -1;
  return packHalf(slug, 3);
}

/** The last five characters as a number, or -1. Only asked once `slugHigh` has accepted the text. */
export function slugLow(slug: string): number {
  return packHalf(slug, 8);
}

export function isSlug(text: string): boolean {
  return slugHigh(text) >= 0 && slugLow(text) >= 0;
}

function packHalf(slug: string, from: number): number {
  let packed = 0;
  for (let at = from; at < from + half; at++) {
    const code = slug.charCodeAt(at);
    const value = code < 128 ? valueOfCode[code]! : -1;
    if (value < 0) return -1;
    packed = (packed << 5) | value;
  }
  return packed;
}

export function unpackSlug(high: number, low: number): string {
  return prefix + unpackHalf(high) + unpackHalf(low);
}

function unpackHalf(packed: number): string {
  let text = "";
  for (let shift = 5 * (half - 1); shift >= 0; shift -= 5) text += base32[(packed >>> shift) & 31];
  return text;
}

const keysPerHigh = 32 ** half;

/** Both halves as one exact number, for maps off the hot path. */
export function slugKey(high: number, low: number): number {
  return high * keysPerHigh + low;
}

export function slugOfKey(key: number): string {
  return unpackSlug(Math.floor(key / keysPerHigh), key % keysPerHigh);
}
