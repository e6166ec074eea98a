import type { RenderMetadata } from "../../src/domain/documents.ts";
import type { Layout } from "./layout.ts";
import { even, type Path, rectangle, roundedBox } from "./path.ts";

const cornerRadiusInBorders = 4;
const dashInBorders = 3;

export function drawBorder(path: Path, layout: Layout, style: RenderMetadata["border_style"]): void {
  const { width, height, border } = layout;
  if (style === "none") return;
  if (style === "dashed") {
    drawDashes(path, layout);
    return;
  }
  const outer = style === "rounded" ? cornerRadiusInBorders * border : 0;
  const inner = Math.max(0, outer - border);
  roundedBox(path, 0, 0, width, height, even(outer));
  roundedBox(path, border, border, width - 2 * border, height - 2 * border, even(inner), true);
}

/** Corners are always drawn; between them, dashes and gaps of almost equal length, an odd number of them. */
function drawDashes(path: Path, { width, height, border }: Layout): void {
  for (const [start, length] of dashes(width, border)) {
    rectangle(path, start, 0, length, border);
    rectangle(path, start, height - border, length, border);
  }
  // The corners belong to the dashes above and below.
  for (const [start, length] of dashes(height, border)) {
    const from = Math.max(start, border);
    const to = Math.min(start + length, height - border);
    if (to <= from) continue;
    rectangle(path, 0, from, border, to - from);
    rectangle(path, width - border, from, border, to - from);
  }
}

function dashes(side: number, border: number): [start: number, length: number][] {
  const pieces = Math.max(3, Math.round(side / (border * dashInBorders))) | 1;
  const edge = (piece: number) => Math.round((piece * side) / pieces);
  const found: [number, number][] = [];
  for (let piece = 0; piece < pieces; piece += 2) found.push([edge(piece), edge(piece + 1) - edge(piece)]);
  return found;
}
