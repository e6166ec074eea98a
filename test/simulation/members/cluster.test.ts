/** Members that all serve, on a network that delays and loses what they tell each other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFound } from "../mutant-hunt.ts";
import { simulateCluster } from "./members-world.ts";
import { clusterMutants } from "./mutants.ts";

const seeds = 60;
const mutantSeeds = 200;

test(`${seeds} seeds: no member leads to an old target, limits hold over all, and every scan is counted once`, async () => {
  let evictions = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const run = await simulateCluster(seed);
    evictions += run.evictions;
    assert.equal(
      run.failure,
      null,
      `${run.failure}\nreplay it: npm run simulate -- --cluster --seed ${seed}`,
    );
  }
  assert.ok(evictions > seeds / 2, `only ${evictions} evictions`);
});

test("a seed always gives the same run of a cluster", async () => {
  for (const seed of [1, 2]) {
    const [first, second] = [await simulateCluster(seed), await simulateCluster(seed)];
    assert.ok(first.requests > 10);
    assert.deepEqual(first, second);
  }
});

for (const [name, mutation] of Object.entries(clusterMutants)) {
  test(`finds ${name} in a cluster within ${mutantSeeds} seeds`, (t) =>
    assertFound(t, "cluster", name, mutantSeeds, (seed) => simulateCluster(seed, { mutation })));
}
