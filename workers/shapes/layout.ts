import type { RenderMetadata } from "../../src/domain/documents.ts";
import { canvasPixels } from "../../src/domain/looks/sizes.ts";
import { type Corners, type Path, roundedBox } from "./path.ts";

/** Where things stand, in whole pixels: so that every edge of a square module falls between two pixels. */
export interface Layout {
  width: number;
  height: number;
  /** Pixels a module. */
  module: number;
  /** The top left corner of the symbol, quiet zone not included. */
  left: number;
  top: number;
  /** Thickness of the frame, 0 without one. */
  border: number;
}

export function lay(metadata: RenderMetadata, symbolModules: number): Layout {
  const { width, height, border, inset } = canvasPixels(metadata);
  const modules = symbolModules + 2 * metadata.quiet_zone;
  const module = Math.floor((Math.min(width, height) - 2 * inset) / modules);
  if (module < 1) throw new Error(`A symbol of ${symbolModules} modules does not fit the canvas.`);
  const quiet = module * metadata.quiet_zone;
  const taken = module * modules + 2 * inset;
  const { across, down } = alignment(metadata.output_alignment);
  return {
    width,
    height,
    module,
    left: inset + Math.floor((width - taken) * across) + quiet,
    top: inset + Math.floor((height - taken) * down) + quiet,
    border,
  };
}

/** The share of the free space that goes before the symbol. */
function alignment(name: RenderMetadata["output_alignment"]): { across: number; down: number } {
  const across = name.endsWith("left") ? 0 : name.endsWith("right") ? 1 : 0.5;
  const down = name.startsWith("top") ? 0 : name.startsWith("bottom") ? 1 : 0.5;
  return { across, down };
}

/** Some modules wide and high, at a place of the symbol. */
export function box(
  path: Path,
  { left, top, module }: Layout,
  column: number,
  row: number,
  modules: number,
  corners: Corners,
  hole = false,
): void {
  const side = modules * module;
  roundedBox(path, left + column * module, top + row * module, side, side, corners, hole);
}
