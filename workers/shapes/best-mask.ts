/**
 * The mask of a symbol: one of eight patterns that its data is mixed with, so that it has few shapes that readers could
 * take for others. Which is the best of them, the rules of QR codes say: the one with the fewest penalty points, and the
 * first of those.
 *
 * The library finds the same one, but takes three times as long for that as for all else that it does. Here 32 modules of a
 * line are looked at together (`mask-penalty.ts`). Rejected: one module after the other without the library's calls, which
 * is hardly faster, since what comes next cannot be foretold.
 */
import type { RenderMetadata } from "../../src/domain/documents.ts";
import { type Lines, linesOf, penalty, wordBits } from "./mask-penalty.ts";

type Level = RenderMetadata["error_correction"];

/** Modules of one side, and one byte each for what is dark and what is no data, row by row. */
export interface MaskedSymbol {
  size: number;
  /** With the first mask. */
  dark: Uint8Array;
  reserved: Uint8Array;
}

/** Whether a mask turns a module around. */
const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row * column) % 3) + ((row + column) % 2)) % 2 === 0,
];

/** After as many lines every mask begins anew, and so it does after as many words of a line. */
const period = 12;
const periodWords = 3;

/** What each mask turns that the first one does not, or the other way round. */
const turnedRows = masks.map((mask) => turnedBy((row, column) => mask(row, column)));
const turnedColumns = masks.map((mask) => turnedBy((column, row) => mask(row, column)));

function turnedBy(mask: (line: number, at: number) => boolean): Int32Array {
  const words = new Int32Array(period * periodWords);
  for (let line = 0; line < period; line++) {
    for (let at = 0; at < periodWords * wordBits; at++) {
      if (mask(line, at) !== masks[0]!(line, at)) words[line * periodWords + (at >> 5)]! |= 1 << at;
    }
  }
  return words;
}

/** The modules with the best mask. */
export function withBestMask({ size, dark, reserved }: MaskedSymbol, level: Level): Uint8Array {
  const first = { rows: linesOf(dark, size), columns: linesOf(dark, size, true) };
  const isData = reserved.map((is) => 1 - is);
  const data = { rows: linesOf(isData, size), columns: linesOf(isData, size, true) };
  const rows = linesOf(dark, size);
  const columns = linesOf(dark, size, true);
  const turn = (mask: number): void => {
    turnData(first.rows, data.rows, turnedRows[mask]!, rows);
    turnData(first.columns, data.columns, turnedColumns[mask]!, columns);
    turnFormat(rows, columns, formatBits(level, mask) ^ formatBits(level, 0));
  };
  let best = 0;
  let fewest = penalty(rows, columns);
  for (let mask = 1; mask < masks.length; mask++) {
    turn(mask);
    const points = penalty(rows, columns);
    if (points >= fewest) continue;
    fewest = points;
    best = mask;
  }
  if (best === 0) return dark;
  turn(best);
  return modulesOf(rows);
}

function turnData({ size, wordsEach, words }: Lines, data: Lines, turned: Int32Array, into: Lines): void {
  for (let line = 0, at = 0; line < size; line++) {
    const begin = (line % period) * periodWords;
    for (let word = 0; word < wordsEach; word++, at++) {
      into.words[at] = words[at]! ^ (turned[begin + (word % periodWords)]! & data.words[at]!);
    }
  }
}

function modulesOf({ size, wordsEach, words }: Lines): Uint8Array {
  const modules = new Uint8Array(size * size);
  for (let row = 0, at = 0; row < size; row++) {
    const begin = row * wordsEach;
    for (let column = 0; column < size; column++) {
      modules[at++] = (words[begin + (column >> 5)]! >>> column) & 1;
    }
  }
  return modules;
}

const levelBits = { L: 1, M: 0, Q: 3, H: 2 } as const;
const checkBits = 10;
const checkDivisor = 0b10100110111;
const formatBitCount = 15;
/** The row, and column, that the format stands in. */
const formatLine = 8;

/** Level and mask with their check bits; without the pattern that both symbols of a comparison have in common. */
function formatBits(level: Level, mask: number): number {
  const said = ((levelBits[level] << 3) | mask) << checkBits;
  let rest = said;
  for (let bit = formatBitCount - 1; bit >= checkBits; bit--) {
    if ((rest & (1 << bit)) !== 0) rest ^= checkDivisor << (bit - checkBits);
  }
  return said | rest;
}

/** The format stands beside the eyes twice, with a gap where the timing patterns are. */
function turnFormat(rows: Lines, columns: Lines, bits: number): void {
  const { size } = rows;
  for (let bit = 0; bit < formatBitCount; bit++) {
    if ((bits & (1 << bit)) === 0) continue;
    const row = bit < 6 ? bit : bit < 8 ? bit + 1 : size - formatBitCount + bit;
    const column = bit < 8 ? size - 1 - bit : bit === 8 ? 7 : formatBitCount - 1 - bit;
    turnModule(rows, row, formatLine);
    turnModule(columns, formatLine, row);
    turnModule(rows, formatLine, column);
    turnModule(columns, column, formatLine);
  }
}

function turnModule({ wordsEach, words }: Lines, line: number, at: number): void {
  words[line * wordsEach + (at >> 5)]! ^= 1 << at;
}
