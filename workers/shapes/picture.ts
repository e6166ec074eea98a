/**
 * One picture as shapes, which `svg.ts` writes down. Neither needs Node: the dashboard draws its previews with this
 * same code, so what is seen there is what is printed.
 */
import type { RenderJob } from "../../src/render/render-job.ts";
import { drawBorder } from "./border.ts";
import { drawDots } from "./dots.ts";
import { drawEyes } from "./eyes.ts";
import { type Layout, lay } from "./layout.ts";
import type { Path } from "./path.ts";
import { encode } from "./symbol.ts";

/** With fewer pixels a module no style can be seen: it would only blur what a camera has to tell apart. */
const modulePixelsForStyles = 3;

export interface Picture {
  path: Path;
  layout: Layout;
}

export function drawPicture({ content, metadata }: RenderJob): Picture {
  const symbol = encode(content, metadata.error_correction);
  const layout = lay(metadata, symbol.size);
  const isTiny = layout.module < modulePixelsForStyles;
  const path: Path = [];
  const eyeStyle = isTiny ? "square" : metadata.eye_style;
  drawEyes(path, symbol.size, layout, eyeStyle);
  drawDots(path, symbol, layout, isTiny ? "square" : metadata.dot_style, eyeStyle);
  drawBorder(path, layout, metadata.border_style);
  return { path, layout };
}
