import { crc32, deflateSync } from "node:zlib";
import type { RenderMetadata } from "../../src/domain/documents.ts";

/** Rows of palette indices as PNG packs them, each led by a zero: no filter, which suits flat shapes best. */
export interface Scanlines {
  /** Bits a pixel. */
  depth: 1 | 4;
  bytes: Uint8Array;
}

export interface Palette {
  /** Red, green, blue of each index. */
  colours: Uint8Array;
  /** Opacity of the first indices; those after them are opaque. */
  opacities: Uint8Array;
}

/** Found by measuring: beyond these, each per cent of size costs more time than all the drawing. */
const levels = { 1: 3, 4: 5 } as const;
const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const colourTypePalette = 3;
const unitMetre = 1;
const metresPerInch = 0.0254;

export function encodePng(
  width: number,
  height: number,
  dpi: number,
  palette: Palette,
  scanlines: Scanlines,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const headerView = new DataView(header.buffer);
  headerView.setUint32(0, width);
  headerView.setUint32(4, height);
  header[8] = scanlines.depth;
  header[9] = colourTypePalette;

  const physical = new Uint8Array(9);
  const physicalView = new DataView(physical.buffer);
  const perMetre = Math.round(dpi / metresPerInch);
  physicalView.setUint32(0, perMetre);
  physicalView.setUint32(4, perMetre);
  physical[8] = unitMetre;

  const data = deflateSync(scanlines.bytes, { level: levels[scanlines.depth] });
  const chunks: [type: string, data: Uint8Array][] = [
    ["IHDR", header],
    ["pHYs", physical],
    ["PLTE", palette.colours],
  ];
  if (palette.opacities.length > 0) chunks.push(["tRNS", palette.opacities]);
  chunks.push(["IDAT", data], ["IEND", new Uint8Array(0)]);
  return assemble(chunks);
}

/** In an ArrayBuffer of its own, so that it can be handed to another thread without a copy. */
function assemble(chunks: [type: string, data: Uint8Array][]): Uint8Array<ArrayBuffer> {
  const frame = 12;
  const length = chunks.reduce((sum, [, data]) => sum + frame + data.length, signature.length);
  const png = new Uint8Array(length);
  const view = new DataView(png.buffer);
  png.set(signature);
  let at = signature.length;
  for (const [type, data] of chunks) {
    view.setUint32(at, data.length);
    for (let letter = 0; letter < 4; letter++) png[at + 4 + letter] = type.charCodeAt(letter);
    png.set(data, at + 8);
    const end = at + 8 + data.length;
    view.setUint32(end, crc32(png.subarray(at + 4, end)));
    at = end + 4;
  }
  return png;
}

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
