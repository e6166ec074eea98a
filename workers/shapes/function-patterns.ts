/**
 * The patterns that readers measure a symbol with, for the styles that draw each module by itself.
 *
 * Readers sample data at the middle of each module, which any shape covers; but they follow the timing patterns
 * along a line and look for the alignment patterns as rings. A ring of separate dots is none to them: jsQR then
 * takes some other spot for the pattern and reads a skewed grid. So these are drawn solid, the rings as small
 * eyes. The format information stays as the rest: it is sampled like data, stands there twice and corrects itself.
 */
import type { RenderMetadata } from "../../src/domain/documents.ts";
import { box, type Layout } from "./layout.ts";
import { type Corners, even, type Path } from "./path.ts";
import { eyeModules, isEye } from "./symbol.ts";

const ringModules = 5;
/** From the middle module of a ring to its sides, in modules. */
const ringReach = 2;
/** The row, and column, that the timing patterns run along. */
const timingLine = 6;

/** Corner radii, in modules, of the ring's outside, its inside, and the middle. */
const radii: Record<RenderMetadata["eye_style"], readonly [number, number, number]> = {
  square: [0, 0, 0],
  rounded: [1.25, 0.5, 0.25],
  circle: [2, 1, 0.5],
  leaf: [1.25, 0.5, 0.5],
};

/** Draws them, and returns which modules need no more drawing: one byte each, row by row. */
export function drawFunctionPatterns(
  path: Path,
  size: number,
  layout: Layout,
  eyeStyle: RenderMetadata["eye_style"],
  timingRadius: number,
): Uint8Array {
  const drawn = new Uint8Array(size * size);
  const lines = alignmentLines(size);
  for (const row of lines) {
    for (const column of lines) {
      if (isEye(size, column, row)) continue;
      drawRing(path, layout, column - ringReach, row - ringReach, eyeStyle);
      for (let line = row - ringReach; line <= row + ringReach; line++) {
        drawn.fill(1, line * size + column - ringReach, line * size + column + ringReach + 1);
      }
    }
  }
  const radius = timingRadius * layout.module;
  const drawTiming = (column: number, row: number): void => {
    // Some rings lie across the line, and have its modules as their own.
    if (drawn[row * size + column] === 1) return;
    box(path, layout, column, row, 1, even(radius));
    drawn[row * size + column] = 1;
  };
  for (let at = eyeModules + 1; at < size - eyeModules; at += 2) {
    drawTiming(at, timingLine);
    drawTiming(timingLine, at);
  }
  return drawn;
}

function drawRing(
  path: Path,
  layout: Layout,
  column: number,
  row: number,
  style: RenderMetadata["eye_style"],
): void {
  for (const inset of [0, 1, 2]) {
    const radius = radii[style][inset]! * layout.module;
    const corners: Corners = style === "leaf" ? [radius, 0, radius, 0] : even(radius);
    box(path, layout, column + inset, row + inset, ringModules - 2 * inset, corners, inset === 1);
  }
}

/** The rows, and columns, that the rings' middles stand on: even steps back from the far end, and the sixth. */
function alignmentLines(size: number): number[] {
  const version = (size - 17) / 4;
  if (version === 1) return [];
  const gaps = Math.floor(version / 7) + 1;
  const last = size - 7;
  // The one step of the standard that does not follow from the rule.
  const step = version === 32 ? 26 : 2 * Math.ceil((last - timingLine) / (2 * gaps));
  return [timingLine, ...Array.from({ length: gaps }, (_, at) => last - at * step)];
}
