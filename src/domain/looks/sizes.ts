/** How large canvas and symbol get, known before they are drawn: what does not fit is refused, not failed later. */
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

/** Bytes that fit into versions 1 to 40, per error correction level (ISO/IEC 18004, byte mode). */
const byteCapacity: Record<RenderMetadata["error_correction"], readonly number[]> = {
  L: [
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858, 929, 1003,
    1091, 1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431, 2563, 2699, 2809,
    2953,
  ],
  M: [
    14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666, 711, 779,
    857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
  ],
  Q: [
    11, 20, 32, 46, 60, 74, 86, 108, 130, 151, 177, 203, 241, 258, 292, 322, 364, 394, 442, 482, 509, 565,
    611, 661, 715, 751, 805, 868, 908, 982, 1030, 1112, 1168, 1228, 1283, 1351, 1423, 1499, 1579, 1663,
  ],
  H: [
    7, 14, 24, 34, 44, 58, 64, 84, 98, 119, 137, 155, 177, 194, 220, 250, 280, 310, 338, 382, 403, 439, 461,
    511, 535, 593, 625, 658, 698, 742, 790, 842, 898, 958, 983, 1051, 1093, 1139, 1219, 1273,
  ],
};

/** And no Buffer: pages ask too. */
const encoder = new TextEncoder();
/** As much as the largest symbol holds, and used again: memory for each question would cost more than the answer. */
const encoded = new Uint8Array(byteCapacity.L.at(-1)!);

/** Modules along one side of the symbol that holds the content, null when no symbol does. */
export function symbolModules(content: string, level: RenderMetadata["error_correction"]): number | null {
  const { read, written } = encoder.encodeInto(content, encoded);
  if (read < content.length) return null;
  const version = byteCapacity[level].findIndex((capacity) => written <= capacity) + 1;
  return version === 0 ? null : 17 + 4 * version;
}
