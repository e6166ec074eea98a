/**
 * The frames of the scan journal.
 *
 * A frame holds the scans of one turn of the event loop: a header of eight words (magic, segment, number of records,
 * checksum, the hour of the scans, three that are free), then sixteen bytes a scan: the packed slug, the link's count
 * after it in 48 bits, and what is kept of the visitor in 16. Counts are absolute, so reading a frame twice, or one that
 * the store already knows, changes nothing: the greater count wins, and only scans above the stored count are added to
 * the hours. A difference per scan would be smaller but could not be replayed twice.
 *
 * A segment's file may be an old one written over. The header names the segment, so what is left of the
 * old content is not taken for new; and a record can never be taken for a header, since a packed half of
 * a slug has 25 bits and the magic uses the 32nd. Numbers are little-endian, as on all machines we run on.
 *
 * Earlier versions wrote headers of four words, with another magic, and counts as doubles without hour and visitor. They
 * are still read: a start after an update finds them.
 */
import { crc32 } from "node:zlib";
import { unknownWord } from "../../analytics/visitor-word.ts";
import { highWord, keyOfWords, lowWord, type SlugKey } from "../../link/slug.ts";

const magic = 0xe7a15cb2;
const earlierMagic = 0xe7a15cb1;
export const recordBytes = 16;
export const recordWords = recordBytes / 4;
export const headerBytes = 32;
const headerRecords = headerBytes / recordBytes;
const earlierHeaderBytes = 16;
const checksumWord = 3;
const hourWord = 4;
const perWord = 2 ** 32;

/** The slug's halves, the count, and `lastWord`. */
export function putRecord(
  words: Uint32Array,
  at: number,
  high: number,
  low: number,
  count: number,
  last: number,
): void {
  words[at] = high;
  words[at + 1] = low;
  // Takes the count's lowest 32 bits.
  words[at + 2] = count;
  words[at + 3] = last;
}

/** What is kept of the visitor, and the count's highest bits. */
export function lastWord(count: number, visitor: number): number {
  return (visitor << 16) | ((count / perWord) & 0xffff);
}

/** Of all records but those of earlier versions. */
export function recordAt(words: Uint32Array, at: number): { key: SlugKey; count: number; visitor: number } {
  return {
    key: keyOfWords(words[at]!, words[at + 1]!),
    count: words[at + 2]! + (words[at + 3]! & 0xffff) * perWord,
    visitor: words[at + 3]! >>> 16,
  };
}

export class Frame {
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  #records = 0;

  constructor(recordsMax: number) {
    const memory = new ArrayBuffer(headerBytes + recordsMax * recordBytes);
    this.#words = new Uint32Array(memory);
    this.#bytes = new Uint8Array(memory);
  }

  get records(): number {
    return this.#records;
  }

  get byteLength(): number {
    return headerBytes + this.#records * recordBytes;
  }

  /** The visitor in 16 bits, as `analytics/visitor-word.ts` says. */
  append(key: SlugKey, count: number, visitor: number): void {
    const at = (this.#records + headerRecords) * recordWords;
    putRecord(this.#words, at, highWord(key), lowWord(key), count, lastWord(count, visitor));
    this.#records++;
  }

  read(onRecord: (key: SlugKey, count: number, visitor: number) => void): void {
    for (let record = 0; record < this.#records; record++) {
      const { key, count, visitor } = recordAt(this.#words, (record + headerRecords) * recordWords);
      onRecord(key, count, visitor);
    }
  }

  /** Appends what `putRecord` put there. */
  copy(words: Uint32Array, from: number): void {
    const to = (this.#records++ + headerRecords) * recordWords;
    for (let at = 0; at < recordWords; at++) this.#words[to + at] = words[from + at]!;
  }

  clear(): void {
    this.#records = 0;
  }

  /** The bytes of the frame; valid until the next `append`. The hour in hours since the epoch. */
  seal(segment: number, hour: number): Uint8Array {
    const words = this.#words;
    words[0] = magic;
    words[1] = segment;
    words[2] = this.#records;
    words[checksumWord] = 0;
    words[hourWord] = hour;
    const bytes = this.#bytes.subarray(0, this.byteLength);
    words[checksumWord] = crc32(bytes);
    return bytes;
  }
}

/** The hour of scans in frames that do not say. */
export const noHour = -1;

/** A scan of the journal: the link's count after it, the hour in hours since the epoch, and the visitor's 16 bits. */
export type OnRecord = (key: SlugKey, count: number, hour: number, visitor: number) => void;

export interface Replay {
  frames: number;
  /** Where the last whole frame ends. */
  end: number;
  /** Stretches before that which hold no whole frame: damage, since a torn write can only be the last. */
  damaged: { from: number; to: number }[];
}

/** Reads every whole frame of a segment. Stops for good only where no whole frame follows. */
export function readFrames(content: Uint8Array, segment: number, onRecord: OnRecord): Replay {
  // A copy is aligned, whatever part of a pool the content came in.
  const bytes = new Uint8Array(content.subarray(0, content.length - (content.length % recordBytes)));
  const words = new Uint32Array(bytes.buffer, 0, bytes.length / 4);
  const doubles = new Float64Array(bytes.buffer, 0, bytes.length / 8);
  const replay: Replay = { frames: 0, end: 0, damaged: [] };
  for (let at = 0; at < bytes.length; ) {
    const length = frameLength(words, bytes, at, segment);
    if (length === 0) {
      at += recordBytes;
      continue;
    }
    if (at > replay.end) replay.damaged.push({ from: replay.end, to: at });
    const isEarlier = words[at / 4] === earlierMagic;
    const first = at + (isEarlier ? earlierHeaderBytes : headerBytes);
    for (let record = first; record < at + length; record += recordBytes) {
      const word = record / 4;
      const { key, count, visitor } = recordAt(words, word);
      if (isEarlier) onRecord(key, doubles[record / 8 + 1]!, noHour, unknownWord);
      else onRecord(key, count, words[at / 4 + hourWord]!, visitor);
    }
    at += length;
    replay.end = at;
    replay.frames++;
  }
  return replay;
}

/** The length of the whole and sound frame that starts here, or 0. */
function frameLength(words: Uint32Array, bytes: Uint8Array, at: number, segment: number): number {
  const word = at / 4;
  const header = words[word] === magic ? headerBytes : words[word] === earlierMagic ? earlierHeaderBytes : 0;
  if (header === 0 || words[word + 1] !== segment) return 0;
  const length = header + words[word + 2]! * recordBytes;
  if (at + length > bytes.length) return 0;
  const checksum = words[word + checksumWord]!;
  words[word + checksumWord] = 0;
  const sound = crc32(bytes.subarray(at, at + length)) === checksum;
  words[word + checksumWord] = checksum;
  return sound ? length : 0;
}
