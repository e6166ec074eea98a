/** What the files look like and contain: SVG and PNG of one code show the same picture, in the right form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RenderMetadata } from "../../src/domain/documents.ts";
import { defaultMetadata, normaliseMetadata } from "../../src/domain/looks/render-metadata.ts";
import { canvasPixels } from "../../src/domain/looks/sizes.ts";
import type { RenderResult } from "../../src/render/render-job.ts";
import { render } from "../../workers/render.ts";
import { seeded } from "../golden/seeded.ts";
import { allStyles, nameOf, shortLink } from "../golden/styles.ts";
import { type Pixels, pixelsOfPng, pixelsOfSvg } from "../support/pictures/decode.ts";

function draw(wish: Partial<RenderMetadata> = {}, content = shortLink): RenderResult {
  return render({ content, metadata: normaliseMetadata("qr_render_metadata", wish, null) });
}

const svgText = (result: RenderResult): string => new TextDecoder().decode(result.svg.bytes);

/** The chunks of a PNG by type. */
function chunks(png: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(png);
  const found = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    found.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return found;
}

/** Anti-aliasing differs between rasterisers, by less than a fifth of the way from white to black. */
function assertSamePicture(a: Pixels, b: Pixels, name: string): void {
  assert.deepEqual([a.width, a.height], [b.width, b.height]);
  let most = 0;
  let sum = 0;
  for (let at = 0; at < a.data.length; at++) {
    const apart = Math.abs(a.data[at]! - b.data[at]!);
    most = Math.max(most, apart);
    sum += apart;
  }
  assert.ok(most < 48, `${name}: a pixel differs by ${most}`);
  assert.ok(sum / a.data.length < 2, `${name}: pixels differ by ${sum / a.data.length} on average`);
}

test("SVG and PNG show the same picture", async () => {
  const random = seeded(7);
  for (let round = 0; round < 30; round++) {
    const metadata = {
      ...random.pick(allStyles()),
      foreground_color: "#1d3557",
      background_color: "#fff3e0",
      output_alignment: random.pick(["center", "left", "bottom-right"] as const),
      width: random.whole(200, 640),
      height: random.whole(200, 640),
    };
    const { svg, png } = render({ content: shortLink, metadata });
    const drawn = await pixelsOfPng(png!.bytes);
    assertSamePicture(drawn, pixelsOfSvg(svg.bytes, metadata.width), nameOf(metadata));
  }
});

test("the default code is small in both forms", () => {
  const result = draw();
  assert.ok(result.svg.bytes.length < 4_096, `SVG of ${result.svg.bytes.length} bytes`);
  assert.ok(result.png!.bytes.length <= 4_096, `PNG of ${result.png!.bytes.length} bytes`);
});

test("the SVG has one path for each colour", () => {
  for (const metadata of allStyles().filter(({ error_correction }) => error_correction === "M")) {
    const svg = svgText(render({ content: shortLink, metadata }));
    assert.equal(svg.match(/<path /g)!.length, metadata.bg_transparent ? 1 : 2, nameOf(metadata));
    assert.equal(svg.match(/<(?!svg |\/svg>|path )/g), null, nameOf(metadata));
  }
});

test("no hairlines: inside joined modules no pixel is lighter, at an odd zoom", () => {
  // All modules of an eye's ball are dark, and its edges between modules fall on fractions of a pixel here.
  const metadata = { ...defaultMetadata };
  const { svg } = render({ content: shortLink, metadata });
  const picture = pixelsOfSvg(svg.bytes, 777);
  const scale = 777 / 512;
  const module = 13;
  const ballLeft = (512 - 37 * module) >> 1;
  const from = Math.ceil((ballLeft + (4 + 2) * module) * scale) + 1;
  const to = Math.floor((ballLeft + (4 + 5) * module) * scale) - 1;
  for (let y = from; y < to; y++) {
    for (let x = from; x < to; x++)
      assert.equal(picture.data[(y * picture.width + x) * 4], 0, `at ${x}, ${y}`);
  }
});

test("physical units give the pixels, the SVG's size and the PNG's resolution", () => {
  const result = draw({ unit: "mm", width: 50, dpi: 254 });
  assert.match(svgText(result), /^<svg [^>]*width="50mm" height="50mm" viewBox="0 0 500 500"/);
  const found = chunks(result.png!.bytes);
  assert.deepEqual([found.get("IHDR")!.readUInt32BE(0), found.get("IHDR")!.readUInt32BE(4)], [500, 500]);
  const physical = found.get("pHYs")!;
  assert.deepEqual([physical.readUInt32BE(0), physical.readUInt32BE(4), physical[8]], [10_000, 10_000, 1]);
});

test("a square style is a PNG of one bit a pixel, others of four", () => {
  const depth = (wish: Partial<RenderMetadata>) => chunks(draw(wish).png!.bytes).get("IHDR")![8];
  assert.equal(depth({}), 1);
  assert.equal(depth({ border_style: "dashed", bg_transparent: true }), 1);
  assert.equal(depth({ dot_style: "dots" }), 4);
  assert.equal(depth({ border_style: "rounded" }), 4);
});

test("a transparent background is not painted", async () => {
  for (const dot_style of ["square", "rounded"] as const) {
    const result = draw({ bg_transparent: true, dot_style });
    assert.doesNotMatch(svgText(result), /#ffffff/);
    const onRed = await pixelsOfPng(result.png!.bytes, "#ff0000");
    assert.deepEqual([...onRed.data.subarray(0, 4)], [255, 0, 0, 255]);
    assertSamePicture(onRed, pixelsOfSvg(result.svg.bytes, 512, "#ff0000"), dot_style);
  }
});

test("colours are painted as given", async () => {
  const { data } = await pixelsOfPng(
    draw({ foreground_color: "#123", background_color: "#fedcba" }).png!.bytes,
  );
  const colours = new Set<string>();
  for (let at = 0; at < data.length; at += 4) colours.add([...data.subarray(at, at + 3)].join());
  assert.deepEqual([...colours].sort(), ["17,34,51", "254,220,186"]);
});

test("no PNG is made when none is wanted", () => {
  assert.equal(draw({ export_png: false }).png, null);
});

test("the symbol stands where the alignment says", async () => {
  const dark = async (
    output_alignment: RenderMetadata["output_alignment"],
    wish: Partial<RenderMetadata>,
  ) => {
    const metadata = normaliseMetadata("qr_render_metadata", { output_alignment, ...wish }, null);
    const { width, height } = canvasPixels(metadata);
    const { data } = await pixelsOfPng(render({ content: shortLink, metadata }).png!.bytes);
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (data[(y * width + x) * 4]! > 128) continue;
        left = Math.min(left, x);
        right = Math.max(right, x + 1);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y + 1);
      }
    }
    return { left, top, right: width - right, bottom: height - bottom };
  };
  // 37 modules of 10 pixels, 4 of them quiet on each side.
  const wide = { format_ratio: "16:9", width: 658, height: 370 } as const;
  assert.deepEqual(await dark("left", wide), { left: 40, top: 40, right: 328, bottom: 40 });
  assert.deepEqual(await dark("bottom-right", wide), { left: 328, top: 40, right: 40, bottom: 40 });
  assert.deepEqual(await dark("center", wide), { left: 184, top: 40, right: 184, bottom: 40 });
  const tall = { format_ratio: "9:16", width: 370, height: 658 } as const;
  assert.deepEqual(await dark("top", tall), { left: 40, top: 40, right: 40, bottom: 328 });
  assert.deepEqual(await dark("bottom-left", tall), { left: 40, top: 328, right: 40, bottom: 40 });
});

test("padding and quiet zone stay empty", async () => {
  // 29 + 2 × 2 modules of 10 pixels, 15 pixels of padding.
  const { png } = draw({ width: 360, height: 360, padding: 15, quiet_zone: 2 });
  const { data, width } = await pixelsOfPng(png!.bytes);
  const at = (x: number, y: number) => data[(y * width + x) * 4];
  assert.equal(at(34, 34), 255);
  assert.equal(at(35, 35), 0);
  assert.equal(at(324, 35), 0);
  assert.equal(at(325, 35), 255);
});

test("what does not fit is an error with a reason", () => {
  assert.throws(() => render({ content: "x".repeat(3_000), metadata: defaultMetadata }), /too big/);
  const tiny = { ...defaultMetadata, width: 64, height: 64, quiet_zone: 16, padding: 20 };
  assert.throws(() => render({ content: shortLink, metadata: tiny }), /does not fit the canvas/);
});
