/**
 * Tells, whenever it gets a line, how fast the core that it is pinned to runs: steps of arithmetic in a few milliseconds.
 * Nothing of it leaves the core's own caches, so nothing but the core's speed makes a difference.
 */
const lookMs = 10;
const warmUps = 30;
const stepsAtATime = 10_000;
const numbers = new Float64Array(64);

function pace(): number {
  let steps = 0;
  const began = performance.now();
  let took = 0;
  do {
    for (let at = 0; at < stepsAtATime; at++) numbers[at & 63]! += Math.imul(at, steps) * 1.0001;
    steps += stepsAtATime;
    took = performance.now() - began;
  } while (took < lookMs);
  return steps / took;
}

for (let at = 0; at < warmUps; at++) pace();
process.stdin.on("data", () => process.stdout.write(`${pace()}\n`));
