/**
 * The mask of a symbol: one of eight patterns that its data is mixed with, so that it has few shapes that readers could
 * take for others. Which is the best of them, the rules of QR codes say: the one with the fewest penalty points, and the
 * first of those.
 *
 * The library finds the same one, but takes three times as long for that as for all else that it does. Here 32 modules of a
 * line are looked at together (`mask-penalty.ts`). Rejected: one module after the other without the library's calls, which
 * is hardly faster, since what comes next cannot be foretold.
 */
import { type Grid, gridOf, type Lines, penalty, wordBits, wordsOf } from "./mask-penalty.ts";

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
const turnedRows = masks.map((mask) => turnedBy(mask));
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
export function withBestMask({ size, dark, reserved }: MaskedSymbol): Uint8Array {
  const first = gridOf(dark, size);
  const data = gridOf(
    reserved.map((is) => 1 - is),
    size,
  );
  const trial = { size, rows: first.rows.slice(), columns: first.columns.slice() };
  const turn = (mask: number): void => {
    turnData(first.rows, data.rows, turnedRows[mask]!, size, trial.rows);
    turnData(first.columns, data.columns, turnedColumns[mask]!, size, trial.columns);
    turnFormat(trial, formatBits(mask));
  };
  let best = 0;
  let fewest = penalty(trial);
  for (let mask = 1; mask < masks.length; mask++) {
    turn(mask);
    const points = penalty(trial);
    if (points >= fewest) continue;
    fewest = points;
    best = mask;
  }
  if (best === 0) return dark;
  turn(best);
  return modulesOf(trial);
}

function turnData(first: Lines, data: Lines, turned: Int32Array, size: number, into: Lines): void {
  const wordsEach = wordsOf(size);
  for (let line = 0, at = 0; line < size; line++) {
    const begin = (line % period) * periodWords;
    for (let word = 0; word < wordsEach; word++, at++) {
      into[at] = first[at]! ^ (turned[begin + (word % periodWords)]! & data[at]!);
    }
  }
}

function modulesOf({ size, rows }: Grid): Uint8Array {
  const wordsEach = wordsOf(size);
  const modules = new Uint8Array(size * size);
  for (let row = 0, at = 0; row < size; row++) {
    const begin = row * wordsEach;
    for (let column = 0; column < size; column++) {
      modules[at++] = (rows[begin + (column >> 5)]! >>> column) & 1;
    }
  }
  return modules;
}

const checkBits = 10;
const checkDivisor = 0b10100110111;
const formatBitCount = 15;
/** The row, and column, that the format stands in. */
const formatLine = 8;

/**
 * In which bits the format with a mask differs from that with the first one, at any level: the mask with its check bits,
 * which are the rest of a division, so those of two formats differ by those of their difference.
 */
function formatBits(mask: number): number {
  const said = mask << checkBits;
  let rest = said;
  for (let bit = formatBitCount - 1; bit >= checkBits; bit--) {
    if ((rest & (1 << bit)) !== 0) rest ^= checkDivisor << (bit - checkBits);
  }
  return said | rest;
}

/** The format stands beside the eyes twice, with a gap where the timing patterns are. */
function turnFormat(grid: Grid, bits: number): void {
  const { size } = grid;
  for (let bit = 0; bit < formatBitCount; bit++) {
    if ((bits & (1 << bit)) === 0) continue;
    const row = bit < 6 ? bit : bit < 8 ? bit + 1 : size - formatBitCount + bit;
    const column = bit < 8 ? size - 1 - bit : bit === 8 ? 7 : formatBitCount - 1 - bit;
    turnModule(grid, row, formatLine);
    turnModule(grid, formatLine, column);
  }
}

function turnModule({ size, rows, columns }: Grid, row: number, column: number): void {
  const wordsEach = wordsOf(size);
  rows[row * wordsEach + (column >> 5)]! ^= 1 << column;
  columns[column * wordsEach + (row >> 5)]! ^= 1 << row;
}
