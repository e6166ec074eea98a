/** Degrees as people type and paste them into the form of a place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bothIn, degreesIn } from "../../../../src/dashboard/screens/new-code/content/coordinates.ts";

test("one number, with a point or a comma", () => {
  assert.equal(degreesIn("52.52"), 52.52);
  assert.equal(degreesIn(" 52,52 "), 52.52);
  assert.equal(degreesIn("-0.5"), -0.5);
  assert.equal(degreesIn("+7"), 7);
  assert.equal(degreesIn("52."), 52);
  for (const text of ["", "-", "north", "1e3", "1.2.3", "52° 31'"]) assert.equal(degreesIn(text), null, text);
});

test("both at once, as maps copy them", () => {
  for (const text of ["52.52, 13.405", "52.52,13.405", " 52.52 13.405 ", "52.52;13.405", "52.52 ; 13.405"]) {
    assert.deepEqual(bothIn(text), ["52.52", "13.405"], text);
  }
  assert.deepEqual(bothIn("-33, -70"), ["-33", "-70"]);
});

test("one number that is being typed is no pair", () => {
  for (const text of ["52,52", "52", "52.", "52.52,", "52,", "", "1, 2, 3", "a, b"]) {
    assert.equal(bothIn(text), null, text);
  }
});
