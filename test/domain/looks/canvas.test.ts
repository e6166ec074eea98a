import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertScannable,
  defaultMetadata,
  normaliseMetadata,
} from "../../../src/domain/looks/render-metadata.ts";
import { canvasPixels } from "../../../src/domain/looks/sizes.ts";
import type { RenderMetadataInput } from "../../../src/domain/requests.ts";
import { parsers } from "../../../src/schema/validators.ts";
import { refusalOf as refusal } from "../../fakes/account-view.ts";

/** The shape is checked at the door under the field's own name, the rest by the domain under the one handed in. */
const normalise = (given: object) =>
  normaliseMetadata("looks", parsers.CreateCodeBody({ qr_render_metadata: given }).qr_render_metadata!, null);

/** The message alone: the code of all of them is the same. */
const refusalOf = (given: object) => refusal(() => normalise(given)).replace(/^invalid_request: /, "");

test("a code looks as documented when nothing is said", () => {
  assert.deepEqual(defaultMetadata, {
    format_ratio: "1:1",
    width: 512,
    height: 512,
    unit: "px",
    padding: 0,
    quiet_zone: 4,
    border_style: "none",
    dot_style: "square",
    eye_style: "square",
    foreground_color: "#000000",
    background_color: "#ffffff",
    bg_transparent: false,
    error_correction: "M",
    dpi: 300,
    export_png: true,
    output_alignment: "center",
  });
});

test("every documented choice is taken", () => {
  const choices = {
    border_style: ["none", "solid", "rounded", "dashed"],
    dot_style: ["square", "rounded", "extra-rounded", "dots", "diamond", "classy", "classy-rounded"],
    eye_style: ["square", "rounded", "circle", "leaf"],
    error_correction: ["L", "M", "Q", "H"],
    output_alignment: [
      ...["center", "top", "bottom", "left", "right"],
      ...["top-left", "top-right", "bottom-left", "bottom-right"],
    ],
  };
  for (const [key, values] of Object.entries(choices)) {
    for (const value of values) {
      assert.deepEqual(normalise({ [key]: value }), { ...defaultMetadata, [key]: value }, `${key} ${value}`);
    }
    const refusal = refusalOf({ [key]: "other" });
    assert.ok(refusal.startsWith(`qr_render_metadata.${key} must be one of "`), refusal);
    const named = [...refusal.matchAll(/"([^"]*)"/g)].map(([, value]) => value);
    assert.deepEqual(named.sort(), values.sort());
  }
  for (const key of ["bg_transparent", "export_png"]) {
    for (const value of [false, true]) {
      assert.deepEqual(normalise({ [key]: value }), { ...defaultMetadata, [key]: value }, `${key} ${value}`);
    }
    assert.equal(refusalOf({ [key]: "other" }), `qr_render_metadata.${key} must be true or false`);
  }
});

test("lengths become whole pixels, the nearest", () => {
  const pixels = (given: RenderMetadataInput) => {
    const { width, height, padding } = canvasPixels(normalise(given));
    return [width, height, padding];
  };
  assert.deepEqual(pixels({ width: 300, padding: 10 }), [300, 300, 10]);
  assert.deepEqual(pixels({ unit: "px", width: 300, padding: 0 }), [300, 300, 0]);
  assert.deepEqual(pixels({ unit: "cm", width: 2.54 }), [300, 300, 0]);
  assert.deepEqual(pixels({ unit: "in", width: 1, dpi: 600, padding: 0.05 }), [600, 600, 30]);
  assert.deepEqual(pixels({ unit: "mm", width: 10, padding: 0.3 }), [118, 118, 4]);
  assert.deepEqual(pixels({ unit: "mm", width: 10.05, padding: 0.3 }), [119, 119, 4]);
});

test("a frame is an eightieth of the shorter side, one pixel at least, and has room around it", () => {
  const frame = (given: RenderMetadataInput) => {
    const { border, inset } = canvasPixels(normalise({ border_style: "solid", ...given }));
    return [border, inset];
  };
  assert.deepEqual(frame({ border_style: "none", width: 4000 }), [0, 0]);
  assert.deepEqual(frame({ width: 64, quiet_zone: 0 }), [1, 2]);
  assert.deepEqual(frame({ width: 200 }), [3, 6]);
  assert.deepEqual(frame({ width: 4000 }), [50, 100]);
  assert.deepEqual(frame({ width: 1600, format_ratio: "16:9" }), [11, 22]);
  assert.deepEqual(frame({ width: 1600, format_ratio: "16:9", padding: 23 }), [11, 23]);
});

test("the side that was not given is rounded to the nearest", () => {
  assert.equal(normalise({ format_ratio: "9:16", width: 100 }).height, 178);
  assert.equal(normalise({ format_ratio: "9:16", unit: "in", width: 1 }).height, 1.7778);
});

test("sides may miss their ratio by a hundredth or a pixel, not by more", () => {
  const fits = (width: number, height: number) => refusalOf({ width, height }) === "accepted";
  assert.deepEqual([fits(1000, 1010), fits(1000, 1011)], [true, false]);
  assert.deepEqual([fits(64, 65), fits(64, 66)], [true, false]);
  assert.equal(
    refusalOf({ format_ratio: "16:9", width: 512, height: 512 }),
    "looks.format_ratio 16:9 does not fit a canvas of 512 × 512",
  );
  assert.equal(
    refusalOf({ width: 600, height: 300 }),
    "looks.format_ratio has no value that fits a canvas of 600 × 300",
  );
});

test("padding is blamed for a crowded canvas only when there is some", () => {
  assert.equal(refusalOf({ width: 64, quiet_zone: 16 }), "accepted");
  assert.match(refusalOf({ width: 64, quiet_zone: 16, padding: 1 }), /^looks\.padding /);
  assert.equal(refusalOf({ width: 64, quiet_zone: 0, padding: 11 }), "accepted");
  assert.match(refusalOf({ width: 64, quiet_zone: 0, padding: 12 }), /^looks\.padding /);
});

test("the shorter side decides whether modules are large enough for a camera", () => {
  const wide = normalise({ format_ratio: "16:9", width: 160, quiet_zone: 0 });
  assertScannable(wide, 45);
  assert.throws(() => assertScannable(wide, 46), /^ApiError: qr_render_metadata\.width .*\b46 modules/);
});

test("colours must differ, the darker one in front", () => {
  const colours = (foreground_color: unknown, background_color: unknown) =>
    refusalOf({ foreground_color, background_color });
  assert.equal(colours("#000", "#fff"), "accepted");
  assert.match(colours("#fff", "#000"), /^looks\.foreground_color must not be lighter/);
  assert.match(colours("#777", "#777"), /^looks\.foreground_color must have a contrast of 3:1/);
  assert.match(colours(5, "#777"), /^qr_render_metadata\.foreground_color must be a colour/);
});

test("lengths are numbers, padding may be none and a side may not", () => {
  assert.match(refusalOf({ padding: "5" }), /^qr_render_metadata\.padding must be a number from 0 /);
  assert.match(refusalOf({ width: -1 }), /^qr_render_metadata\.width must be a number greater than 0 /);
});
