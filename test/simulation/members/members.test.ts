import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFound } from "../mutant-hunt.ts";
import { simulateMembers } from "./members-world.ts";
import { membersMutants } from "./mutants.ts";

const seeds = 100;
const mutantSeeds = 200;

test(`${seeds} seeds: whoever answers, nobody is led to an old target, and every scan is counted once`, async () => {
  let evictions = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const run = await simulateMembers(seed);
    evictions += run.evictions;
    assert.equal(
      run.failure,
      null,
      `${run.failure}\nreplay it: npm run simulate -- --members --seed ${seed}`,
    );
  }
  assert.ok(evictions > seeds, `only ${evictions} evictions`);
});

test("a seed always gives the same run of members", async () => {
  for (const seed of [1, 2, 3, 5]) {
    const [first, second] = [await simulateMembers(seed), await simulateMembers(seed)];
    assert.ok(first.requests > 10);
    assert.deepEqual(first, second);
  }
});

for (const [name, mutation] of Object.entries(membersMutants)) {
  test(`finds ${name} within ${mutantSeeds} seeds`, (t) =>
    assertFound(t, "members", name, mutantSeeds, (seed) => simulateMembers(seed, { mutation })));
}
