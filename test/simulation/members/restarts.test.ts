/** Members that are stopped and started again, one after the other, while clients go on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFound } from "../mutant-hunt.ts";
import { simulateRestarts } from "./members-world.ts";
import { restartMutants } from "./mutants.ts";

const seeds = 40;
const mutantSeeds = 200;

test(`${seeds} seeds: no request fails while members are stopped and started again`, async () => {
  for (let seed = 0; seed < seeds; seed++) {
    const { failure, evictions } = await simulateRestarts(seed);
    assert.equal(failure, null, `${failure}\nreplay it: npm run simulate -- --restarts --seed ${seed}`);
    assert.equal(evictions, 0, "nobody takes what is handed over");
  }
});

for (const [name, mutation] of Object.entries(restartMutants)) {
  test(`finds ${name} within ${mutantSeeds} seeds`, (t) =>
    assertFound(t, "restarts", name, mutantSeeds, (seed) => simulateRestarts(seed, { mutation })));
}
