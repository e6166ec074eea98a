/** One picture as SVG and PNG. Pure: the same job gives the same bytes. */
import { createHash } from "node:crypto";
import type { RenderedFile, RenderJob, RenderResult } from "../src/render/render-job.ts";
import { flatten } from "./pixels/flatten.ts";
import { coveragePalette, encodePng } from "./pixels/png.ts";
import { isSharp, sharpScanlines } from "./pixels/sharp-raster.ts";
import { smoothScanlines } from "./pixels/smooth-raster.ts";
import { drawPicture, type Picture } from "./shapes/picture.ts";
import { drawSvg } from "./shapes/svg.ts";

const goOn = () => {};

/** `pause` is called half-way. */
export function render(job: RenderJob, pause: () => void = goOn): RenderResult {
  const picture = drawPicture(job);
  pause();
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
