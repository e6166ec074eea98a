import QRCode from "qrcode";
import type { RenderMetadata } from "../../src/domain/documents.ts";
import { withBestMask } from "./best-mask.ts";

export interface QrSymbol {
  /** Modules along one side. */
  size: number;
  /** One byte a module, row by row; 1 is dark. */
  dark: Uint8Array;
}

export function encode(content: string, level: RenderMetadata["error_correction"]): QrSymbol {
  const { modules } = QRCode.create(content, { errorCorrectionLevel: level, maskPattern: 0 });
  const { size, data, reservedBit } = modules;
  return { size, dark: withBestMask({ size, dark: data, reserved: reservedBit }) };
}

/** The finder patterns stand in three corners, seven modules wide; they are drawn by `eyes.ts`. */
export const eyeModules = 7;

export function isEye(size: number, column: number, row: number): boolean {
  const left = column < eyeModules;
  const top = row < eyeModules;
  return (left && (top || row >= size - eyeModules)) || (top && column >= size - eyeModules);
}
