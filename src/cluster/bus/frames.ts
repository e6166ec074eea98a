/**
 * Frames: how messages lie in a stream of bytes.
 *
 *     length of the rest (4) │ kind (1) │ number (4) │ length of the text (4) │ text, JSON │ bytes
 *
 * A peer that announces more than the bound is not read any further: what it sends is never gathered on the strength of
 * its word. Bytes ride behind the text as they are, since a body in JSON would cost a third more, and a copy.
 */

export interface Frame {
  kind: number;
  /** Joins an answer to its question. */
  number: number;
  text: string;
  bytes: Uint8Array;
}

export class BadFrame extends Error {
  override name = "BadFrame";
}

const prefixBytes = 4;
const headBytes = 9;

export function frameOf({ kind, number, text, bytes }: Frame): Uint8Array {
  const textBytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(prefixBytes + headBytes + textBytes + bytes.length);
  let at = frame.writeUInt32BE(frame.length - prefixBytes, 0);
  at = frame.writeUInt8(kind, at);
  at = frame.writeUInt32BE(number, at);
  at = frame.writeUInt32BE(textBytes, at);
  at += frame.write(text, at);
  frame.set(bytes, at);
  return frame;
}

export class FrameReader {
  /** Of one frame, without its prefix. */
  bytesMax: number;
  #parts: Uint8Array[] = [];
  #gathered = 0;
  /** Until then nothing can be made of what is gathered. */
  #wanted = prefixBytes;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** The frames that are whole with these bytes, one after the other: the bound may be changed between two of them. */
  *read(bytes: Uint8Array): Generator<Frame> {
    this.#parts.push(bytes);
    this.#gathered += bytes.length;
    while (this.#gathered >= this.#wanted) {
      const all = this.#joined();
      const length = all.readUInt32BE(0);
      if (length < headBytes || length > this.bytesMax) throw new BadFrame(`a frame of ${length} bytes`);
      const end = prefixBytes + length;
      this.#wanted = end;
      if (all.length < end) return;
      this.#keep(all.subarray(end));
      yield frameIn(all.subarray(prefixBytes, end));
    }
  }

  /** Joined when a frame is whole, or its length is known: never once for every part that comes. */
  #joined(): Buffer {
    const [only] = this.#parts;
    const all =
      this.#parts.length === 1
        ? Buffer.from(only!.buffer, only!.byteOffset, only!.byteLength)
        : Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }

  #keep(rest: Buffer): void {
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#gathered = rest.length;
    this.#wanted = prefixBytes;
  }
}

function frameIn(rest: Buffer): Frame {
  const textEnd = headBytes + rest.readUInt32BE(5);
  if (textEnd > rest.length) throw new BadFrame("a text that ends behind its frame");
  return {
    kind: rest.readUInt8(0),
    number: rest.readUInt32BE(1),
    text: rest.toString("utf8", headBytes, textEnd),
    bytes: rest.subarray(textEnd),
  };
}
