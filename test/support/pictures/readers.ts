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

const zbarOptions = ["--quiet", "--nodbus", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary"];
const zbarText = /<data( format='base64'[^>]*)?><!\[CDATA\[(.*?)\]\]><\/data>/gs;

/**
 * One run for many pictures; XML, because only that says which picture a text comes from. All but ASCII comes in base64
 * there, which the program gets wrong where the machine's characters have a sign: such a text is asked for by itself.
 */
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
    const xml = runZbar(["--xml", ...files]);
    const texts = new Map<string, string[]>();
    for (const [, file, inside] of xml.matchAll(/<source href='([^']*)'>(.*?)<\/source>/gs)) {
      texts.set(
        file!,
        [...inside!.matchAll(zbarText)].map(([, base64, text]) =>
          base64 === undefined ? text! : runZbar(["--raw", "--oneshot", file!]),
        ),
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

function runZbar(args: readonly string[]): string {
  const run = spawnSync(zbar, [...zbarOptions, ...args], { encoding: "utf8", maxBuffer: outputBytesMax });
  if (run.status !== 0 && run.status !== zbarFoundNone) {
    throw run.error ?? new Error(`${zbar} ended with ${run.status}: ${run.stderr}`);
  }
  return run.stdout;
}
