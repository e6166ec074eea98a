/** The hunt for a mutant: some seed has to show that something is wrong. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";

/**
 * Where mutants that are rarely found were found last, by world. The hunt begins there: from 0 it takes minutes, and
 * the rarest is in one seed of some hundreds. It tells when it had to go far.
 */
const foundLast: Readonly<Record<World, Readonly<Record<string, number>>>> = {
  process: {
    "scans put down in memory that dies with its process": 375,
  },
  members: {
    "a watch that goes on over looks that failed": 68,
    "a right from the answer to a renewal": 87,
    "a right on the steady clock alone": 129,
    "an owner that does not see who watches": 23,
    "no waiting after an eviction": 104,
  },
  cluster: {
    "a joiner that serves early": 98,
    "a retried limited scan": 17,
    "copies that outlive a deputy": 504,
    "a deputy that is not shut out": 108,
    "no waiting after an eviction": 35,
  },
  restarts: {},
};
const farTries = 20;

export type World = "process" | "members" | "cluster" | "restarts";

export async function assertFound(
  t: Pick<TestContext, "diagnostic">,
  world: World,
  name: string,
  seeds: number,
  run: (seed: number) => Promise<{ failure: string | null }>,
): Promise<void> {
  const first = foundLast[world][name] ?? 0;
  for (let tries = 0; tries < seeds; tries++) {
    const seed = first + tries;
    if ((await run(seed)).failure === null) continue;
    if (tries > farTries) t.diagnostic(`${world}: ${name}: found at ${seed}, sought from ${first}`);
    return;
  }
  assert.fail(`${name} was not found`);
}
