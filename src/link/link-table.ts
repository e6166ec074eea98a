/**
 * The links in memory: a slab of fixed records and an index over it, all in typed arrays.
 *
 * A `Map` of objects costs three times the memory and eight times the look-up at a million links, and
 * hands every one of them to the garbage collector. Here a link is 112 bytes in a slab that grows by chunks
 * (nothing is ever copied), with its target's bytes inline. The index is open addressing over 32-bit entries:
 * 24 bits of slot and 8 bits of the key's hash, so that a probe that meets a stranger hardly ever has to
 * touch the stranger's record. When the index is half full a larger one takes over step by step: every
 * insert carries a few entries across, so no scan ever waits for a rehash.
 *
 * What few links need (long targets, texts, rules) hangs off in `extras`; expiry and limit have a slab of their own,
 * chunk by chunk, where a link needs one, and so has what other members counted. The number of links is bounded;
 * at the bound a clock hand looks for one that was not scanned since it last came by, and whose count the
 * store already has. A link whose count is not saved is never let go.
 */
import type { LinkCount } from "../store/scan-parts.ts";
import type { CompiledRules } from "./match-rules.ts";
import { type ProjectStates, projectless } from "./project-states.ts";
import { highWord, lowWord, noSlug, type SlugKey } from "./slug.ts";
import type { AccountZone, Zones } from "./zones.ts";

export const statusActive = 0;
export const statusArchived = 1;
export const statusBlocked = 2;

/** Bits of a link's flags. The two lowest are its status. */
export const flag = {
  status: 3,
  text: 1 << 2,
  rules: 1 << 3,
  expires: 1 << 4,
  limited: 1 << 5,
  analytics: 1 << 6,
  /** The target is too long to be inline. */
  long: 1 << 7,
  /** What is loaded may not be the truth: load again before the next answer, but keep the count. */
  stale: 1 << 8,
  /** The count is ahead of the store's. */
  dirty: 1 << 9,
  /** Scanned since the clock hand last came by. */
  used: 1 << 10,
} as const;

/** Above the flags, in the same word: the length of an inline target. */
const lengthShift = 16;

/** A link with none of these is redirected without a further look. */
export const notPlain =
  flag.status | flag.text | flag.rules | flag.expires | flag.limited | flag.long | flag.stale;

const recordBytes = 112;
const recordWords = recordBytes / 4;
const recordDoubles = recordBytes / 8;
const chunkBits = 15;
const chunkSlots = 1 << chunkBits;
const slotMask = chunkSlots - 1;

const keyDouble = 0;
const flagsWord = 2;
const projectWord = 3;
const countDouble = 2;
/** The first of what is known of its unsaved scans: see `analytics/unsaved-scans.ts`. */
const unsavedWord = 6;
const urlWord = 7;
const urlByte = urlWord * 4;
export const inlineUrlBytes = recordBytes - urlByte;

/** In a chunk's slab of terms. */
const termDoubles = 2;
const expiryDouble = 0;
const limitDouble = 1;

const slotBits = 24;
const slotOfEntry = (1 << slotBits) - 1;
/** Entries hold the slot plus one; zero is an empty place. */
export const linkSlotsMax = slotOfEntry - 1;
const removedEntry = slotOfEntry;
const firstIndexSize = 1 << 12;
const carriedPerInsert = 8;

interface Chunk {
  words: Uint32Array;
  doubles: Float64Array;
  bytes: Uint8Array;
  /** Expiry and limit of every link; null as long as no link of the chunk has had either. */
  terms: Float64Array | null;
  /** What others counted of every link; null as long as nobody has of any link of the chunk. */
  others: Float64Array | null;
}

/** What hangs off a link that is not plain. */
export interface LinkExtra {
  url: string;
  text: string | null;
  rules: CompiledRules | null;
  /** By whose clock schedules are read; null when there are none. */
  zone: AccountZone | null;
}

export interface LinkFields {
  flags: number;
  expiresAt: number;
  limit: number;
  /** Printable ASCII. */
  url: string;
  text: string | null;
  rules: CompiledRules | null;
}

function hashOf(key: SlugKey): number {
  let hash = Math.imul(highWord(key), 0x9e3779b1) ^ Math.imul(lowWord(key), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export class LinkTable {
  readonly #linksMax: number;
  readonly #projects: ProjectStates;
  readonly #zones: Zones;
  readonly #chunks: Chunk[] = [];
  readonly #extras = new Map<number, LinkExtra>();
  #index = new Uint32Array(firstIndexSize);
  /** The smaller index whose entries are still being carried over, and how far that has come. */
  #previous: Uint32Array | null = null;
  #carried = 0;
  #used = 0;
  #free: number[] = [];
  #live = 0;
  #hand = 0;
  /** Slots whose count went ahead of the store's; may name a slot that is clean again. */
  #dirty: number[] = [];
  /** Those that were taken and are on their way to the store. */
  #taken: readonly number[] = [];

  constructor(linksMax: number, projects: ProjectStates, zones: Zones) {
    if (!(linksMax >= 1 && linksMax <= linkSlotsMax)) throw new RangeError(`linksMax ${linksMax}`);
    this.#linksMax = linksMax;
    this.#projects = projects;
    this.#zones = zones;
  }

  get size(): number {
    return this.#live;
  }

  /** The slot of a link, or -1. */
  find(key: SlugKey): number {
    const hash = hashOf(key);
    const slot = this.#probe(this.#index, hash, key);
    if (slot >= 0 || this.#previous === null) return slot;
    return this.#probe(this.#previous, hash, key);
  }

  #probe(index: Uint32Array, hash: number, key: SlugKey): number {
    const mask = index.length - 1;
    const tag = hash >>> slotBits;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = index[at]!;
      if (entry === 0) return -1;
      if (entry >>> slotBits !== tag) continue;
      const place = entry & slotOfEntry;
      if (place === removedEntry) continue;
      if (this.isAt(place - 1, key)) return place - 1;
    }
  }

  /** A new link with count 0, or -1 when every slot is taken and none can be let go. The key must be absent. */
  insert(key: SlugKey): number {
    if (this.#live >= this.#linksMax && !this.#evictOne()) return -1;
    const slot = this.#free.pop() ?? this.#used++;
    if (slot >> chunkBits === this.#chunks.length) this.#chunks.push(newChunk());
    const { words, doubles } = this.#chunks[slot >> chunkBits]!;
    const base = (slot & slotMask) * recordWords;
    words.fill(0, base, base + urlWord);
    doubles[(slot & slotMask) * recordDoubles + keyDouble] = key;
    words[base + projectWord] = projectless;
    const { others } = this.#chunks[slot >> chunkBits]!;
    if (others !== null) others[slot & slotMask] = 0;
    this.#live++;
    this.#makeRoom();
    place(this.#index, hashOf(key), slot);
    return slot;
  }

  /** Lets the link go and its slot be used again. The caller has made sure that its count is saved. */
  remove(slot: number): void {
    const { words, doubles } = this.#chunks[slot >> chunkBits]!;
    const base = (slot & slotMask) * recordWords;
    const hash = hashOf(this.keyAt(slot));
    this.#unplace(this.#index, hash, slot);
    if (this.#previous !== null) bury(this.#previous, hash, slot);
    this.#projects.release(words[base + projectWord]!);
    this.#setExtra(slot, null);
    doubles[(slot & slotMask) * recordDoubles + keyDouble] = noSlug;
    words[base + flagsWord] = 0;
    words[base + projectWord] = projectless;
    this.#free.push(slot);
    this.#live--;
  }

  /** Writes what a code says into its link; count, dirty and used bits stay. */
  describe(slot: number, project: number, fields: LinkFields, zone: AccountZone | null = null): void {
    const chunk = this.#chunks[slot >> chunkBits]!;
    const base = (slot & slotMask) * recordWords;
    const { words, bytes } = chunk;
    const kept = words[base + flagsWord]! & (flag.dirty | flag.used);
    const long = fields.url.length > inlineUrlBytes;
    if (words[base + projectWord] !== project) {
      this.#projects.release(words[base + projectWord]!);
      this.#projects.retain(project);
      words[base + projectWord] = project;
    }
    const length = long ? 0 : fields.url.length;
    words[base + flagsWord] = fields.flags | kept | (long ? flag.long : 0) | (length << lengthShift);
    if ((fields.flags & (flag.expires | flag.limited)) !== 0) {
      chunk.terms ??= new Float64Array(chunkSlots * termDoubles);
      const at = (slot & slotMask) * termDoubles;
      chunk.terms[at + expiryDouble] = fields.expiresAt;
      chunk.terms[at + limitDouble] = fields.limit;
    }
    if (!long) {
      const from = (slot & slotMask) * recordBytes + urlByte;
      for (let at = 0; at < fields.url.length; at++) bytes[from + at] = fields.url.charCodeAt(at);
    }
    const { url, text, rules } = fields;
    this.#setExtra(slot, long || text !== null || rules !== null ? { url, text, rules, zone } : null);
  }

  #setExtra(slot: number, extra: LinkExtra | null): void {
    const last = this.#extras.get(slot)?.zone ?? null;
    // In this order: a zone that stays is never without a link.
    if (extra !== null && extra.zone !== null) this.#zones.retain(extra.zone);
    if (last !== null) this.#zones.release(last);
    if (extra === null) this.#extras.delete(slot);
    else this.#extras.set(slot, extra);
  }

  isAt(slot: number, key: SlugKey): boolean {
    return this.keyAt(slot) === key;
  }

  keyAt(slot: number): SlugKey {
    const { doubles } = this.#chunks[slot >> chunkBits]!;
    return doubles[(slot & slotMask) * recordDoubles + keyDouble] as SlugKey;
  }

  flags(slot: number): number {
    return this.#chunks[slot >> chunkBits]!.words[(slot & slotMask) * recordWords + flagsWord]!;
  }

  markStale(slot: number): void {
    this.#chunks[slot >> chunkBits]!.words[(slot & slotMask) * recordWords + flagsWord]! |= flag.stale;
  }

  /** Every link is loaded again before it is next served. Some nanoseconds each: for once in a while. */
  markAllStale(): void {
    for (let slot = 0; slot < this.#used; slot++) if (this.keyAt(slot) !== noSlug) this.markStale(slot);
  }

  project(slot: number): number {
    return this.#chunks[slot >> chunkBits]!.words[(slot & slotMask) * recordWords + projectWord]!;
  }

  /** Of a link that expires. */
  expiresAt(slot: number): number {
    return this.#chunks[slot >> chunkBits]!.terms![(slot & slotMask) * termDoubles + expiryDouble]!;
  }

  /** Of a link with a limit. */
  limit(slot: number): number {
    return this.#chunks[slot >> chunkBits]!.terms![(slot & slotMask) * termDoubles + limitDouble]!;
  }

  extra(slot: number): LinkExtra | undefined {
    return this.#extras.get(slot);
  }

  /** The scans that were counted here: by this member, where there are others. */
  count(slot: number): number {
    return this.#chunks[slot >> chunkBits]!.doubles[(slot & slotMask) * recordDoubles + countDouble]!;
  }

  /** All scans of the link, as far as is known here. */
  total(slot: number): number {
    return this.count(slot) + (this.#chunks[slot >> chunkBits]!.others?.[slot & slotMask] ?? 0);
  }

  /** The store has at least these counts. */
  raiseCount(slot: number, { own, others }: LinkCount): void {
    const chunk = this.#chunks[slot >> chunkBits]!;
    const at = (slot & slotMask) * recordDoubles + countDouble;
    if (own > chunk.doubles[at]!) chunk.doubles[at] = own;
    if (others === 0) return;
    chunk.others ??= new Float64Array(chunkSlots);
    if (others > chunk.others[slot & slotMask]!) chunk.others[slot & slotMask] = others;
  }

  /** Counts one scan and returns the count after it, of those that were counted here. */
  addScan(slot: number): number {
    const chunk = this.#chunks[slot >> chunkBits]!;
    const at = (slot & slotMask) * recordWords + flagsWord;
    const flags = chunk.words[at]!;
    if ((flags & flag.dirty) === 0) this.#dirty.push(slot);
    chunk.words[at] = flags | flag.dirty | flag.used;
    const countAt = (slot & slotMask) * recordDoubles + countDouble;
    const count = chunk.doubles[countAt]! + 1;
    chunk.doubles[countAt] = count;
    return count;
  }

  /** Takes back a scan that was counted and gets no destination. False when the link was let go meanwhile. */
  takeBackScan(slot: number, key: SlugKey): boolean {
    if (!this.isAt(slot, key)) return false;
    this.#chunks[slot >> chunkBits]!.doubles[(slot & slotMask) * recordDoubles + countDouble]! -= 1;
    return true;
  }

  unsaved(slot: number): number {
    return this.#chunks[slot >> chunkBits]!.words[(slot & slotMask) * recordWords + unsavedWord]!;
  }

  setUnsaved(slot: number, first: number): void {
    this.#chunks[slot >> chunkBits]!.words[(slot & slotMask) * recordWords + unsavedWord] = first;
  }

  /** Copies an inline target to `words` from `at`, and returns its length in bytes. */
  copyUrl(slot: number, target: Uint32Array, at: number): number {
    const words = this.#chunks[slot >> chunkBits]!.words;
    const base = (slot & slotMask) * recordWords;
    const length = words[base + flagsWord]! >>> lengthShift;
    const from = base + urlWord;
    for (let word = 0; word << 2 < length; word++) target[at + word] = words[from + word]!;
    return length;
  }

  /** The target of a link as text, for all but the hot path. */
  url(slot: number): string {
    const extra = this.#extras.get(slot);
    if (extra !== undefined) return extra.url;
    const { words, bytes } = this.#chunks[slot >> chunkBits]!;
    const from = (slot & slotMask) * recordBytes + urlByte;
    const length = words[(slot & slotMask) * recordWords + flagsWord]! >>> lengthShift;
    return String.fromCharCode(...bytes.subarray(from, from + length));
  }

  /** The slots to save; one may be clean again, or come twice. From now on new ones are gathered apart. */
  takeDirty(): number[] {
    const taken = this.#dirty;
    this.#taken = taken;
    this.#dirty = [];
    return taken;
  }

  /** All that were taken last are in the store. */
  takenAreSaved(): void {
    this.#taken = [];
  }

  /** Whether one of these is not saved yet, whether or not it was taken. */
  someDirty(isMeant: (slot: number) => boolean): boolean {
    const isUnsaved = (slot: number) => (this.flags(slot) & flag.dirty) !== 0 && isMeant(slot);
    return this.#dirty.some(isUnsaved) || this.#taken.some(isUnsaved);
  }

  /** These were not saved after all: they are taken again the next time. */
  returnDirty(slots: Iterable<number>): void {
    for (const slot of slots) this.#dirty.push(slot);
  }

  /** The store has this count of the link. One that was scanned meanwhile is taken again the next time. */
  markSaved(slot: number, key: SlugKey, savedCount: number): void {
    if (!this.isAt(slot, key)) return;
    if (this.count(slot) === savedCount) {
      this.#chunks[slot >> chunkBits]!.words[(slot & slotMask) * recordWords + flagsWord]! &= ~flag.dirty;
    } else {
      this.#dirty.push(slot);
    }
  }

  /** At most two rounds of the clock: the first may have to clear every used bit. */
  #evictOne(): boolean {
    for (let steps = 2 * this.#used; steps > 0; steps--) {
      const slot = this.#hand;
      this.#hand = slot + 1 >= this.#used ? 0 : slot + 1;
      const { words } = this.#chunks[slot >> chunkBits]!;
      const at = (slot & slotMask) * recordWords + flagsWord;
      if (words[at + projectWord - flagsWord] === projectless) continue;
      const flags = words[at]!;
      if ((flags & flag.dirty) !== 0) continue;
      if ((flags & flag.used) !== 0) {
        words[at] = flags & ~flag.used;
        continue;
      }
      this.remove(slot);
      return true;
    }
    return false;
  }

  #makeRoom(): void {
    if (this.#previous === null && this.#live * 2 > this.#index.length) {
      this.#previous = this.#index;
      this.#carried = 0;
      this.#index = new Uint32Array(this.#previous.length * 2);
    }
    if (this.#previous === null) return;
    const until = Math.min(this.#carried + carriedPerInsert, this.#previous.length);
    for (; this.#carried < until; this.#carried++) {
      const slot = (this.#previous[this.#carried]! & slotOfEntry) - 1;
      if (slot < 0 || slot === removedEntry - 1) continue;
      place(this.#index, hashOf(this.keyAt(slot)), slot);
    }
    if (this.#carried === this.#previous.length) this.#previous = null;
  }

  /** Takes an entry out and moves back those that stood behind it only because it was in the way. */
  #unplace(index: Uint32Array, hash: number, slot: number): void {
    const mask = index.length - 1;
    let hole = placeOf(index, hash, slot);
    if (hole < 0) return;
    for (let at = (hole + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const other = (index[at]! & slotOfEntry) - 1;
      const home = hashOf(this.keyAt(other)) & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        index[hole] = index[at]!;
        hole = at;
      }
    }
    index[hole] = 0;
  }
}

function newChunk(): Chunk {
  const memory = new ArrayBuffer(chunkSlots * recordBytes);
  return {
    words: new Uint32Array(memory),
    doubles: new Float64Array(memory),
    bytes: new Uint8Array(memory),
    terms: null,
    others: null,
  };
}

function place(index: Uint32Array, hash: number, slot: number): void {
  const mask = index.length - 1;
  let at = hash & mask;
  while (index[at] !== 0) at = (at + 1) & mask;
  index[at] = ((hash >>> slotBits) << slotBits) | (slot + 1);
}

function placeOf(index: Uint32Array, hash: number, slot: number): number {
  const mask = index.length - 1;
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const entry = index[at]!;
    if (entry === 0) return -1;
    if ((entry & slotOfEntry) === slot + 1) return at;
  }
}

/** Marks an entry of an index that is on its way out: its probe chains must stay whole. */
function bury(index: Uint32Array, hash: number, slot: number): void {
  const at = placeOf(index, hash, slot);
  if (at >= 0) index[at] = removedEntry;
}
