/** Runs the deterministic simulation; see `--help`. */
import { type Mutation, mutants } from "../test/simulation/mutants.ts";
import { type Run, simulate } from "../test/simulation/world.ts";
import { readCommandLine, refuseCommandLine } from "./command-line.ts";

const tailLines = 200;
const barChars = 30;

const usage = `usage: npm run simulate -- [options]

Runs the whole service on a simulated clock, disk and store, with crashes, and holds every answer against what is stored.
  --seeds N      how many seeds to run (1000)
  --from N       the first of them (0)
  --seed N       replays one seed and tells what happened in it
  --mutant NAME  puts one of the deliberate faults in: the exit code is 1 when it is found
  --help         show this text`;

const { values } = readCommandLine("simulate", usage, {
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "0" },
    mutant: { type: "string" },
  },
});

const mutation = mutationOf(values.mutant);
if (values.seed === undefined) await runMany(wholeNumber("from"), wholeNumber("seeds"));
else await replay(wholeNumber("seed"));

async function replay(seed: number): Promise<void> {
  const run = await simulate(seed, { mutation, tailLines });
  for (const line of run.tail) console.log(line);
  console.log(`${run.requests} requests, ${run.scans} scans, ${run.crashes} crashes, digest ${run.digest}`);
  conclude(run);
}

async function runMany(from: number, count: number): Promise<void> {
  const began = performance.now();
  let crashes = 0;
  const perSecond = (done: number) => Math.round((done * 1000) / (performance.now() - began));
  for (let done = 1; done <= count; done++) {
    const run = await simulate(from + done - 1, { mutation });
    crashes += run.crashes;
    if (process.stderr.isTTY)
      process.stderr.write(`\r${bar(done / count)} ${done} of ${count}, ${perSecond(done)} seeds/s `);
    if (run.failure === null) continue;
    if (process.stderr.isTTY) process.stderr.write("\n");
    conclude(run);
    return;
  }
  if (process.stderr.isTTY) process.stderr.write("\n");
  console.log(`${count} seeds, ${crashes} crashes, ${perSecond(count)} seeds/s: nothing is wrong`);
}

function conclude({ seed, failure }: Run): void {
  if (failure === null) return;
  const mutant = values.mutant === undefined ? "" : ` --mutant "${values.mutant}"`;
  console.error(`seed ${seed} fails: ${failure}\nreplay it: npm run simulate -- --seed ${seed}${mutant}`);
  process.exitCode = 1;
}

function bar(share: number): string {
  const full = Math.floor(share * barChars);
  return `[${"=".repeat(full)}${" ".repeat(barChars - full)}]`;
}

function wholeNumber(name: "seed" | "seeds" | "from"): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  return refuseCommandLine("simulate", `--${name} must be a whole number, 0 or more`);
}

function mutationOf(name: string | undefined): Mutation {
  if (name === undefined) return {};
  const found = mutants[name];
  if (found !== undefined) return found;
  return refuseCommandLine("simulate", `--mutant must be one of: ${Object.keys(mutants).join(", ")}`);
}
