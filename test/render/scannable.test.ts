/**
 * Whatever we accept can be scanned: the PNG and the SVG of every style say exactly what was encoded, to a
 * decoder and a rasteriser that had no part in drawing them. `RENDER_ALL=1` tries every combination.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RenderMetadata } from "../../src/domain/documents.ts";
import {
  assertScannable,
  defaultMetadata,
  normaliseMetadata,
} from "../../src/domain/looks/render-metadata.ts";
import { canvasPixels, symbolModules } from "../../src/domain/looks/sizes.ts";
import { render } from "../../workers/render.ts";
import { seeded } from "../golden/seeded.ts";
import {
  allStyles,
  borderStyles,
  dotStyles,
  eyeStyles,
  levels,
  longText,
  nameOf,
  shortLink,
} from "../golden/styles.ts";
import { decode, pixelsOfPng, pixelsOfSvg } from "../support/pictures/decode.ts";

const everything = process.env.RENDER_ALL === "1";
const sampled = 40;

async function assertReadable(content: string, metadata: RenderMetadata): Promise<void> {
  const { svg, png } = render({ content, metadata });
  const sheet = metadata.bg_transparent ? metadata.background_color : "#ffffff";
  assert.equal(await decode(await pixelsOfPng(png!.bytes, sheet)), content, `PNG, ${nameOf(metadata)}`);
  const { width } = canvasPixels(metadata);
  assert.equal(await decode(pixelsOfSvg(svg.bytes, width, sheet)), content, `SVG, ${nameOf(metadata)}`);
}

for (const [name, content] of [
  ["a short link", shortLink],
  ["1,000 characters", longText],
] as const) {
  test(`${name} in ${everything ? "every style" : "a sample of styles"} at default size`, async () => {
    const random = seeded(4);
    const styles = everything ? allStyles() : Array.from({ length: sampled }, () => random.pick(allStyles()));
    for (const metadata of styles) {
      assertScannable(
        normaliseMetadata("qr_render_metadata", metadata, null),
        symbolModules(content, metadata.error_correction)!,
      );
      await assertReadable(content, metadata);
    }
  });
}

test("every dot style with every eye style at the smallest size accepted", async () => {
  const random = seeded(5);
  for (const dot_style of dotStyles) {
    for (const eye_style of eyeStyles) {
      const error_correction = random.pick(levels);
      const content = random.pick([shortLink, longText.slice(0, random.whole(1, 300))]);
      const quiet_zone = random.whole(1, 6);
      const modules = symbolModules(content, error_correction)!;
      const side = Math.max(64, 2 * (modules + 2 * quiet_zone));
      const wish = { dot_style, eye_style, error_correction, quiet_zone, width: side, height: side };
      const smallest = normaliseMetadata("qr_render_metadata", wish, null);
      assertScannable(smallest, modules);
      await assertReadable(content, smallest);
      if (side === 64) continue;
      const smaller = normaliseMetadata(
        "qr_render_metadata",
        { ...wish, width: side - 1, height: side - 1 },
        null,
      );
      assert.throws(() => assertScannable(smaller, modules), /fewer than 2 px/);
    }
  }
});

test("a sample of sizes, units, ratios, alignments, quiet zones and colours", async () => {
  const random = seeded(6);
  const sizes = { px: [180, 900], mm: [20, 90], cm: [2, 9], in: [1, 3] } as const;
  const pairs = [
    ["#000", "#fff"],
    ["#1d3557", "#f1faee"],
    ["#7a1f3d", "#ffe8d6"],
    ["#444444", "#c8e6c9"],
    ["#0000ff", "#ffff00"],
  ] as const;
  for (let round = 0; round < (everything ? 300 : 30); round++) {
    const unit = random.pick(["px", "mm", "cm", "in"] as const);
    const [foreground_color, background_color] = random.pick(pairs);
    const metadata = normaliseMetadata(
      "qr_render_metadata",
      {
        unit,
        width: random.whole(...(sizes[unit] as [number, number])),
        dpi: random.whole(150, 300),
        format_ratio: random.pick(["1:1", "4:3", "3:4", "16:9", "9:16"] as const),
        output_alignment: random.pick([
          "center",
          "top",
          "bottom",
          "left",
          "right",
          "top-left",
          "bottom-right",
        ] as const),
        padding: unit === "px" ? random.whole(0, 8) : 0,
        quiet_zone: random.whole(2, 8),
        dot_style: random.pick(dotStyles),
        eye_style: random.pick(eyeStyles),
        border_style: random.pick(borderStyles),
        error_correction: random.pick(levels),
        bg_transparent: random.next() < 0.3,
        foreground_color,
        background_color,
      },
      null,
    );
    await assertReadable(shortLink, metadata);
  }
});

test("text of other scripts comes back as it was", async () => {
  for (const content of [
    "Grüße aus Köln",
    "点击这里查看菜单",
    "🍕 18:00–22:00",
    "line\nbreak\tand tab",
    "0123456789",
    "ABC-123",
  ]) {
    await assertReadable(content, { ...defaultMetadata, dot_style: "rounded" });
  }
});
