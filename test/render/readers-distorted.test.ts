/**
 * Readers meet pictures out of focus, held askew, compressed and shrunk. Then even the plain one, all square, is
 * not always read; where a reader does read it, it reads at least 99 of 100 in the other styles. A seeded tenth of
 * the matrix is tried, all of it with `RENDER_ALL=1`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "../golden/seeded.ts";
import { dotStyles } from "../golden/styles.ts";
import { distortions } from "../support/pictures/distortions.ts";
import { readers } from "../support/pictures/readers.ts";
import { installed, readAll, score } from "../support/pictures/reading.ts";
import { type Case, nameOfCase, plainOf, readingMatrix } from "../support/pictures/reading-matrix.ts";

const everything = process.env.RENDER_ALL === "1";
/** Of a hundred pictures; in a sample, one may be unlucky. */
const missedOfHundred = 1;

function sample(matrix: Case[], seed: number): Case[] {
  const random = seeded(seed);
  return everything ? matrix : matrix.filter(() => random.next() < 0.1);
}

for (const [seed, distortion] of distortions.entries()) {
  test(`${everything ? "every picture" : "a tenth of the pictures"} after ${distortion}`, async (t) => {
    const cases = sample(readingMatrix(), seed);
    const withPlain = new Map([...cases.map(plainOf), ...cases].map((one) => [nameOfCase(one), one]));
    const readings = await readAll([...withPlain.values()], distortion);
    for (const reader of readers) {
      const skip = installed.includes(reader) ? false : `${reader} is NOT TESTED: it is not installed here`;
      await t.test(`with ${reader}`, { skip }, (inner) => {
        for (const style of dotStyles) {
          const ofStyle = cases.filter(({ metadata }) => metadata.dot_style === style);
          const { counted, missed } = score(ofStyle, readings, reader);
          const given = ofStyle.filter((one) => readings.given.has(nameOfCase(one))).length;
          inner.diagnostic(
            `${style}: misses ${missed.length} of ${counted}; plain missed: ${given - counted}`,
          );
        }
        const { counted, missed } = score(cases, readings, reader);
        const allowed = Math.max(1, Math.floor((counted * missedOfHundred) / 100));
        assert.ok(missed.length <= allowed, `of ${counted}: ${missed.join("; ")}`);
      });
    }
  });
}
