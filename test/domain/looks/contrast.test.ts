import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, luminance, normaliseColour } from "../../../src/domain/looks/render-metadata.ts";

test("colours are kept in one spelling", () => {
  assert.equal(normaliseColour("#AbC"), "#aabbcc");
  assert.equal(normaliseColour("#A1b2C3"), "#a1b2c3");
  assert.equal(normaliseColour("#09f"), "#0099ff");
});

/** Figures of the WCAG's own definition, worked out apart. */
const known: [colour: string, luminance: number][] = [
  ["#000000", 0],
  ["#ffffff", 1],
  ["#ff0000", 0.2126],
  ["#00ff00", 0.7152],
  ["#0000ff", 0.0722],
  ["#808080", 0.215861],
  ["#0a0a0a", 0.003035],
  ["#0b0b0b", 0.003347],
  ["#123456", 0.032565],
];

test("luminance is that of WCAG 2", () => {
  for (const [colour, expected] of known) {
    assert.ok(Math.abs(luminance(colour) - expected) < 0.000_001, `${colour}: ${luminance(colour)}`);
  }
});

test("contrast runs from 1 to 21, whichever colour comes first", () => {
  assert.ok(Math.abs(contrast("#000000", "#ffffff") - 21) < 1e-9);
  assert.ok(Math.abs(contrast("#ffffff", "#000000") - 21) < 1e-9);
  assert.equal(contrast("#336699", "#336699"), 1);
  assert.ok(Math.abs(contrast("#777777", "#ffffff") - 4.478) < 0.001);
});
