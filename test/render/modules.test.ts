/**
 * Whatever the dot style, the middle of each module has the module's colour: in symbols of all forty sizes.
 * Eyes are square here; of a round one the corner modules are light.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RenderMetadata } from "../../src/domain/documents.ts";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { symbolModules } from "../../src/domain/looks/sizes.ts";
import { render } from "../../workers/render.ts";
import { encode } from "../../workers/shapes/symbol.ts";
import { dotStyles } from "../golden/styles.ts";
import { pixelsOfPng } from "../support/pictures/decode.ts";

const module = 6;
const half = 128;

/** For the symbol of each version a text: one byte more than the version before it holds. */
const texts = new Map<number, string>();
for (let text = "x"; texts.size < 40; text += "x") {
  const version = (symbolModules(text, "L")! - 17) / 4;
  if (!texts.has(version)) texts.set(version, text);
}
/** Styles that join modules have no shapes whose place depends on the version. */
const fewVersions = [1, 2, 7, 22, 40];

function looks(version: number, dot_style: RenderMetadata["dot_style"], quiet_zone: number): RenderMetadata {
  const side = module * (17 + 4 * version + 2 * quiet_zone);
  const size = { width: side, height: side, quiet_zone };
  return { ...defaultMetadata, ...size, dot_style, error_correction: "L" };
}

/** Each module's middle, row by row; 1 is dark. */
async function middles(content: string, metadata: RenderMetadata): Promise<Uint8Array> {
  const { width, data } = await pixelsOfPng(render({ content, metadata }).png!.bytes);
  const size = width / module - 2 * metadata.quiet_zone;
  const middle = (at: number) => (at + metadata.quiet_zone) * module + module / 2;
  return Uint8Array.from({ length: size * size }, (_, at) => {
    const [column, row] = [at % size, Math.floor(at / size)];
    return data[(middle(row) * width + middle(column)) * 4]! < half ? 1 : 0;
  });
}

for (const dot_style of dotStyles) {
  test(`every module of ${dot_style} has its colour`, async () => {
    const standsAlone = dot_style === "dots" || dot_style === "diamond";
    for (const [version, content] of texts) {
      if (!standsAlone && !fewVersions.includes(version)) continue;
      const expected = Uint8Array.from(encode(content, "L").dark);
      assert.equal(expected.length, (17 + 4 * version) ** 2);
      assert.deepEqual(await middles(content, looks(version, dot_style, 1)), expected, `version ${version}`);
    }
  });

  test(`${dot_style} stays on a canvas that leaves no room around the symbol`, async () => {
    const content = texts.get(3)!;
    const metadata = looks(3, dot_style, 0);
    assert.deepEqual(await middles(content, metadata), Uint8Array.from(encode(content, "L").dark));
    const svg = new TextDecoder().decode(render({ content, metadata }).svg.bytes);
    const { left, top, right, bottom } = extent(svg);
    assert.ok(left >= 0 && top >= 0, `from ${left}, ${top}`);
    assert.ok(right <= metadata.width && bottom <= metadata.height, `to ${right}, ${bottom}`);
  });
}

/** Corners of the foreground's outlines: every letter is lower case and takes steps from where the last ended. */
function extent(svg: string): { left: number; top: number; right: number; bottom: number } {
  const data = svg.match(/<path fill="#000000" d="([^"]*)"/)![1]!;
  const found = { left: 0, top: 0, right: 0, bottom: 0 };
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, letter, steps] of data.matchAll(/([a-z])([^a-z]*)/g)) {
    const numbers = (steps!.match(/-?(\d+(\.\d+)?|\.\d+)/g) ?? []).map(Number);
    if (letter === "z") [x, y] = [startX, startY];
    else if (letter === "h") x += numbers[0]!;
    else if (letter === "v") y += numbers[0]!;
    else {
      x += numbers.at(-2)!;
      y += numbers.at(-1)!;
    }
    if (letter === "m") [startX, startY] = [x, y];
    found.left = Math.min(found.left, x);
    found.top = Math.min(found.top, y);
    found.right = Math.max(found.right, x);
    found.bottom = Math.max(found.bottom, y);
  }
  return found;
}
