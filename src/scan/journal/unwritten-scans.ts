/**
 * Scans that are answered before a segment has them, in memory that outlives the process (`lasting-memory.ts`). The next
 * frame gets them from here, all at once; a start reads them only if the process ended before that frame was written.
 *
 * A record is that of a frame and a check of it. What comes after a written frame writes over what was before it: the
 * older is in the journal or in the store, and as counts are absolute it changes nothing where it is still read. At a power
 * cut some words are kept and some are not; a record of which that is true fails its check. A number of records beside
 * them could disagree with them, so there is none: every record that checks counts.
 */
import { highWord, lowWord, type SlugKey } from "../../link/slug.ts";
import type { JournalDisk } from "./disk.ts";
import { recordWords as checkWord, type Frame, lastWord, putRecord, recordAt } from "./frame.ts";
import type { LastingMemory } from "./lasting-memory.ts";

/** By which they are found in the file, of which they are a part. */
const magic = [0xe7a15cb3, 0x6a09e667, 0xbb67ae85, 0x3c6ef372];
const recordsMaxWord = 4;
/** The hour of the scans, in hours since the epoch. */
const hourWord = 5;
const headerWords = 6;
/** A frame's record, and the check behind it. */
const recordWords = checkWord + 1;
const wordBytes = 4;
const magicBytes = Buffer.from(new Uint32Array(magic).buffer);

export interface UnwrittenScan {
  key: SlugKey;
  count: number;
  hour: number;
  visitor: number;
}

/** Null where there is no memory that lasts. */
export function openUnwrittenScans(
  disk: JournalDisk,
  path: string,
  recordsMax: number,
): UnwrittenScans | null {
  const memory = disk.openLastingMemory(path, (headerWords + recordsMax * recordWords) * wordBytes);
  return memory && new UnwrittenScans(memory, recordsMax);
}

export class UnwrittenScans {
  #words: Uint32Array;
  readonly #close: () => void;
  readonly #end: number;
  #at = headerWords;
  /** Up to here the frame has them. */
  #moved = headerWords;

  constructor({ words, close }: LastingMemory, recordsMax: number) {
    this.#words = words;
    this.#close = close;
    this.#end = headerWords + recordsMax * recordWords;
    words.set(magic);
    words[recordsMaxWord] = recordsMax;
  }

  get isFull(): boolean {
    return this.#at === this.#end;
  }

  get isHalfFull(): boolean {
    return this.#at * 2 >= this.#end;
  }

  get isEmpty(): boolean {
    return this.#at === headerWords;
  }

  /** Of all that is put down until it is cleared. */
  set hour(hour: number) {
    this.#words[hourWord] = hour;
  }

  /** Unless it is full. The check is made of values: reading again what was just written takes a scan longer. */
  put(key: SlugKey, count: number, visitor: number): void {
    const words = this.#words;
    const at = this.#at;
    const high = highWord(key);
    const low = lowWord(key);
    const last = lastWord(count, visitor);
    putRecord(words, at, high, low, count, last);
    words[at + checkWord] = checkOf(words[hourWord]!, high, low, count, last);
    this.#at = at + recordWords;
  }

  /** Behind what the frame has. */
  moveTo(frame: Frame): void {
    for (; this.#moved < this.#at; this.#moved += recordWords) frame.copy(this.#words, this.#moved);
  }

  /** They are written, or will not be. */
  clear(): void {
    this.#at = headerWords;
    this.#moved = headerWords;
  }

  close(isSuperfluous: boolean): void {
    if (isSuperfluous) this.#words.fill(0);
    this.#words = new Uint32Array(0);
    this.#close();
  }
}

/** All that can be found in the content of the file. */
export function readUnwritten(content: Uint8Array): UnwrittenScan[] {
  const from = Buffer.from(content.buffer, content.byteOffset, content.length).indexOf(magicBytes);
  if (from < 0) return [];
  const length = content.length - from;
  // A copy is aligned.
  const bytes = new Uint8Array(content.subarray(from, from + length - (length % wordBytes)));
  const words = new Uint32Array(bytes.buffer);
  const end = Math.min(words.length, headerWords + words[recordsMaxWord]! * recordWords);
  const found: UnwrittenScan[] = [];
  for (let at = headerWords; at + recordWords <= end; at += recordWords) {
    const [high, low, count, last] = words.subarray(at, at + checkWord);
    if (words[at + checkWord] !== checkOf(words[hourWord]!, high!, low!, count!, last!)) continue;
    found.push({ ...recordAt(words, at), hour: words[hourWord]! });
  }
  return found;
}

/** Of a record's words and of the hour. Never zero, so that memory nobody wrote to holds no record. */
function checkOf(hour: number, high: number, low: number, count: number, last: number): number {
  let check = Math.imul(hour ^ high, 0x9e3779b1);
  check = Math.imul(check ^ (check >>> 15) ^ low, 0x85ebca6b);
  check = Math.imul(check ^ (check >>> 13) ^ count, 0xc2b2ae35);
  check = Math.imul(check ^ (check >>> 16) ^ last, 0x27d4eb2f);
  return ((check ^ (check >>> 15)) | 1) >>> 0;
}
