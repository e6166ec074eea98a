import type { RenderMetadata } from "../../src/domain/documents.ts";
import { drawFunctionPatterns } from "./function-patterns.ts";
import type { Layout } from "./layout.ts";
import { type CornerRadius, type IsDark, outline } from "./outline.ts";
import { disc, op, type Path } from "./path.ts";
import { isEye, type QrSymbol } from "./symbol.ts";

/** Draws all modules but the eyes. */
export function drawDots(
  path: Path,
  symbol: QrSymbol,
  layout: Layout,
  style: RenderMetadata["dot_style"],
  eyeStyle: RenderMetadata["eye_style"],
): void {
  const { size, dark } = symbol;
  const isDot: IsDark = (column, row) =>
    column >= 0 &&
    row >= 0 &&
    column < size &&
    row < size &&
    dark[row * size + column] === 1 &&
    !isEye(size, column, row);

  if (style === "dots" || style === "diamond") {
    const { module, left, top } = layout;
    const drawn = drawFunctionPatterns(path, size, layout, eyeStyle, timingRadii[style]);
    const draw = style === "dots" ? disc : diamond;
    const reach = Math.min(reaches[style], 0.5 + roomAround(size, layout) / module) * module;
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        if (!isDot(column, row) || drawn[row * size + column] === 1) continue;
        draw(path, left + (column + 0.5) * module, top + (row + 0.5) * module, reach);
      }
    }
  } else {
    outline(path, size, isDot, cornerRadius(style, isDot, layout.module), layout);
  }
}

/**
 * From the middle of a module, in modules. More than half: a disc or a diamond that only touches its module's
 * sides leaves so much of it light that a blurred picture of them looks grey.
 */
const reaches = { dots: 0.53, diamond: 0.6 } as const;
/** Corners of the modules of the timing patterns, in modules: fuller than the rest, yet of its kind. */
const timingRadii = { dots: 0.35, diamond: 0 } as const;

/** How far shapes may reach beyond the symbol without leaving the canvas, in pixels. */
function roomAround(size: number, { width, height, module, left, top }: Layout): number {
  const side = size * module;
  return Math.min(left, top, width - left - side, height - top - side);
}

function diamond(path: Path, centreX: number, centreY: number, reach: number): void {
  path.push(op.move, centreX, centreY - reach, op.line, centreX + reach, centreY);
  path.push(op.line, centreX, centreY + reach, op.line, centreX - reach, centreY, op.close);
}

type JoiningStyle = Exclude<RenderMetadata["dot_style"], "dots" | "diamond">;

/** In modules. As round as the whole module, corners lost ZXing some pictures shrunk to three pixels a module. */
const wideCorner = 0.75;
/** With fewer pixels a module, wide corners would leave too little at its middle to read. */
const modulePixelsForWideCorners = 4;

/** An outward corner has no neighbour on its two sides; what differs is what the module has on the others. */
function cornerRadius(style: JoiningStyle, isDot: IsDark, modulePixels: number): CornerRadius {
  const wide = modulePixels < modulePixelsForWideCorners ? 0.5 : wideCorner;
  const topLeft = 0;
  const bottomRight = 2;
  const across = (column: number, row: number, corner: number) =>
    isDot(column + (corner === 0 || corner === 3 ? 1 : -1), row);
  const along = (column: number, row: number, corner: number) =>
    isDot(column, row + (corner === 0 || corner === 1 ? 1 : -1));
  switch (style) {
    case "square":
      return () => 0;
    case "rounded":
      return () => 0.5;
    case "extra-rounded":
      return (column, row, corner) =>
        across(column, row, corner) && along(column, row, corner) ? wide : 0.5;
    case "classy":
      return (_column, _row, corner) => (corner === topLeft || corner === bottomRight ? 0.5 : 0);
    case "classy-rounded":
      return (column, row, corner) => {
        if (corner !== topLeft && corner !== bottomRight) return 0;
        return across(column, row, corner) || along(column, row, corner) ? wide : 0.5;
      };
  }
}
