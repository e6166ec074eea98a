/**
 * Scan analytics: per code and hour, how many scans by country, by device and by referring host.
 *
 * A scan adds one to a small counter in a typed-array table, keyed by the packed slug and three numbers
 * for country, device and referrer; no address and no user agent is kept anywhere. Counters are
 * differences: a table that cannot grow any more is set aside for the store and another takes its place. The hash
 * is of the slug alone, so all counters of a code stand in one unbroken run, and writing a table out needs no
 * memory beyond the run at hand.
 *
 * What is set aside waits for `AnalyticsSaving`. When the store is away for so long that too much waits,
 * further scans are still answered and counted in `scan_count`, but their analytics are dropped, and told.
 */

import type { Device } from "../domain/documents.ts";
import { analyticsEntriesMax, analyticsStepsMax, analyticsWaitingMax, referrersMax } from "../limits.ts";
import { highWord, keyOfWords, lowWord, type SlugKey } from "../link/slug.ts";
import type { Millis } from "../runtime/clock.ts";

export const hourMs = 3_600_000;

const entryWords = 4;
const firstEntries = 1 << 10;
const growth = 4;

const devices = ["desktop", "ios", "android"] as const satisfies readonly Device[];
const deviceShift = 25;
const half = (1 << deviceShift) - 1;

export const unknownCountry = 0;
const otherCountry = 27 * 26 + 1;
export const noReferrer = 0;
const otherReferrer = 0xffff;

function deviceNumber(device: Device): number {
  return devices.indexOf(device as (typeof devices)[number]);
}

/** Two capital letters as a number; 0 is unknown. */
export function countryNumber(code: string | null): number {
  return code === null ? unknownCountry : (code.charCodeAt(0) - 64) * 26 + code.charCodeAt(1) - 65;
}

export function countryCode(number: number): string | null {
  if (number === unknownCountry) return null;
  return String.fromCharCode(Math.floor(number / 26) + 64, (number % 26) + 65);
}

function countryName(number: number): string {
  return number === otherCountry ? "other" : (countryCode(number) ?? "unknown");
}

/** What is counted of whoever scans, looked up only when it is. */
export interface CountedVisitor {
  device(): Device;
  /** As `countryNumber` gives it. */
  countryNumber(): number;
  /** The header as it came. */
  referer(): string;
}

/** Scans of one code in the hour of its table. */
export interface CodeCounts {
  key: SlugKey;
  total: number;
  countries: Map<string, number>;
  devices: Map<string, number>;
  referrers: Map<string, number>;
}

export class AnalyticsTable {
  readonly hour: Millis;
  readonly #words: Uint32Array;
  readonly #mask: number;
  readonly #referrers = new Map<string, number>();
  readonly #referrerNames: string[] = ["direct"];
  #entries = 0;

  constructor(hour: Millis, entries: number) {
    this.hour = hour;
    this.#words = new Uint32Array(entries * entryWords);
    this.#mask = entries - 1;
  }

  get capacity(): number {
    return this.#mask + 1;
  }

  get entries(): number {
    return this.#entries;
  }

  get isFull(): boolean {
    return this.#entries * 2 > this.#mask;
  }

  referrer(host: string): number {
    const known = this.#referrers.get(host);
    if (known !== undefined) return known;
    if (this.#referrerNames.length > referrersMax) return otherReferrer;
    const number = this.#referrerNames.push(host) - 1;
    this.#referrers.set(host, number);
    return number;
  }

  add(key: SlugKey, country: number, device: number, referrer: number): void {
    this.#count(highWord(key) | (device << deviceShift), lowWord(key), (country << 16) | referrer, 1);
  }

  /** The same counts in a table with more room. */
  grown(entries: number): AnalyticsTable {
    const larger = new AnalyticsTable(this.hour, entries);
    for (const name of this.#referrerNames.slice(1)) larger.referrer(name);
    for (let word = 0; word < this.#words.length; word += entryWords) {
      const scans = this.#words[word + 3]!;
      if (scans !== 0) {
        larger.#count(this.#words[word]!, this.#words[word + 1]!, this.#words[word + 2]!, scans);
      }
    }
    return larger;
  }

  #count(first: number, low: number, given: number, scans: number): void {
    const words = this.#words;
    const mask = this.#mask;
    let visitor = given >>> 0;
    let steps = 0;
    for (let at = homeOf(first & half, low) & mask; ; at = (at + 1) & mask) {
      const word = at * entryWords;
      if (words[word + 3] === 0) {
        words[word] = first;
        words[word + 1] = low;
        words[word + 2] = visitor;
        words[word + 3] = scans;
        this.#entries++;
        return;
      }
      if (words[word] === first && words[word + 1] === low && words[word + 2] === visitor) {
        words[word + 3]! += scans;
        return;
      }
      if (++steps === analyticsStepsMax) visitor = ((otherCountry << 16) | otherReferrer) >>> 0;
    }
  }

  /** Every code's counts, a run of the table at a time. */
  *codes(): Generator<CodeCounts> {
    const start = this.#firstEmpty();
    const run = new Map<SlugKey, CodeCounts>();
    for (let step = 1; step <= this.capacity; step++) {
      const word = ((start + step) & this.#mask) * entryWords;
      if (this.#words[word + 3] !== 0) {
        this.#fold(word, run);
      } else if (run.size > 0) {
        yield* run.values();
        run.clear();
      }
    }
  }

  #firstEmpty(): number {
    let at = 0;
    while (this.#words[at * entryWords + 3] !== 0) at++;
    return at;
  }

  #fold(word: number, run: Map<SlugKey, CodeCounts>): void {
    const key = keyOfWords(this.#words[word]! & half, this.#words[word + 1]!);
    const visitor = this.#words[word + 2]!;
    const scans = this.#words[word + 3]!;
    let code = run.get(key);
    if (code === undefined) {
      code = { key, total: 0, countries: new Map(), devices: new Map(), referrers: new Map() };
      run.set(key, code);
    }
    const referrer = visitor & 0xffff;
    code.total += scans;
    addTo(code.countries, countryName(visitor >>> 16), scans);
    addTo(code.devices, devices[this.#words[word]! >>> deviceShift]!, scans);
    addTo(code.referrers, referrer === otherReferrer ? "other" : this.#referrerNames[referrer]!, scans);
  }
}

function addTo(counts: Map<string, number>, key: string, scans: number): void {
  counts.set(key, (counts.get(key) ?? 0) + scans);
}

function homeOf(high: number, low: number): number {
  const hash = Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b);
  return Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) >>> 8;
}

export class Analytics {
  #current: AnalyticsTable | null = null;
  #waiting: AnalyticsTable[] = [];
  #hourEnd = 0;
  dropped = 0;

  addScan(key: SlugKey, visitor: CountedVisitor, now: Millis): void {
    const device = deviceNumber(visitor.device());
    this.add(key, visitor.countryNumber(), device, referrerHost(visitor.referer()), now);
  }

  add(key: SlugKey, country: number, device: number, referrerHost: string, now: Millis): void {
    let table = this.#current;
    if (table === null || now >= this.#hourEnd || table.isFull) {
      table = this.#turnOver(now);
      if (table === null) {
        this.dropped++;
        return;
      }
    }
    table.add(key, country, device, referrerHost === "" ? noReferrer : table.referrer(referrerHost));
  }

  #turnOver(now: Millis): AnalyticsTable | null {
    const last = this.#current;
    if (last !== null && now < this.#hourEnd && last.capacity < analyticsEntriesMax) {
      this.#current = last.grown(last.capacity * growth);
      return this.#current;
    }
    const waiting = this.#waiting.reduce((sum, table) => sum + table.capacity, last?.capacity ?? 0);
    if (waiting > analyticsWaitingMax) return null;
    if (last !== null) this.#waiting.push(last);
    const hour = now - (now % hourMs);
    this.#hourEnd = hour + hourMs;
    this.#current = new AnalyticsTable(hour, last?.capacity ?? firstEntries);
    return this.#current;
  }

  /** Whether a full table, or one of an hour that is over, waits to be written out. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** The oldest table there is to write out; from now on it is the caller's. */
  take(): AnalyticsTable | null {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) return waiting;
    const current = this.#current;
    if (current === null || current.entries === 0) return null;
    this.#current = new AnalyticsTable(current.hour, current.capacity);
    return current;
  }
}

/** Scheme, host, perhaps a port, then a path or nothing. A user name before the host is not for us to keep. */
const referrerForm = /^[a-z][a-z0-9+.-]*:\/\/([a-z0-9.-]{1,253})(?::\d{0,5})?(?:[/?#]|$)/i;

/** The host of a `Referer`, in lower case; `other` for what has no plain one. */
export function referrerHost(referer: string): string {
  if (referer === "") return "";
  return referrerForm.exec(referer)?.[1]?.toLowerCase() ?? "other";
}
