/** One picture as SVG and PNG. Pure: the same job gives the same bytes. */
import { createHash } from "node:crypto";
import type { RenderedFile, RenderJob, RenderResult } from "../src/render/render-job.ts";
import { flatten } from "./flatten.ts";
import { coveragePalette } from "./palette.ts";
import { drawPicture, type Picture } from "./picture.ts";
import { encodePng } from "./png.ts";
import { isSharp, sharpScanlines } from "./sharp-raster.ts";
import { smoothScanlines } from "./smooth-raster.ts";
import { drawSvg } from "./svg.ts";

export function render(job: RenderJob): RenderResult {
  const picture = drawPicture(job);
  const svg = drawSvg(picture.path, picture.layout, job.metadata);
  return {
    svg: file(new TextEncoder().encode(svg)),
    png: job.metadata.export_png ? file(drawPng(picture, job.metadata)) : null,
  };
}

function drawPng({ path, layout: { width, height } }: Picture, metadata: RenderJob["metadata"]): Uint8Array {
  const edges = flatten(path);
  const scanlines = isSharp(edges)
    ? sharpScanlines(edges, width, height)
    : smoothScanlines(edges, width, height);
  return encodePng(width, height, metadata.dpi, coveragePalette(metadata, 2 ** scanlines.depth), scanlines);
}

function file(bytes: Uint8Array): RenderedFile {
  return { hash: createHash("sha256").update(bytes).digest("hex").slice(0, 32), bytes };
}
