/**
 * What is known of scans that are counted and not saved yet: how many of which hour, visitor and referring host.
 *
 * They hang off their link, a chain of counters in one slab of typed arrays; the link's record has the first. A scan
 * walks the chain of its own link, a few counters long, and a checkpoint takes the chain in the very step in which it
 * reads the count: count and counters are of the same scans, without a moment at which everything has to stand still.
 * Rejected: one table of all links by the hour, set aside whole when it is written out. Counts would have to be read
 * for all links at that moment, and reading a million takes a tenth of a second.
 *
 * The slab is bounded. When the store is away for so long that it is full, scans are counted as ever; what they came
 * from is not known then, and they are `unknown` in the hours (`link-scans.ts`). They are never missing.
 */

import { type SeenScans, unknown } from "../domain/analytics/link-scans.ts";
import { hourMs } from "../domain/analytics/zone.ts";
import { referrersMax, unsavedStepsMax } from "../limits.ts";
import type { LinkTable } from "../link/link-table.ts";
import { referrerHost } from "./referrer-host.ts";
import { countryOf, deviceOf, isRobot, offWord, withoutCountry } from "./visitor-word.ts";

const entryWords = 4;
const chunkBits = 14;
const chunkEntries = 1 << chunkBits;
const chunkMask = chunkEntries - 1;

const noReferrer = 0;
const otherReferrer = 0xffff;

/** What was taken of a link. */
export interface TakenScans {
  seen: SeenScans[];
  /** Scans while analytics were off. */
  off: number;
}

export class UnsavedScans {
  readonly #table: LinkTable;
  readonly #entriesMax: number;
  /** An entry: the next one of its link, its hour, visitor and referrer, scans. Entry 0 is none. */
  readonly #chunks: Uint32Array[] = [new Uint32Array(chunkEntries * entryWords)];
  readonly #numbers = new Map<string, number>();
  readonly #hosts: string[] = ["direct"];
  readonly #entriesOfHost: number[] = [0];
  readonly #freeNumbers: number[] = [];
  #made = 1;
  /** The first of those that are free again. */
  #free = 0;
  #entries = 0;
  #unplaced = 0;

  constructor(table: LinkTable, entriesMax: number) {
    this.#table = table;
    this.#entriesMax = entriesMax;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Scans that there was no room for, since the start. */
  get unplaced(): number {
    return this.#unplaced;
  }

  /** Referring hosts that are remembered. */
  get hosts(): number {
    return this.#numbers.size;
  }

  /** The hour in hours since the epoch; the header `Referer` as it came. */
  add(slot: number, hour: number, word: number, referer: string): void {
    if (word === offWord) {
      if (!this.#countAnywhere(slot, 0, 0)) this.#begin(slot, 0, 0);
      return;
    }
    const host = referer === "" ? "" : referrerHost(referer);
    const number = host === "" ? noReferrer : (this.#numbers.get(host) ?? -1);
    // Of a host that is new there can be no entry yet.
    if (number >= 0 && this.#countKnown(slot, hour, ((word << 16) | number) >>> 0)) return;
    this.#count(slot, hour, word, host);
  }

  #countKnown(slot: number, hour: number, visit: number): boolean {
    let steps = 0;
    for (let entry = this.#table.unsaved(slot); entry !== 0; ) {
      const words = this.#chunks[entry >> chunkBits]!;
      const at = (entry & chunkMask) * entryWords;
      if (words[at + 1] === hour && words[at + 2] === visit) {
        words[at + 3]! += 1;
        return true;
      }
      entry = words[at]!;
      if (++steps === unsavedStepsMax) return false;
    }
    return false;
  }

  #count(slot: number, hour: number, word: number, host: string): void {
    if (this.#isLong(slot)) {
      const visit = ((withoutCountry(word) << 16) | otherReferrer) >>> 0;
      if (!this.#countAnywhere(slot, hour, visit)) this.#begin(slot, hour, visit);
      return;
    }
    this.#begin(slot, hour, ((word << 16) | this.#numberOf(host)) >>> 0);
  }

  #isLong(slot: number): boolean {
    let steps = 0;
    for (let entry = this.#table.unsaved(slot); entry !== 0; entry = this.#next(entry)) {
      if (++steps === unsavedStepsMax) return true;
    }
    return false;
  }

  #countAnywhere(slot: number, hour: number, visit: number): boolean {
    for (let entry = this.#table.unsaved(slot); entry !== 0; entry = this.#next(entry)) {
      const words = this.#chunks[entry >> chunkBits]!;
      const at = (entry & chunkMask) * entryWords;
      if (words[at + 1] !== hour || words[at + 2] !== visit) continue;
      words[at + 3]! += 1;
      return true;
    }
    return false;
  }

  #next(entry: number): number {
    return this.#chunks[entry >> chunkBits]![(entry & chunkMask) * entryWords]!;
  }

  #begin(slot: number, hour: number, visit: number): void {
    const entry = this.#newEntry();
    if (entry === 0) {
      this.#unplaced++;
      return;
    }
    const words = this.#chunks[entry >> chunkBits]!;
    const at = (entry & chunkMask) * entryWords;
    words[at] = this.#table.unsaved(slot);
    words[at + 1] = hour;
    words[at + 2] = visit;
    words[at + 3] = 1;
    this.#table.setUnsaved(slot, entry);
    this.#entries++;
    const number = visit & 0xffff;
    if (number !== noReferrer && number !== otherReferrer) this.#entriesOfHost[number]! += 1;
  }

  #newEntry(): number {
    const free = this.#free;
    if (free !== 0) {
      this.#free = this.#next(free);
      return free;
    }
    if (this.#made >= this.#entriesMax) return 0;
    const entry = this.#made++;
    if (entry >> chunkBits === this.#chunks.length) {
      this.#chunks.push(new Uint32Array(chunkEntries * entryWords));
    }
    return entry;
  }

  #numberOf(host: string): number {
    if (host === "") return noReferrer;
    const known = this.#numbers.get(host);
    if (known !== undefined) return known;
    // The entry would not be made, and nothing would ever let go of the name.
    if (this.#free === 0 && this.#made >= this.#entriesMax) return otherReferrer;
    const number = this.#freeNumbers.pop() ?? this.#hosts.length;
    if (number > referrersMax) return otherReferrer;
    this.#hosts[number] = host;
    this.#entriesOfHost[number] = 0;
    this.#numbers.set(host, number);
    return number;
  }

  /** All that is known of a link's scans; from now on it is the caller's. */
  take(slot: number): TakenScans {
    const taken: TakenScans = { seen: [], off: 0 };
    for (let entry = this.#table.unsaved(slot); entry !== 0; ) {
      const words = this.#chunks[entry >> chunkBits]!;
      const at = (entry & chunkMask) * entryWords;
      const next = words[at]!;
      const visit = words[at + 2]!;
      const scans = words[at + 3]!;
      if (visit >>> 16 === offWord) taken.off += scans;
      else {
        const referrer = this.#hostOf(visit & 0xffff);
        taken.seen.push({ ...seenBy(visit >>> 16, words[at + 1]! * hourMs, scans), referrer });
      }
      words[at] = this.#free;
      this.#free = entry;
      this.#entries--;
      entry = next;
    }
    this.#table.setUnsaved(slot, 0);
    return taken;
  }

  /** The name of a host, and one entry less that bears it. */
  #hostOf(number: number): string {
    if (number === otherReferrer) return "other";
    const host = this.#hosts[number]!;
    if (number === noReferrer) return host;
    const left = this.#entriesOfHost[number]! - 1;
    this.#entriesOfHost[number] = left;
    if (left === 0) {
      this.#numbers.delete(host);
      this.#freeNumbers.push(number);
    }
    return host;
  }
}

/** What a visitor's word says. The journal has no referrers. */
export function seenBy(word: number, hour: number, scans: number): SeenScans {
  return {
    hour,
    isRobot: isRobot(word),
    country: countryOf(word),
    device: deviceOf(word),
    referrer: unknown,
    scans,
  };
}
