/**
 * What happens to a picture between us and a reader: out of focus, held askew, sent through a messenger, shrunk.
 * Written here, on grey pixels, so that none of it comes from the code that draws.
 */
import { createCanvas, loadImage } from "@napi-rs/canvas";

export interface GreyPixels {
  width: number;
  height: number;
  /** 0 is black, 255 white; row by row. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

const white = 255;
const rotationDegrees = 7;
/** Of 0 to 100, as canvas libraries count. */
const jpegQuality = 50;
const modulePixelsReduced = 3;

export const distortions = ["blur", "rotation", "JPEG", "reduction"] as const;
export type Distortion = (typeof distortions)[number];

/** The picture as it arrives; null when there is nothing to reduce. `module` is in pixels. */
export async function distort(
  picture: GreyPixels,
  distortion: Distortion,
  module: number,
): Promise<GreyPixels | null> {
  switch (distortion) {
    case "blur":
      return blur(picture, module / 2);
    case "rotation":
      return rotate(picture, (rotationDegrees * Math.PI) / 180);
    case "JPEG":
      return compress(picture);
    case "reduction":
      return module > modulePixelsReduced ? reduce(picture, modulePixelsReduced / module) : null;
  }
}

/** Each point is spread over a square of so many pixels. Beyond its edge the picture is white. */
function blur({ width, height, data }: GreyPixels, span: number): GreyPixels {
  const rows = blurRows(Float32Array.from(data), width, height, span);
  const columns = blurRows(turned(rows, width, height), height, width, span);
  return { width, height, data: new Uint8ClampedArray(turned(columns, height, width)) };
}

function blurRows(grey: Float32Array, width: number, rows: number, span: number): Float32Array {
  const blurred = new Float32Array(grey.length);
  /** The ink of a row up to each pixel's left side: what lies between two places is a difference. */
  const ink = new Float64Array(width + 1);
  const upTo = (x: number): number => {
    const within = Math.min(Math.max(x, 0), width);
    const pixel = Math.min(Math.floor(within), width - 1);
    return ink[pixel]! + (within - pixel) * (ink[pixel + 1]! - ink[pixel]!);
  };
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x++) ink[x + 1] = ink[x]! + white - grey[row * width + x]!;
    for (let x = 0; x < width; x++) {
      const middle = x + 0.5;
      blurred[row * width + x] = white - (upTo(middle + span / 2) - upTo(middle - span / 2)) / span;
    }
  }
  return blurred;
}

/** Around the middle, on a sheet that holds all of it; each pixel is mixed from the four it falls between. */
function rotate({ width, height, data }: GreyPixels, angle: number): GreyPixels {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const wide = Math.ceil(width * cos + height * sin);
  const high = Math.ceil(width * sin + height * cos);
  const rotated = new Uint8ClampedArray(wide * high);
  const grey = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? white : data[y * width + x]!;
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const outX = x + 0.5 - wide / 2;
      const outY = y + 0.5 - high / 2;
      const inX = cos * outX + sin * outY + width / 2 - 0.5;
      const inY = cos * outY - sin * outX + height / 2 - 0.5;
      const left = Math.floor(inX);
      const top = Math.floor(inY);
      const right = inX - left;
      const below = inY - top;
      rotated[y * wide + x] =
        (1 - below) * ((1 - right) * grey(left, top) + right * grey(left + 1, top)) +
        below * ((1 - right) * grey(left, top + 1) + right * grey(left + 1, top + 1));
    }
  }
  return { width: wide, height: high, data: rotated };
}

async function compress(picture: GreyPixels): Promise<GreyPixels> {
  const { width, height } = picture;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const sheet = context.createImageData(width, height);
  sheet.data.set(inColour(picture));
  context.putImageData(sheet, 0, 0);
  const image = await loadImage(canvas.toBuffer("image/jpeg", jpegQuality));
  context.drawImage(image, 0, 0);
  return inGrey(width, height, context.getImageData(0, 0, width, height).data);
}

/** Each new pixel is the mean of the area it stands for: first along the rows, then along the columns. */
function reduce({ width, height, data }: GreyPixels, scale: number): GreyPixels {
  const wide = Math.round(width * scale);
  const high = Math.round(height * scale);
  const rows = reduceRows(Float32Array.from(data), width, height, wide);
  const columns = reduceRows(turned(rows, wide, height), height, wide, high);
  return { width: wide, height: high, data: new Uint8ClampedArray(turned(columns, high, wide)) };
}

function reduceRows(grey: Float32Array, from: number, rows: number, to: number): Float32Array {
  const reduced = new Float32Array(to * rows);
  const step = from / to;
  for (let pixel = 0; pixel < to; pixel++) {
    const start = pixel * step;
    const end = start + step;
    for (let at = Math.floor(start); at < Math.min(end, from); at++) {
      const share = (Math.min(at + 1, end) - Math.max(at, start)) / step;
      for (let row = 0; row < rows; row++) reduced[row * to + pixel]! += share * grey[row * from + at]!;
    }
  }
  return reduced;
}

/** Rows become columns. */
function turned(grey: Float32Array, width: number, height: number): Float32Array {
  const found = new Float32Array(grey.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) found[x * height + y] = grey[y * width + x]!;
  }
  return found;
}

/** The four channels of an opaque picture. */
export function inColour({ data }: GreyPixels): Uint8ClampedArray<ArrayBuffer> {
  const colour = new Uint32Array(data.length);
  for (let at = 0; at < data.length; at++) colour[at] = 0xff000000 | (data[at]! * 0x010101);
  return new Uint8ClampedArray(colour.buffer);
}

/** Of a picture in black, white and greys one channel says all. */
export function inGrey(width: number, height: number, colour: ArrayLike<number>): GreyPixels {
  const data = new Uint8ClampedArray(width * height);
  for (let at = 0; at < data.length; at++) data[at] = colour[4 * at]!;
  return { width, height, data };
}
