/**
 * How many penalty points the rules of QR codes give a symbol: for runs of one colour, for squares of one colour, for
 * what looks like an eye, and for more of one colour than of the other.
 *
 * The modules of a line are the bits of words. With the word shifted by one, two, three modules and so on, one operation
 * compares every module with the one that many places further on.
 */

/** A square of modules, by rows and again by columns. */
export interface Grid {
  readonly size: number;
  readonly rows: Lines;
  readonly columns: Lines;
}

/** For each line some words, with the first module in the lowest bit and zeroes behind the last. */
export type Lines = Int32Array;

export const wordBits = 32;

export function wordsOf(size: number): number {
  return Math.ceil(size / wordBits);
}

/** From a byte for each module, row by row. */
export function gridOf(modules: Uint8Array, size: number): Grid {
  const wordsEach = wordsOf(size);
  const rows = new Int32Array(size * wordsEach);
  const columns = new Int32Array(size * wordsEach);
  for (let row = 0, from = 0; row < size; row++) {
    const begin = row * wordsEach;
    for (let column = 0, at = row >> 5; column < size; column++, at += wordsEach) {
      const module = modules[from++]!;
      rows[begin + (column >> 5)]! |= module << column;
      columns[at]! |= module << row;
    }
  }
  return { size, rows, columns };
}

const runLength = 5;
/** For a run of that length; each further module is one more. */
const runPoints = 3;
const squarePoints = 3;
const eyePoints = 40;
/** An eye's middle line, and four light modules before or behind it. */
const eyeLength = 11;
const balancePoints = 10;

export function penalty({ size, rows, columns }: Grid): number {
  return (
    linesPenalty(rows, size) +
    linesPenalty(columns, size) +
    squaresPenalty(rows, size) +
    balancePenalty(rows, size)
  );
}

/** For runs, and for what looks like an eye. */
function linesPenalty(words: Lines, size: number): number {
  const wordsEach = wordsOf(size);
  let points = 0;
  for (let begin = 0; begin < words.length; begin += wordsEach) {
    let runsBefore = 0;
    for (let word = 0; word < wordsEach; word++) {
      const m0 = words[begin + word]!;
      const next = word + 1 < wordsEach ? words[begin + word + 1]! : 0;
      const left = size - word * wordBits;
      const m1 = (m0 >>> 1) | (next << 31);
      const m2 = (m0 >>> 2) | (next << 30);
      const m3 = (m0 >>> 3) | (next << 29);
      const m4 = (m0 >>> 4) | (next << 28);
      // Where five of one colour begin: a run of five is one such place, and one of six is two.
      const runs = ((m0 & m1 & m2 & m3 & m4) | ~(m0 | m1 | m2 | m3 | m4)) & firstOnes(left - runLength + 1);
      if (runs !== 0) {
        points += onesIn(runs) + (runPoints - 1) * onesIn(runs & ~((runs << 1) | (runsBefore >>> 31)));
      }
      runsBefore = runs;
      const m5 = (m0 >>> 5) | (next << 27);
      const m6 = (m0 >>> 6) | (next << 26);
      const m7 = (m0 >>> 7) | (next << 25);
      const m8 = (m0 >>> 8) | (next << 24);
      const m9 = (m0 >>> 9) | (next << 23);
      const m10 = (m0 >>> 10) | (next << 22);
      const before = m0 & ~m1 & m2 & m3 & m4 & ~m5 & m6 & ~(m7 | m8 | m9 | m10);
      const behind = ~(m0 | m1 | m2 | m3) & m4 & ~m5 & m6 & m7 & m8 & ~m9 & m10;
      const eyes = (before | behind) & firstOnes(left - eyeLength + 1);
      if (eyes !== 0) points += eyePoints * onesIn(eyes);
    }
  }
  return points;
}

/** For every two by two modules of one colour. */
function squaresPenalty(words: Lines, size: number): number {
  const wordsEach = wordsOf(size);
  const lastLine = words.length - wordsEach;
  let squares = 0;
  for (let begin = 0; begin < lastLine; begin += wordsEach) {
    for (let word = 0; word < wordsEach; word++) {
      const at = begin + word;
      const isLast = word + 1 === wordsEach;
      const above = words[at]!;
      const below = words[at + wordsEach]!;
      const right = (above >>> 1) | (isLast ? 0 : words[at + 1]! << 31);
      const belowRight = (below >>> 1) | (isLast ? 0 : words[at + wordsEach + 1]! << 31);
      const same = (above & below & right & belowRight) | ~(above | below | right | belowRight);
      squares += onesIn(same & firstOnes(size - word * wordBits - 1));
    }
  }
  return squarePoints * squares;
}

/** For every twentieth by which the dark modules are more or less than half of all. */
function balancePenalty(words: Lines, size: number): number {
  let dark = 0;
  for (let at = 0; at < words.length; at++) dark += onesIn(words[at]!);
  return balancePoints * Math.abs(Math.ceil((dark * 100) / (size * size) / 5) - 10);
}

/** A word of so many ones, of all if there are more, of none if there are fewer than one. */
function firstOnes(count: number): number {
  return count >= wordBits ? -1 : count <= 0 ? 0 : (1 << count) - 1;
}

function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
