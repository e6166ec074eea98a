import assert from "node:assert/strict";
import { test } from "node:test";
import { systemRandom } from "../../src/runtime/random.ts";

test("no bytes are given twice, over any number of refills", () => {
  const seen = new Set<string>();
  for (let n = 0; n < 10_000; n++) seen.add(Buffer.from(systemRandom(10)).toString("hex"));
  assert.equal(seen.size, 10_000);
});

test("what was given stays as it was, whatever is asked for next", () => {
  const first = systemRandom(16);
  const text = Buffer.from(first).toString("hex");
  for (let n = 0; n < 1_000; n++) systemRandom(16);
  assert.equal(Buffer.from(first).toString("hex"), text);
});

test("any length, and every value of a byte", () => {
  assert.deepEqual(
    [0, 1, 4_096, 10_000].map((bytes) => systemRandom(bytes).length),
    [0, 1, 4_096, 10_000],
  );
  assert.equal(new Set(systemRandom(100_000)).size, 256);
});
