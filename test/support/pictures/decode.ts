/** Reads our pictures with software that had no part in making them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { Resvg } from "@resvg/resvg-js";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, opacity. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer }, fireImmediately: true });

/** What the picture says, null when it cannot be read or says several things. */
export async function decode(pixels: Pixels): Promise<string | null> {
  const found = await readBarcodes(
    { ...pixels, colorSpace: "srgb" },
    { formats: ["QRCode"], tryHarder: true },
  );
  return found.length === 1 && found[0]!.isValid ? found[0]!.text : null;
}

/** As it looks on a sheet of the given colour. */
export async function pixelsOfPng(png: Uint8Array, sheet = "#ffffff"): Promise<Pixels> {
  const image = await loadImage(png);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.fillStyle = sheet;
  context.fillRect(0, 0, image.width, image.height);
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data: new Uint8ClampedArray(data) };
}

export function pixelsOfSvg(svg: Uint8Array, width: number, sheet = "#ffffff"): Pixels {
  const image = new Resvg(Buffer.from(svg), {
    background: sheet,
    fitTo: { mode: "width", value: width },
  }).render();
  return { width: image.width, height: image.height, data: new Uint8ClampedArray(image.pixels) };
}
