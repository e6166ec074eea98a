/**
 * The frames of the scan journal.
 *
 * A frame holds the scans of one turn of the event loop: a header of four words (magic, segment, number of
 * records, checksum), then sixteen bytes a scan: the packed slug and the link's count after it. Counts
 * are absolute, so reading a frame twice, or one that the store already knows, changes nothing: the
 * greater count wins. A difference per scan would be smaller but could not be replayed twice.
 *
 * A segment's file may be an old one written over. The header names the segment, so what is left of the
 * old content is not taken for new; and a record can never be taken for a header, since a packed half of
 * a slug has 25 bits and the magic uses the 32nd. Numbers are little-endian, as on all machines we run on.
 */
import { crc32 } from "node:zlib";
import { highWord, keyOfWords, lowWord, type SlugKey } from "../link/slug.ts";

const magic = 0xe7a15cb1;
const headerBytes = 16;
const recordBytes = 16;
const checksumWord = 3;
const headerWords = headerBytes / 4;

export class Frame {
  readonly recordsMax: number;
  readonly #words: Uint32Array;
  readonly #counts: Float64Array;
  readonly #bytes: Uint8Array;
  #records = 0;

  constructor(recordsMax: number) {
    this.recordsMax = recordsMax;
    const memory = new ArrayBuffer(headerBytes + recordsMax * recordBytes);
    this.#words = new Uint32Array(memory);
    this.#counts = new Float64Array(memory);
    this.#bytes = new Uint8Array(memory);
  }

  get records(): number {
    return this.#records;
  }

  get byteLength(): number {
    return headerBytes + this.#records * recordBytes;
  }

  append(key: SlugKey, count: number): void {
    const record = this.#records + 1;
    this.#words[record * 4] = highWord(key);
    this.#words[record * 4 + 1] = lowWord(key);
    this.#counts[record * 2 + 1] = count;
    this.#records = record;
  }

  clear(): void {
    this.#records = 0;
  }

  /** The bytes of the frame; valid until the next `append`. */
  seal(segment: number): Uint8Array {
    const words = this.#words;
    words[0] = magic;
    words[1] = segment;
    words[2] = this.#records;
    words[checksumWord] = 0;
    const bytes = this.#bytes.subarray(0, this.byteLength);
    words[checksumWord] = crc32(bytes);
    return bytes;
  }
}

export interface Replay {
  frames: number;
  /** Where the last whole frame ends. */
  end: number;
  /** Stretches before that which hold no whole frame: damage, since a torn write can only be the last. */
  damaged: { from: number; to: number }[];
}

/** Reads every whole frame of a segment. Stops for good only where no whole frame follows. */
export function readFrames(
  content: Uint8Array,
  segment: number,
  onRecord: (key: SlugKey, count: number) => void,
): Replay {
  // A copy is aligned, whatever part of a pool the content came in.
  const bytes = new Uint8Array(content.subarray(0, content.length - (content.length % recordBytes)));
  const words = new Uint32Array(bytes.buffer, 0, bytes.length / 4);
  const counts = new Float64Array(bytes.buffer, 0, bytes.length / 8);
  const replay: Replay = { frames: 0, end: 0, damaged: [] };
  for (let at = 0; at < bytes.length; ) {
    const length = frameLength(words, bytes, at, segment);
    if (length === 0) {
      at += recordBytes;
      continue;
    }
    if (at > replay.end) replay.damaged.push({ from: replay.end, to: at });
    for (let word = at / 4 + headerWords; word < (at + length) / 4; word += headerWords) {
      onRecord(keyOfWords(words[word]!, words[word + 1]!), counts[word / 2 + 1]!);
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
  if (words[word] !== magic || words[word + 1] !== segment) return 0;
  const length = headerBytes + words[word + 2]! * recordBytes;
  if (at + length > bytes.length) return 0;
  const checksum = words[word + checksumWord]!;
  words[word + checksumWord] = 0;
  const sound = crc32(bytes.subarray(at, at + length)) === checksum;
  words[word + checksumWord] = checksum;
  return sound ? length : 0;
}
