/**
 * How a code looks: what may be asked for, and how a partial wish becomes complete metadata.
 *
 * The canvas always has the shape that `format_ratio` names, so that whatever a client reads it may send back:
 * - one side given: the other follows from the ratio;
 * - only the ratio given: the width stays and the height follows;
 * - both sides given without a ratio: the ratio becomes the one they have;
 * - both sides and a ratio that disagree, or sides of no known ratio: refused. Letting the sides win would store
 *   a ratio that is not true, and the next change of one side would deform the picture.
 * A ratio may be missed by one per cent or one pixel: sides are rounded, and people round them too.
 */
import { contrast, luminance, normaliseColour } from "./contrast.ts";
import type { RenderMetadata } from "./documents.ts";
import { invalidField } from "./errors.ts";

export const defaultMetadata: Readonly<RenderMetadata> = {
  format_ratio: "1:1",
  width: 512,
  height: 512,
  unit: "px",
  padding: 0,
  quiet_zone: 4,
  border_style: "none",
  dot_style: "square",
  eye_style: "square",
  foreground_color: "#000000",
  background_color: "#ffffff",
  bg_transparent: false,
  error_correction: "M",
  dpi: 300,
  export_png: true,
  output_alignment: "center",
};

type Key = keyof RenderMetadata;

const choices: { readonly [K in Key]?: readonly RenderMetadata[K][] } = {
  format_ratio: ["1:1", "4:3", "3:4", "16:9", "9:16"],
  unit: ["px", "mm", "cm", "in"],
  border_style: ["none", "solid", "rounded", "dashed"],
  dot_style: ["square", "rounded", "extra-rounded", "dots", "diamond", "classy", "classy-rounded"],
  eye_style: ["square", "rounded", "circle", "leaf"],
  bg_transparent: [false, true],
  error_correction: ["L", "M", "Q", "H"],
  export_png: [true, false],
  output_alignment: [
    "center",
    "top",
    "bottom",
    "left",
    "right",
    "top-left",
    "top-right",
    "bottom-left",
    "bottom-right",
  ],
};

const unitsPerInch = { mm: 25.4, cm: 2.54, in: 1 } as const;
const sidePixelsMin = 64;
const sidePixelsMax = 4_096;
const dpiMin = 72;
const dpiMax = 1_200;
const quietZoneMax = 16;
const contrastMin = 3;
const modulePixelsMin = 2;
const smallestSymbolModules = 21;
/** The frame is one part in this many of the canvas's shorter side. */
const borderShare = 80;

export interface CanvasPixels {
  width: number;
  height: number;
  padding: number;
  /** Thickness of the frame, 0 without one. */
  border: number;
  /** How far the symbol's quiet zone stays away from the edge: the padding, or room for the frame. */
  inset: number;
}

/** The canvas in whole pixels. */
export function canvasPixels(metadata: RenderMetadata): CanvasPixels {
  const width = Math.round(toPixels(metadata, metadata.width));
  const height = Math.round(toPixels(metadata, metadata.height));
  const padding = Math.round(toPixels(metadata, metadata.padding));
  const border =
    metadata.border_style === "none" ? 0 : Math.max(1, Math.round(Math.min(width, height) / borderShare));
  return { width, height, padding, border, inset: Math.max(padding, 2 * border) };
}

/** Complete metadata from what was given, on top of `base` or, for a new code, of the defaults. */
export function normaliseMetadata(
  path: string,
  given: Partial<RenderMetadata>,
  base: RenderMetadata | null,
  contentModules?: number,
): RenderMetadata {
  const metadata: RenderMetadata = { ...(base ?? defaultMetadata) };
  for (const key of Object.keys(given)) {
    if (!isKey(key)) throw invalidField(`${path}.${key}`, "is not a key of qr_render_metadata");
    if (given[key] !== undefined) assign(path, metadata, key, given[key]);
  }
  shapeCanvas(path, given, metadata);
  checkCanvas(path, metadata);
  checkColours(path, metadata);
  if (contentModules !== undefined) assertScannable(metadata, contentModules, path);
  return metadata;
}

/** Refuses a canvas on which the symbol's modules would be too small for a camera. */
export function assertScannable(
  metadata: RenderMetadata,
  moduleCount: number,
  path = "qr_render_metadata",
): void {
  if (modulePixels(metadata, moduleCount) >= modulePixelsMin) return;
  const problem = `leaves fewer than ${modulePixelsMin} px for each of the symbol's ${moduleCount} modules;`;
  throw invalidField(`${path}.width`, `${problem} enlarge the canvas or reduce padding and quiet_zone`);
}

function modulePixels(metadata: RenderMetadata, moduleCount: number): number {
  const { width, height, inset } = canvasPixels(metadata);
  return (Math.min(width, height) - 2 * inset) / (moduleCount + 2 * metadata.quiet_zone);
}

function isKey(key: string): key is Key {
  return Object.hasOwn(defaultMetadata, key);
}

function assign<K extends Key>(
  path: string,
  metadata: RenderMetadata,
  key: K,
  value: RenderMetadata[K],
): void {
  metadata[key] = checked(`${path}.${key}`, key, value) as RenderMetadata[K];
}

function checked(path: string, key: Key, value: unknown): unknown {
  const allowed: readonly unknown[] | undefined = choices[key];
  if (allowed !== undefined) {
    if (!allowed.includes(value)) throw invalidField(path, `must be one of ${allowed.join(", ")}`);
    return value;
  }
  switch (key) {
    case "foreground_color":
    case "background_color": {
      const colour = typeof value === "string" ? normaliseColour(value) : null;
      if (colour === null) throw invalidField(path, "must be a colour as #rgb or #rrggbb");
      return colour;
    }
    case "quiet_zone":
      return whole(path, value, 0, quietZoneMax);
    case "dpi":
      return whole(path, value, dpiMin, dpiMax);
    case "padding":
      if (!isFiniteNumber(value) || value < 0) throw invalidField(path, "must be a number, 0 or more");
      return value;
    default:
      if (!isFiniteNumber(value) || value <= 0) throw invalidField(path, "must be a number above 0");
      return value;
  }
}

function whole(path: string, value: unknown, min: number, max: number): number {
  if (!isFiniteNumber(value) || !Number.isInteger(value) || value < min || value > max) {
    throw invalidField(path, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

function shapeCanvas(path: string, given: Partial<RenderMetadata>, metadata: RenderMetadata): void {
  const ratioGiven = given.format_ratio !== undefined;
  if (given.width !== undefined && given.height !== undefined) {
    if (fits(metadata, metadata.format_ratio)) return;
    const actual = ratioGiven ? undefined : choices.format_ratio!.find((ratio) => fits(metadata, ratio));
    if (actual === undefined) {
      const problem = ratioGiven ? `${metadata.format_ratio} does not fit` : "has no value that fits";
      throw invalidField(`${path}.format_ratio`, `${problem} a canvas of ${given.width} × ${given.height}`);
    }
    metadata.format_ratio = actual;
  } else if (given.height !== undefined) {
    metadata.width = roundSide(metadata, metadata.height * quotient(metadata.format_ratio));
  } else if (given.width !== undefined || (ratioGiven && !fits(metadata, metadata.format_ratio))) {
    metadata.height = roundSide(metadata, metadata.width / quotient(metadata.format_ratio));
  }
}

function fits(metadata: RenderMetadata, ratio: RenderMetadata["format_ratio"]): boolean {
  const height = toPixels(metadata, metadata.height);
  const wanted = toPixels(metadata, metadata.width) / quotient(ratio);
  return Math.abs(height - wanted) <= Math.max(1, wanted / 100);
}

/** Width by height. */
function quotient(ratio: RenderMetadata["format_ratio"]): number {
  const [across, down] = ratio.split(":").map(Number);
  return across! / down!;
}

function roundSide({ unit }: RenderMetadata, side: number): number {
  return unit === "px" ? Math.round(side) : Math.round(side * 10_000) / 10_000;
}

function toPixels({ unit, dpi }: RenderMetadata, length: number): number {
  return unit === "px" ? length : (length * dpi) / unitsPerInch[unit];
}

function checkCanvas(path: string, metadata: RenderMetadata): void {
  const pixels = canvasPixels(metadata);
  for (const side of ["width", "height"] as const) {
    if (metadata.unit === "px" && !Number.isInteger(metadata[side])) {
      throw invalidField(`${path}.${side}`, "must be a whole number of px");
    }
    if (pixels[side] < sidePixelsMin || pixels[side] > sidePixelsMax) {
      const bounds = `${sidePixelsMin} to ${sidePixelsMax} px`;
      throw invalidField(`${path}.${side}`, `must come to ${bounds}; it comes to ${pixels[side]} px`);
    }
  }
  if (pixels.padding > 0 && modulePixels(metadata, smallestSymbolModules) < modulePixelsMin) {
    throw invalidField(`${path}.padding`, "leaves no room for the symbol");
  }
}

function checkColours(path: string, { foreground_color, background_color }: RenderMetadata): void {
  // A transparent background is checked all the same: the colour says on what the code is going to lie.
  if (luminance(foreground_color) > luminance(background_color)) {
    throw invalidField(`${path}.foreground_color`, "must not be lighter than background_color");
  }
  if (contrast(foreground_color, background_color) < contrastMin) {
    throw invalidField(
      `${path}.foreground_color`,
      `must have a contrast of ${contrastMin}:1 to background_color`,
    );
  }
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
