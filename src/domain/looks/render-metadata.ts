/**
 * How a code looks: how a partial wish becomes complete metadata, and what its shape (`requests.ts`) cannot say.
 *
 * The canvas always has the shape that `format_ratio` names, so that whatever a client reads it may send back:
 * - one side given: the other follows from the ratio;
 * - only the ratio given: the width stays and the height follows;
 * - both sides given without a ratio: the ratio becomes the one they have;
 * - both sides and a ratio that disagree, or sides of no known ratio: refused. Letting the sides win would store
 *   a ratio that is not true, and the next change of one side would deform the picture.
 * A ratio may be missed by one per cent or one pixel: sides are rounded, and people round them too.
 */

import { contrastMin, modulePixelsMin, sidePixelsMax, sidePixelsMin } from "../../limits.ts";
import type { RenderMetadata } from "../documents.ts";
import { invalidField } from "../errors.ts";
import type { RenderMetadataInput } from "../requests.ts";
import { canvasPixels, modulePixels, toPixels } from "./sizes.ts";

type Ratio = RenderMetadata["format_ratio"];

/** One object for all codes that nobody styled: by it they are known. */
export const defaultMetadata: Readonly<RenderMetadata> = Object.freeze({
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
});

/** Width by height. */
const quotients: Readonly<Record<Ratio, number>> = {
  "1:1": 1,
  "4:3": 4 / 3,
  "3:4": 3 / 4,
  "16:9": 16 / 9,
  "9:16": 9 / 16,
};
const ratios = Object.keys(quotients) as Ratio[];

const smallestSymbolModules = 21;

/** Complete metadata from what was given, on top of `base` or, for a new code, of the defaults. */
export function normaliseMetadata(
  path: string,
  given: RenderMetadataInput,
  base: RenderMetadata | null,
): RenderMetadata {
  // Most codes are made without a wish, and what nobody changed needs no check.
  if (base === null && Object.keys(given).length === 0) return defaultMetadata;
  const metadata: RenderMetadata = { ...(base ?? defaultMetadata), ...given };
  metadata.foreground_color = normaliseColour(metadata.foreground_color);
  metadata.background_color = normaliseColour(metadata.background_color);
  shapeCanvas(path, given, metadata);
  checkCanvas(path, metadata);
  checkColours(path, metadata);
  return metadata;
}

/** Refuses a canvas on which the symbol's modules would be too small for a camera. */
export function assertScannable(metadata: RenderMetadata, moduleCount: number): void {
  if (modulePixels(metadata, moduleCount) >= modulePixelsMin) return;
  const problem = `leaves fewer than ${modulePixelsMin} px for each of the symbol's ${moduleCount} modules;`;
  throw invalidField(
    "qr_render_metadata.width",
    `${problem} enlarge the canvas or reduce padding and quiet_zone`,
  );
}

function shapeCanvas(path: string, given: RenderMetadataInput, metadata: RenderMetadata): void {
  const ratioGiven = given.format_ratio !== undefined;
  if (given.width !== undefined && given.height !== undefined) {
    if (fits(metadata, metadata.format_ratio)) return;
    const actual = ratioGiven ? undefined : ratios.find((ratio) => fits(metadata, ratio));
    if (actual === undefined) {
      const problem = ratioGiven ? `${metadata.format_ratio} does not fit` : "has no value that fits";
      throw invalidField(`${path}.format_ratio`, `${problem} a canvas of ${given.width} × ${given.height}`);
    }
    metadata.format_ratio = actual;
  } else if (given.height !== undefined) {
    metadata.width = roundSide(metadata, metadata.height * quotients[metadata.format_ratio]);
  } else if (given.width !== undefined || !fits(metadata, metadata.format_ratio)) {
    metadata.height = roundSide(metadata, metadata.width / quotients[metadata.format_ratio]);
  }
}

function fits(metadata: RenderMetadata, ratio: Ratio): boolean {
  const height = toPixels(metadata, metadata.height);
  const wanted = toPixels(metadata, metadata.width) / quotients[ratio];
  return Math.abs(height - wanted) <= Math.max(1, wanted / 100);
}

function roundSide({ unit }: RenderMetadata, side: number): number {
  return unit === "px" ? Math.round(side) : Math.round(side * 10_000) / 10_000;
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

/** `#rgb` and `#rrggbb` in any case become lower-case `#rrggbb`. */
export function normaliseColour(text: string): string {
  const colour = text.toLowerCase();
  return colour.length === 7 ? colour : `#${[...colour.slice(1)].map((digit) => digit + digit).join("")}`;
}

/** WCAG 2 relative luminance: 0 is black, 1 is white. */
export function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
