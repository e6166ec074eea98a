/**
 * Pixels of any picture, with smooth edges, in plain arithmetic.
 *
 * Each edge leaves in every row it crosses the area between itself and the right-hand side of its pixel; the
 * running sum along a row is then how much of each pixel is covered. The work follows the length of the
 * outlines plus one pass over the pixels. Sixteen steps of coverage are enough for the eye, and keep the file
 * at half a byte a pixel before compression. The canvas is done in bands to bound the memory.
 *
 * A canvas library was measured first: drawing there is fast, but getting the pixels out of it takes twice as long
 * as all of this, and its bytes may differ between machines, while these are the same everywhere.
 */
import type { Scanlines } from "./png.ts";

const rowsInBand = 256;
const fullCoverage = 15;

export function smoothScanlines(edges: Float64Array, width: number, height: number): Scanlines {
  const stride = 1 + Math.ceil(width / 2);
  const bytes = new Uint8Array(stride * height);
  const { left, right, top, bottom } = bounds(edges);
  // An edge on the right-hand side of the canvas leaves its area one pixel further.
  const pitch = width + 2;
  const areas = new Float32Array(pitch * Math.min(rowsInBand, bottom - top));
  for (let first = top; first < bottom; first += rowsInBand) {
    const rows = Math.min(rowsInBand, bottom - first);
    if (first > top) areas.fill(0);
    accumulate(edges, areas, pitch, first, rows);
    for (let row = 0; row < rows; row++) {
      const line = (first + row) * stride + 1;
      packHalfBytes(areas, row * pitch, left, right, bytes, line);
    }
  }
  return { depth: 4, bytes };
}

/** The pixels that the outlines touch, from an even column on: two share a byte. */
function bounds(edges: Float64Array): { left: number; right: number; top: number; bottom: number } {
  let left = Number.POSITIVE_INFINITY;
  let right = 0;
  let top = Number.POSITIVE_INFINITY;
  let bottom = 0;
  for (let at = 0; at < edges.length; at += 2) {
    left = Math.min(left, edges[at]!);
    right = Math.max(right, edges[at]!);
    top = Math.min(top, edges[at + 1]!);
    bottom = Math.max(bottom, edges[at + 1]!);
  }
  return {
    left: Math.floor(left / 2) * 2,
    right: Math.ceil(right),
    top: Math.floor(top),
    bottom: Math.ceil(bottom),
  };
}

function packHalfBytes(
  areas: Float32Array,
  row: number,
  left: number,
  right: number,
  bytes: Uint8Array,
  line: number,
): void {
  let sum = 0;
  let at = row + left;
  const end = row + right;
  for (let byte = line + left / 2; at < end; byte++) {
    sum += areas[at++]!;
    const high = level(sum);
    // Beyond an odd right-hand side nothing is covered: the sum is back to zero there.
    sum += areas[at++]!;
    bytes[byte] = (high << 4) | level(sum);
  }
}

function level(coverage: number): number {
  const covered = coverage < 0 ? -coverage : coverage;
  return covered >= 1 ? fullCoverage : (covered * fullCoverage + 0.5) | 0;
}

function accumulate(
  edges: Float64Array,
  areas: Float32Array,
  pitch: number,
  top: number,
  rows: number,
): void {
  for (let at = 0; at < edges.length; at += 4) {
    const down = edges[at + 1]! < edges[at + 3]!;
    const upper = down ? at : at + 2;
    const lower = down ? at + 2 : at;
    let y = edges[upper + 1]! - top;
    const end = Math.min(edges[lower + 1]! - top, rows);
    if (end <= 0 || y >= rows) continue;
    let x = edges[upper]!;
    const slope = (edges[lower]! - x) / (edges[lower + 1]! - edges[upper + 1]!);
    if (y < 0) {
      x -= y * slope;
      y = 0;
    }
    for (let row = Math.floor(y); row < end; row++) {
      const height = Math.min(row + 1, end) - y;
      const nextX = x + slope * height;
      leave(areas, row * pitch, x, nextX, down ? height : -height);
      x = nextX;
      y = row + 1;
    }
  }
}

/** The piece of an edge within one row, from `x0` to `x1`; `rise` is its signed height. */
function leave(areas: Float32Array, line: number, x0: number, x1: number, rise: number): void {
  const from = Math.min(x0, x1);
  const to = Math.max(x0, x1);
  const first = Math.floor(from);
  const last = Math.ceil(to);
  const at = line + first;
  if (last <= first + 1) {
    const middle = (from + to) / 2 - first;
    areas[at]! += rise * (1 - middle);
    areas[at + 1]! += rise * middle;
    return;
  }
  // Over several pixels: triangles at both ends, equal slices between.
  const perPixel = 1 / (to - from);
  const headWidth = first + 1 - from;
  const tailWidth = to - (last - 1);
  const head = 0.5 * perPixel * headWidth * headWidth;
  const tail = 0.5 * perPixel * tailWidth * tailWidth;
  areas[at]! += rise * head;
  if (last === first + 2) {
    areas[at + 1]! += rise * (1 - head - tail);
  } else {
    const second = perPixel * (headWidth + 0.5);
    areas[at + 1]! += rise * (second - head);
    for (let pixel = 2; pixel < last - first - 1; pixel++) areas[at + pixel]! += rise * perPixel;
    areas[line + last - 1]! += rise * (1 - second - (last - first - 3) * perPixel - tail);
  }
  areas[line + last]! += rise * tail;
}
