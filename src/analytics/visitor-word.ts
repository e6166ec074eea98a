/**
 * What is kept of whoever scans, in sixteen bits: the country, the kind of device, whether it is a known robot, and
 * whether analytics were on for the code. It is all that the journal has of a visitor, and the referring host is all
 * that memory and the store have beyond it. No address and no user agent is kept anywhere.
 */
import type { Device } from "../domain/documents.ts";

/** What is counted of whoever scans, looked up only when it is. */
export interface CountedVisitor {
  /** As `visitorWord` makes it. */
  word(): number;
  /** The header as it came. */
  referer(): string;
  isRobot(): boolean;
}

const countryBits = 10;
const countryMask = (1 << countryBits) - 1;
const deviceMask = 3;
const robotBit = 1 << 12;
const keptBit = 1 << 13;

export const unknownCountry = 0;
/** All that there was no room for one by one. */
export const otherCountry = 27 * 26 + 1;

const devices = ["desktop", "ios", "android", "unknown"] as const;
const unknownDevice = 3;

/** A scan of a code whose analytics are off. */
export const offWord = 0;
/** Of a scan of which nothing is known but that it was. */
export const unknownWord = keptBit | (unknownDevice << countryBits);

/** Two capital letters as a number; 0 is unknown. */
export function countryNumber(code: string | null): number {
  return code === null ? unknownCountry : (code.charCodeAt(0) - 64) * 26 + code.charCodeAt(1) - 65;
}

export function countryCode(number: number): string | null {
  if (number === unknownCountry) return null;
  return String.fromCharCode(Math.floor(number / 26) + 64, (number % 26) + 65);
}

/** The country as `countryNumber` gives it. */
export function visitorWord(country: number, device: Device, isRobot: boolean): number {
  return keptBit | (isRobot ? robotBit : 0) | (deviceNumber(device) << countryBits) | country;
}

/** Its place among `devices`. Comparisons: a look-up by name takes a scan ten times as long. */
function deviceNumber(device: Device): number {
  return device === "ios" ? 1 : device === "android" ? 2 : 0;
}

/** The same but for the country. */
export function withoutCountry(word: number): number {
  return (word & ~countryMask) | otherCountry;
}

export function countryOf(word: number): string {
  const number = word & countryMask;
  return number === otherCountry ? "other" : (countryCode(number) ?? "unknown");
}

export function deviceOf(word: number): string {
  return devices[(word >>> countryBits) & deviceMask]!;
}

export function isRobot(word: number): boolean {
  return (word & robotBit) !== 0;
}
