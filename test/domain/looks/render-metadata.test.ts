import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RenderMetadata } from "../../../src/domain/documents.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import {
  assertScannable,
  defaultMetadata,
  normaliseMetadata,
} from "../../../src/domain/looks/render-metadata.ts";
import { canvasPixels } from "../../../src/domain/looks/sizes.ts";
import { parsers } from "../../../src/schema/validators.ts";

const path = "qr_render_metadata";
/** The shape is checked at the door, the rest by the domain. */
const normalise = (given: object, base: RenderMetadata | null = null) =>
  normaliseMetadata(path, parsers.CreateCodeBody({ [path]: given }).qr_render_metadata!, base);

function refusedKey(run: () => unknown): string {
  try {
    run();
  } catch (refusal) {
    assert.ok(refusal instanceof ApiError && refusal.status === 400, String(refusal));
    return (refusal.message.split(" ")[0] ?? "").replace(`${path}.`, "");
  }
  return "accepted";
}

const canvas = ({ format_ratio, width, height }: RenderMetadata) => [format_ratio, width, height];

test("nothing given is the defaults, or the base untouched", () => {
  assert.deepEqual(normalise({}), defaultMetadata);
  const base = normalise({ width: 1000, dot_style: "dots", foreground_color: "#123" });
  assert.deepEqual(normalise({}, base), base);
  assert.deepEqual(normalise({ eye_style: "leaf" }, base), { ...base, eye_style: "leaf" });
});

test("sides and ratio make one canvas", () => {
  const wide = normalise({ format_ratio: "16:9", width: 1600 });
  const cases: [given: object, base: RenderMetadata | null, canvas: unknown[]][] = [
    [{ width: 300 }, null, ["1:1", 300, 300]],
    [{ height: 300 }, null, ["1:1", 300, 300]],
    [{ format_ratio: "4:3" }, null, ["4:3", 512, 384]],
    [{ format_ratio: "9:16" }, null, ["9:16", 512, 910]],
    [{ format_ratio: "16:9", width: 1600 }, null, ["16:9", 1600, 900]],
    [{ format_ratio: "3:4", height: 400 }, null, ["3:4", 300, 400]],
    [{ width: 800, height: 600 }, null, ["4:3", 800, 600]],
    [{ width: 1366, height: 768 }, null, ["16:9", 1366, 768]],
    [{ format_ratio: "16:9", width: 1920, height: 1080 }, null, ["16:9", 1920, 1080]],
    [{ width: 800 }, wide, ["16:9", 800, 450]],
    [{ height: 450 }, wide, ["16:9", 800, 450]],
    [{ format_ratio: "1:1" }, wide, ["1:1", 1600, 1600]],
    [{ format_ratio: "16:9" }, wide, ["16:9", 1600, 900]],
    [{ unit: "mm", width: 50 }, null, ["1:1", 50, 50]],
    [{ unit: "cm", width: 10, format_ratio: "16:9" }, null, ["16:9", 10, 5.625]],
  ];
  for (const [given, base, expected] of cases) {
    assert.deepEqual(canvas(normalise(given, base)), expected, JSON.stringify(given));
  }
});

test("null is the same as leaving a key out", () => {
  assert.deepEqual(normalise({ width: null, dot_style: null }), normalise({}));
});

test("a bad value is refused under its key", () => {
  const cases: [given: object, key: string][] = [
    [{ colour: "red" }, "colour"],
    [{ __proto__: null, constructor: 1 }, "constructor"],
    [{ format_ratio: "2:1" }, "format_ratio"],
    [{ format_ratio: "16:9", width: 512, height: 512 }, "format_ratio"],
    [{ width: 600, height: 300 }, "format_ratio"],
    [{ width: 63 }, "width"],
    [{ width: 4097 }, "width"],
    [{ width: 0 }, "width"],
    [{ width: -5 }, "width"],
    [{ width: Number.NaN }, "width"],
    [{ width: Number.POSITIVE_INFINITY }, "width"],
    [{ width: "512" }, "width"],
    [{ width: 100.5 }, "width"],
    [{ height: 100.5 }, "height"],
    [{ width: 100, format_ratio: "16:9" }, "height"],
    [{ width: 4000, format_ratio: "9:16" }, "height"],
    [{ unit: "mm" }, "width"],
    [{ unit: "in", width: 14 }, "width"],
    [{ unit: "in", width: 4097 / 300 }, "width"],
    [{ unit: "mm", width: 5 }, "width"],
    [{ unit: "pt" }, "unit"],
    [{ padding: -1 }, "padding"],
    [{ padding: 256 }, "padding"],
    [{ padding: 228 }, "padding"],
    [{ quiet_zone: 17 }, "quiet_zone"],
    [{ quiet_zone: 1.5 }, "quiet_zone"],
    [{ quiet_zone: -1 }, "quiet_zone"],
    [{ dpi: 71 }, "dpi"],
    [{ dpi: 1201 }, "dpi"],
    [{ border_style: "double" }, "border_style"],
    [{ dot_style: "Square" }, "dot_style"],
    [{ eye_style: "" }, "eye_style"],
    [{ error_correction: "m" }, "error_correction"],
    [{ output_alignment: "middle" }, "output_alignment"],
    [{ bg_transparent: 1 }, "bg_transparent"],
    [{ export_png: "true" }, "export_png"],
    [{ foreground_color: "black" }, "foreground_color"],
    [{ foreground_color: "#12345" }, "foreground_color"],
    [{ background_color: "#ffffffff" }, "background_color"],
    ...["", "#", "abc", "#ab", "#abcd", "#abcdef0", "#ggg", " #abc", "#abc ", "x#abcdef", "#abcdefx"].map(
      (foreground_color): [object, string] => [{ foreground_color }, "foreground_color"],
    ),
    [{ foreground_color: "#fff", background_color: "#000" }, "foreground_color"],
    [{ foreground_color: "#999" }, "foreground_color"],
    [{ foreground_color: "#999", bg_transparent: true }, "foreground_color"],
    [{ foreground_color: "#fff" }, "foreground_color"],
  ];
  for (const [given, key] of cases) {
    assert.equal(
      refusedKey(() => normalise(given)),
      key,
      JSON.stringify(given),
    );
  }
});

test("the bounds themselves are accepted", () => {
  for (const given of [
    { width: 64, quiet_zone: 0 },
    { width: 4096 },
    { unit: "in", width: 1, dpi: 72 },
    { unit: "mm", width: 346.8 },
    { quiet_zone: 16 },
    { dpi: 1200 },
    { padding: 227 },
  ]) {
    assert.equal(
      refusedKey(() => normalise(given)),
      "accepted",
      JSON.stringify(given),
    );
  }
});

test("colours come out as #rrggbb in lower case", () => {
  const { foreground_color, background_color } = normalise({
    foreground_color: "#1A2",
    background_color: "#FFFFEE",
  });
  assert.deepEqual([foreground_color, background_color], ["#11aa22", "#ffffee"]);
});

test("contrast is judged at 3:1", () => {
  assert.equal(
    refusedKey(() => normalise({ foreground_color: "#949494" })),
    "accepted",
  );
  assert.equal(
    refusedKey(() => normalise({ foreground_color: "#969696" })),
    "foreground_color",
  );
});

test("physical sizes become pixels by the resolution", () => {
  const pixels = canvasPixels(normalise({ unit: "mm", width: 50.8, padding: 2.54, dpi: 300 }));
  assert.deepEqual(pixels, { width: 600, height: 600, padding: 30, border: 0, inset: 30 });
  const framed = canvasPixels(normalise({ width: 800, border_style: "solid" }));
  assert.deepEqual(framed, { width: 800, height: 800, padding: 0, border: 10, inset: 20 });
});

test("fewer than 2 px a module is refused under width", () => {
  const small = normalise({ width: 74 });
  assert.equal(
    refusedKey(() => assertScannable(small, 29)),
    "accepted",
  );
  assert.equal(
    refusedKey(() => assertScannable(small, 33)),
    "width",
  );
  assert.equal(
    refusedKey(() => assertScannable(normalise({ width: 73 }), 29)),
    "width",
  );
  assert.equal(
    refusedKey(() => assertScannable(normalise({ width: 74, border_style: "solid" }), 29)),
    "width",
  );
});

test("whatever is accepted may be sent back, whole or in part", () => {
  const given = fc.record(
    {
      format_ratio: fc.constantFrom("1:1", "4:3", "3:4", "16:9", "9:16"),
      width: fc.integer({ min: 1, max: 4096 }),
      height: fc.integer({ min: 1, max: 4096 }),
      unit: fc.constantFrom("px", "mm", "cm", "in"),
      padding: fc.integer({ min: 0, max: 50 }),
      quiet_zone: fc.integer({ min: 0, max: 16 }),
      dpi: fc.integer({ min: 72, max: 1200 }),
      border_style: fc.constantFrom("none", "solid"),
    },
    { requiredKeys: [] },
  );
  let accepted = 0;
  fc.assert(
    fc.property(given, given, (first, second) => {
      let metadata: RenderMetadata | null = null;
      for (const step of [first, second]) {
        try {
          metadata = normalise(step, metadata);
        } catch {
          return;
        }
        accepted += 1;
        assert.deepEqual(normalise(metadata), metadata);
        assert.deepEqual(normalise(metadata, metadata), metadata);
        const { format_ratio, width, height } = metadata;
        assert.deepEqual(normalise({ format_ratio }, metadata), metadata);
        assert.deepEqual(normalise({ width, height }, metadata), metadata);
      }
    }),
    { numRuns: 3_000, seed: 1 },
  );
  assert.ok(accepted > 100, `only ${accepted} accepted`);
});

test("a ratio that fitted in few pixels is kept in many: the height follows", () => {
  const coarse = normalise({ unit: "mm", dpi: 72, width: 23, height: 23.3 });
  assert.deepEqual([coarse.format_ratio, coarse.height], ["1:1", 23.3]);
  const fine = normalise({ dpi: 300 }, coarse);
  assert.deepEqual([fine.format_ratio, fine.width, fine.height], ["1:1", 23, 23]);
  assert.deepEqual(normalise(fine), fine, "what a client reads it may send back");
});
