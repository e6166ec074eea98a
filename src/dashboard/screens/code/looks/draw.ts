/** Draws a code in the browser, with the code that draws the real one. */
import { drawPicture } from "../../../../../workers/shapes/picture.ts";
import { drawSvg } from "../../../../../workers/shapes/svg.ts";
import type { RenderMetadata } from "../../../../domain/documents.ts";
import { assertScannable } from "../../../../domain/looks/render-metadata.ts";
import { symbolModules } from "../../../../domain/looks/sizes.ts";

type Drawn = { svg: string } | { problem: string };

export function draw(content: string, metadata: RenderMetadata): Drawn {
  const modules = symbolModules(content, metadata.error_correction);
  if (modules === null) {
    return { problem: "This is too much for one code. Shorten it, or choose a lower error correction." };
  }
  try {
    assertScannable(metadata, modules);
    const { path, layout } = drawPicture({ content, metadata });
    return { svg: drawSvg(path, layout, metadata) };
  } catch {
    return {
      problem:
        "The picture is too small for a camera to read. Make it larger, or reduce padding and quiet zone.",
    };
  }
}
