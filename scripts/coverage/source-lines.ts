/**
 * From what V8 counts to lines of source.
 *
 * V8 counts ranges of the JavaScript that ran. The tests run TypeScript that tsx has turned into a few long lines,
 * so a range says nothing until the source map leads it back. Each mapping is one small piece of code at one place
 * of the source: a source line counts when some piece of code comes from it (types, comments and blank lines
 * leave none), and it is covered when one of its pieces ran.
 */

export interface SourceMapData {
  mappings: string;
  sources: string[];
}

/** As a file in `NODE_V8_COVERAGE` holds it. */
export interface ScriptCoverage {
  url: string;
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

interface Piece {
  /** Of the generated code, from 0. */
  line: number;
  column: number;
  source: number;
  /** From 1. */
  sourceLine: number;
}

export function linesWithCode(map: SourceMapData): Set<number> {
  return new Set(pieces(map.mappings).map((piece) => piece.sourceLine));
}

export function linesThatRan(
  script: ScriptCoverage,
  map: SourceMapData,
  lineLengths: readonly number[],
): Map<string, Set<number>> {
  const ran = charactersThatRan(script);
  const lineStarts = [0];
  for (const length of lineLengths) lineStarts.push(lineStarts.at(-1)! + length + 1);
  const lines = new Map<string, Set<number>>();
  for (const { line, column, source, sourceLine } of pieces(map.mappings)) {
    if (ran[lineStarts[line]! + column] !== 1) continue;
    const name = map.sources[source]!;
    lines.set(name, (lines.get(name) ?? new Set()).add(sourceLine));
  }
  return lines;
}

/** Ranges nest, and the innermost one is right: painting from the outside in leaves it on top. */
function charactersThatRan({ functions }: ScriptCoverage): Uint8Array {
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const ran = new Uint8Array(Math.max(0, ...ranges.map((range) => range.endOffset)));
  for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function pieces(mappings: string): Piece[] {
  const found: Piece[] = [];
  let source = 0;
  let sourceLine = 1;
  for (const [line, segments] of mappings.split(";").entries()) {
    let column = 0;
    for (const segment of segments.split(",")) {
      const [columns, sources, sourceLines] = numbersOf(segment);
      column += columns ?? 0;
      if (sources === undefined || sourceLines === undefined) continue;
      source += sources;
      sourceLine += sourceLines;
      found.push({ line, column, source, sourceLine });
    }
  }
  return found;
}

/** Base 64, five bits a digit, the sixth saying that more follow; the lowest bit of a number is its sign. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const char of segment) {
    const digit = digits.indexOf(char);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
