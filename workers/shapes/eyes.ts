import type { RenderMetadata } from "../../src/domain/documents.ts";
import { box, type Layout } from "./layout.ts";
import { type Corners, even, type Path } from "./path.ts";
import { eyeModules } from "./symbol.ts";

/** Corner radii, in modules, of the ring's outside, its inside, and the ball. Concentric: the ring is even. */
const radii: Record<RenderMetadata["eye_style"], readonly [number, number, number]> = {
  square: [0, 0, 0],
  rounded: [2.25, 1.25, 0.75],
  // Nearly one: ZBar lays lines along an eye's four sides, and loses true circles that are turned a few degrees.
  // In whole pixels, because it also lost symbols whose straight pieces ended within a pixel.
  circle: [2.9, 1.9, 1.5],
  // Decoders find an eye by its four sides: from a radius of 2.75 on, a ring with two pointed corners fools them.
  leaf: [2.25, 1.25, 1.25],
};

/** Draws the three finder patterns: a ring seven modules wide around a ball of three. */
export function drawEyes(
  path: Path,
  symbolModules: number,
  layout: Layout,
  style: RenderMetadata["eye_style"],
): void {
  const far = symbolModules - eyeModules;
  const places = [
    { column: 0, row: 0, mirrored: false },
    { column: far, row: 0, mirrored: true },
    { column: 0, row: far, mirrored: true },
  ];
  for (const { column, row, mirrored } of places) {
    for (const inset of [0, 1, 2]) {
      const exact = radii[style][inset]! * layout.module;
      const radius = style === "circle" ? Math.round(exact) : exact;
      const shape = corners(style, radius, mirrored);
      box(path, layout, column + inset, row + inset, eyeModules - 2 * inset, shape, inset === 1);
    }
  }
}

function corners(style: RenderMetadata["eye_style"], radius: number, mirrored: boolean): Corners {
  if (style !== "leaf") return even(radius);
  // Pointed along the symbol's edges, round towards its corner and its middle.
  return mirrored ? [0, radius, 0, radius] : [radius, 0, radius, 0];
}
