import type { RenderMetadata } from "../../src/domain/documents.ts";
import type { Palette } from "./png.ts";

/** From background to foreground in `steps` equal steps of coverage; in steps of opacity on no background. */
export function coveragePalette(metadata: RenderMetadata, steps: number): Palette {
  const front = components(metadata.foreground_color);
  const back = metadata.bg_transparent ? front : components(metadata.background_color);
  const colours = new Uint8Array(steps * 3);
  const opacities = new Uint8Array(metadata.bg_transparent ? steps - 1 : 0);
  for (let step = 0; step < steps; step++) {
    const share = step / (steps - 1);
    for (let part = 0; part < 3; part++) {
      colours[step * 3 + part] = Math.round(back[part]! + (front[part]! - back[part]!) * share);
    }
    if (step < opacities.length) opacities[step] = Math.round(255 * share);
  }
  return { colours, opacities };
}

/** Red, green, blue of `#rgb` or `#rrggbb`. */
function components(colour: string): number[] {
  const digits = colour.slice(1);
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}
