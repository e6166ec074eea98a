/** One picture as SVG and PNG. Pure: the same job gives the same bytes. */
import { createHash } from "node:crypto";
import type { RenderedFile, RenderJob, RenderResult } from "../src/render/render-job.ts";
import { drawBorder } from "./border.ts";
import { drawDots } from "./dots.ts";
import { drawEyes } from "./eyes.ts";
import { flatten } from "./flatten.ts";
import { type Layout, lay } from "./layout.ts";
import { coveragePalette } from "./palette.ts";
import type { Path } from "./path.ts";
import { encodePng } from "./png.ts";
import { isSharp, sharpScanlines } from "./sharp-raster.ts";
import { smoothScanlines } from "./smooth-raster.ts";
import { drawSvg } from "./svg.ts";
import { encode } from "./symbol.ts";

/** With fewer pixels a module no style can be seen: it would only blur what a camera has to tell apart. */
const modulePixelsForStyles = 3;

export function render({ content, metadata }: RenderJob): RenderResult {
  const symbol = encode(content, metadata.error_correction);
  const layout = lay(metadata, symbol.size);
  const isTiny = layout.module < modulePixelsForStyles;
  const path: Path = [];
  const eyeStyle = isTiny ? "square" : metadata.eye_style;
  drawEyes(path, symbol.size, layout, eyeStyle);
  drawDots(path, symbol, layout, isTiny ? "square" : metadata.dot_style, eyeStyle);
  drawBorder(path, layout, metadata.border_style);
  return {
    svg: file(new TextEncoder().encode(drawSvg(path, layout, metadata))),
    png: metadata.export_png ? file(drawPng(path, layout, metadata)) : null,
  };
}

function drawPng(path: Path, { width, height }: Layout, metadata: RenderJob["metadata"]): Uint8Array {
  const edges = flatten(path);
  const scanlines = isSharp(edges)
    ? sharpScanlines(edges, width, height)
    : smoothScanlines(edges, width, height);
  return encodePng(width, height, metadata.dpi, coveragePalette(metadata, 2 ** scanlines.depth), scanlines);
}

function file(bytes: Uint8Array): RenderedFile {
  return { hash: createHash("sha256").update(bytes).digest("hex").slice(0, 32), bytes };
}
