/**
 * Pixels of a picture whose edges all stand between two pixels: square modules, square eyes, straight frames.
 *
 * No pixel is half covered, so one bit a pixel is enough; and between two heights at which no edge begins or
 * ends, all rows are the same: such a row is worked out once and copied.
 */
import type { Scanlines } from "./png.ts";

export function isSharp(edges: Float64Array): boolean {
  for (let at = 0; at < edges.length; at += 4) {
    const isWhole =
      Number.isInteger(edges[at]) && Number.isInteger(edges[at + 1]) && Number.isInteger(edges[at + 3]);
    if (!isWhole || edges[at] !== edges[at + 2]) return false;
  }
  return true;
}

export function sharpScanlines(edges: Float64Array, width: number, height: number): Scanlines {
  const stride = 1 + Math.ceil(width / 8);
  const bytes = new Uint8Array(stride * height);
  // By how much the winding number of the present row changes at each x.
  const turns = new Int32Array(width + 1);
  const changesOf = changesByRow(edges, height);
  for (let row = 0; row < height; row++) {
    const changes = changesOf[row];
    const start = row * stride;
    if (changes !== undefined) {
      for (let at = 0; at < changes.length; at += 2) turns[changes[at]!]! += changes[at + 1]!;
      packBits(turns, width, bytes, start + 1);
    } else if (row > 0) {
      bytes.copyWithin(start, start - stride, start);
    }
  }
  return { depth: 1, bytes };
}

/** For each row at which edges begin or end, pairs of x and turn. An edge counts from its one end to its other. */
function changesByRow(edges: Float64Array, height: number): (number[] | undefined)[] {
  const rows = new Array<number[] | undefined>(height);
  const note = (row: number, x: number, turn: number): void => {
    if (row >= height) return;
    rows[row] ??= [];
    rows[row].push(x, turn);
  };
  for (let at = 0; at < edges.length; at += 4) {
    note(edges[at + 1]!, edges[at]!, 1);
    note(edges[at + 3]!, edges[at]!, -1);
  }
  return rows;
}

function packBits(turns: Int32Array, width: number, bytes: Uint8Array, start: number): void {
  let winding = 0;
  for (let x = 0, at = start; x < width; at++) {
    let bits = 0;
    const end = Math.min(x + 8, width);
    for (let bit = 0x80; x < end; bit >>= 1) {
      winding += turns[x++]!;
      if (winding !== 0) bits |= bit;
    }
    bytes[at] = bits;
  }
}
