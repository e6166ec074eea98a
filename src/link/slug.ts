/**
 * The slug of a public link: `qr-` and ten characters, five bits each.
 *
 * Fifty bits fit a number exactly, and that number is the slug's key wherever slugs are looked up or passed on. Where
 * it has to fit 32-bit words (the hash of the link table, the journal on disk, the hour tables) it is split into two
 * of twenty-five bits, by subtraction: a remainder costs more than all the rest of the look-up. Packing reads
 * character codes straight from the string, so a scan makes no other string for it.
 *
 * A slug is made, shown and stored in lower case; people type capitals, so either case is read. One table of
 * values for both makes the ordinary spelling cost nothing more.
 */
import { slugBeginningChars } from "../limits.ts";
import { base32, randomText } from "../runtime/ids.ts";
import type { Random } from "../runtime/random.ts";

const prefix = "qr-";
const half = 5;
export const slugLength = prefix.length + 2 * half;
const keysPerHigh = 32 ** half;

declare const isKey: unique symbol;
export type SlugKey = number & { readonly [isKey]: true };
/** Of a text that is no slug. */
export const noSlug = -1 as SlugKey;

/** For every code that a text can have: a look-up needs no bound. */
const valueOfCode = new Int8Array(0x10000).fill(-1);
for (let value = 0; value < base32.length; value++) {
  valueOfCode[base32.charCodeAt(value)] = value;
  valueOfCode[base32.toUpperCase().charCodeAt(value)] = value;
}

/** The bit by which a small letter differs from its capital. */
const caseBit = 32;

export function newSlug(random: Random): string {
  return prefix + randomText(2 * half, random);
}

/** Another one, that begins like the given one. */
export function slugBeside(slug: string, random: Random): string {
  return slug.slice(0, slugBeginningChars) + randomText(slugLength - slugBeginningChars, random);
}

/** The key of a slug, or `noSlug`. */
export function slugKey(slug: string): SlugKey {
  if (slug.length !== slugLength) return noSlug;
  // q, r, -
  if ((slug.charCodeAt(0) | caseBit) !== 113 || (slug.charCodeAt(1) | caseBit) !== 114) return noSlug;
  if (slug.charCodeAt(2) !== 45) return noSlug;
  const high = packHalf(slug, 3);
  const low = packHalf(slug, 8);
  return high < 0 || low < 0 ? noSlug : keyOfWords(high, low);
}

export function isSlug(text: string): boolean {
  return slugKey(text) !== noSlug;
}

/** Negative when a character is none of a slug's: its value is, and stays so. Written out, as every scan packs two halves. */
function packHalf(slug: string, from: number): number {
  return (
    (valueAt(slug, from) << 20) |
    (valueAt(slug, from + 1) << 15) |
    (valueAt(slug, from + 2) << 10) |
    (valueAt(slug, from + 3) << 5) |
    valueAt(slug, from + 4)
  );
}

function valueAt(slug: string, at: number): number {
  return valueOfCode[slug.charCodeAt(at)]!;
}

export function slugOfKey(key: SlugKey): string {
  return prefix + unpackHalf(highWord(key)) + unpackHalf(lowWord(key));
}

function unpackHalf(packed: number): string {
  let text = "";
  for (let shift = 5 * (half - 1); shift >= 0; shift -= 5) text += base32[(packed >>> shift) & 31];
  return text;
}

export function keyOfWords(high: number, low: number): SlugKey {
  return (high * keysPerHigh + low) as SlugKey;
}

export function highWord(key: SlugKey): number {
  return (key / keysPerHigh) | 0;
}

export function lowWord(key: SlugKey): number {
  return key - highWord(key) * keysPerHigh;
}
