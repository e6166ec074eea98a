import assert from "node:assert/strict";
import { test } from "node:test";
import { base32, newId, randomText } from "../../src/runtime/ids.ts";
import { systemRandom } from "../../src/runtime/random.ts";

test("a random text has a character for each byte, of its five lowest bits", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  const expected = Array.from(bytes, (byte) => base32[byte % 32]).join("");
  for (const chars of [0, 1, 2, 9, 10, 255, 256]) {
    assert.equal(
      randomText(chars, (count) => bytes.slice(0, count)),
      expected.slice(0, chars),
    );
  }
});

test("ids are in the order of their moments, and differ within one", () => {
  const moments = [0, 1, 31, 32, 1_760_000_000_000, 1_760_000_000_001, 1_760_000_000_001, 2 ** 50 - 1];
  const ids = moments.map((now) => newId("qr", now, systemRandom));
  assert.deepEqual(
    [...ids].sort((a, b) => (a.slice(0, 13) < b.slice(0, 13) ? -1 : 1)),
    ids,
  );
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^qr_[0-9a-hjkmnp-tv-z]{22}$/);
  // Going back, as a clock may.
  assert.equal(newId("qr", 31, systemRandom).slice(0, 13), "qr_000000000z");
});
