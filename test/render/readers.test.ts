/** Every picture is read by every reader that we can run: all dot styles, eyes, levels, sizes and contents. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readers } from "../support/pictures/readers.ts";
import { installed, readAll } from "../support/pictures/reading.ts";
import { nameOfCase, readingMatrix } from "../support/pictures/reading-matrix.ts";

test("every picture, as it is", async (t) => {
  const cases = readingMatrix();
  assert.equal(cases.length, 840);
  const { read } = await readAll(cases, null);
  for (const reader of readers) {
    const skip = installed.includes(reader) ? false : `${reader} is NOT TESTED: it is not installed here`;
    await t.test(`with ${reader}`, { skip }, () => {
      const missed = cases.map(nameOfCase).filter((name) => !read.get(reader)!.has(name));
      assert.deepEqual(missed, []);
    });
  }
});
