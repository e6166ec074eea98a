/** The programs that people read codes with, as far as they can run in a test. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsqr from "jsqr";
import { decode } from "./decode.ts";
import { type GreyPixels, inColour } from "./distortions.ts";

export const readers = ["ZXing", "jsQR", "ZBar"] as const;
export type Reader = (typeof readers)[number];

/** What each picture says to a reader, null where it reads nothing or several things. */
export function read(reader: Reader, pictures: readonly GreyPixels[]): Promise<(string | null)[]> {
  switch (reader) {
    case "ZXing":
      return readWithZxing(pictures);
    case "jsQR":
      return Promise.resolve(pictures.map(readWithJsqr));
    case "ZBar":
      return Promise.resolve(readWithZbar(pictures));
  }
}

/** ZBar is a program of the system, not a package: where it is missing, nothing can be said about it. */
export function isInstalled(reader: Reader): boolean {
  return reader !== "ZBar" || spawnSync(zbar, ["--version"]).status === 0;
}

async function readWithZxing(pictures: readonly GreyPixels[]): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (const picture of pictures) found.push(await decode({ ...picture, data: inColour(picture) }));
  return found;
}

function readWithJsqr(picture: GreyPixels): string | null {
  // CommonJS that calls its one function `default`.
  const scan = jsqr as unknown as typeof jsqr.default;
  const { width, height } = picture;
  return scan(inColour(picture), width, height, { inversionAttempts: "dontInvert" })?.data ?? null;
}

const zbar = "zbarimg";
/** What the program answers when it has read no code in some picture. */
const zbarFoundNone = 4;
const outputBytesMax = 64 * 1024 * 1024;

/** ASCII comes as it is, in CDATA; all else in base64, between line breaks. */
const zbarText = /<data( format='base64'[^>]*)?><!\[CDATA\[(.*?)\]\]><\/data>/gs;
const textOf = (base64: string | undefined, text: string): string =>
  base64 === undefined ? text : Buffer.from(text, "base64").toString();

/** One run for many pictures; XML, because only that says which picture a text comes from. */
function readWithZbar(pictures: readonly GreyPixels[]): (string | null)[] {
  const folder = mkdtempSync(join(tmpdir(), "zbar-"));
  try {
    const files = pictures.map(({ width, height, data }, at) => {
      const file = join(folder, `${at}.pgm`);
      writeFileSync(
        file,
        Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), Buffer.from(data.buffer)]),
      );
      return file;
    });
    const run = spawnSync(
      zbar,
      ["--quiet", "--xml", "--nodbus", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary", ...files],
      { encoding: "utf8", maxBuffer: outputBytesMax },
    );
    if (run.status !== 0 && run.status !== zbarFoundNone) {
      throw run.error ?? new Error(`${zbar} ended with ${run.status}: ${run.stderr}`);
    }
    const texts = new Map<string, string[]>();
    for (const [, file, inside] of run.stdout.matchAll(/<source href='([^']*)'>(.*?)<\/source>/gs)) {
      texts.set(
        file!,
        [...inside!.matchAll(zbarText)].map(([, base64, text]) => textOf(base64, text!)),
      );
    }
    return files.map((file) => {
      const found = texts.get(file) ?? [];
      return found.length === 1 ? found[0]! : null;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
