/** The canvas in pixels: what its lengths come to, and the room it leaves for the symbol. */
import type { RenderMetadata } from "../documents.ts";

const unitsPerInch = { mm: 25.4, cm: 2.54, in: 1 } as const;
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

/** How large a module of a symbol can be, not rounded. */
export function modulePixels(metadata: RenderMetadata, moduleCount: number): number {
  const { width, height, inset } = canvasPixels(metadata);
  return (Math.min(width, height) - 2 * inset) / (moduleCount + 2 * metadata.quiet_zone);
}

/** A length of the metadata in pixels, not rounded. */
export function toPixels({ unit, dpi }: Pick<RenderMetadata, "unit" | "dpi">, length: number): number {
  return unit === "px" ? length : (length * dpi) / unitsPerInch[unit];
}
