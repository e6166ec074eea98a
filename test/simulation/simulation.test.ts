import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFound } from "./mutant-hunt.ts";
import { mutants } from "./mutants.ts";
import { simulate } from "./world.ts";

const seeds = 200;

test(`${seeds} seeds: what was answered is stored, exactly once, over faults and crashes`, async () => {
  let crashes = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const run = await simulate(seed);
    crashes += run.crashes;
    assert.equal(run.failure, null, `${run.failure}\nreplay it: npm run simulate -- --seed ${seed}`);
  }
  assert.ok(crashes > seeds / 2, `only ${crashes} crashes`);
});

test("a seed always gives the same run", async () => {
  for (const seed of [1, 2, 3, 5, 8, 13, 21, 34]) {
    const [first, second] = [await simulate(seed), await simulate(seed)];
    assert.ok(first.requests > 10);
    assert.deepEqual(first, second);
  }
});

for (const [name, mutation] of Object.entries(mutants)) {
  test(`finds ${name} within ${seeds} seeds`, (t) =>
    assertFound(t, "process", name, seeds, (seed) => simulate(seed, { mutation })));
}
