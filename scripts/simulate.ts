/** Runs the deterministic simulation; see `--help`. */
import {
  simulateCluster,
  simulateMembers,
  simulateRestarts,
} from "../test/simulation/members/members-world.ts";
import { clusterMutants, membersMutants, restartMutants } from "../test/simulation/members/mutants.ts";
import { mutants } from "../test/simulation/mutants.ts";
import { simulate } from "../test/simulation/world.ts";
import { readCommandLine, refuseCommandLine } from "./command-line.ts";

const tailLines = 200;
const barChars = 30;

const usage = `usage: npm run simulate -- [options]

Runs the whole service on a simulated clock, disk and store, with crashes, and holds every answer against what is stored.
  --seeds N      how many seeds to run (1000)
  --from N       the first of them (0)
  --seed N       replays one seed and tells what happened in it
  --members      several processes on one database, paused, cut off and killed, instead of one that dies anywhere
  --cluster      the same, all of them serving and connected with each other
  --restarts     the same, each of them stopped and started again and nothing else: no request may fail
  --mutant NAME  puts one of the deliberate faults in: the exit code is 1 when it is found
  --help         show this text`;

const { values } = readCommandLine("simulate", usage, {
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "0" },
    mutant: { type: "string" },
    members: { type: "boolean", default: false },
    cluster: { type: "boolean", default: false },
    restarts: { type: "boolean", default: false },
  },
});

const worlds = {
  restarts: () => runnerOf(simulateRestarts, restartMutants),
  cluster: () => runnerOf(simulateCluster, clusterMutants),
  members: () => runnerOf(simulateMembers, membersMutants),
};
const chosen = (Object.keys(worlds) as (keyof typeof worlds)[]).find((name) => values[name]);
const world = chosen === undefined ? "" : ` --${chosen}`;
const run = chosen === undefined ? runnerOf(simulate, mutants) : worlds[chosen]();
if (values.seed === undefined) await runMany(wholeNumber("from"), wholeNumber("seeds"));
else await replay(wholeNumber("seed"));

async function replay(seed: number): Promise<void> {
  const { tail, ...told } = await run(seed, tailLines);
  for (const line of tail) console.log(line);
  console.log(`${told.requests} requests, ${told.scans} scans, ${changesOf(told)}, digest ${told.digest}`);
  conclude(told);
}

async function runMany(from: number, count: number): Promise<void> {
  const began = performance.now();
  let changes = { crashes: 0, evictions: 0 };
  const perSecond = (done: number) => Math.round((done * 1000) / (performance.now() - began));
  for (let done = 1; done <= count; done++) {
    const { failure, seed, crashes = 0, evictions = 0 } = await run(from + done - 1, 0);
    changes = { crashes: changes.crashes + crashes, evictions: changes.evictions + evictions };
    if (process.stderr.isTTY)
      process.stderr.write(`\r${bar(done / count)} ${done} of ${count}, ${perSecond(done)} seeds/s `);
    if (failure === null) continue;
    if (process.stderr.isTTY) process.stderr.write("\n");
    conclude({ seed, failure });
    return;
  }
  if (process.stderr.isTTY) process.stderr.write("\n");
  console.log(`${count} seeds, ${changesOf(changes)}, ${perSecond(count)} seeds/s: nothing is wrong`);
}

function changesOf({ crashes = 0, evictions = 0 }: Pick<Told, "crashes" | "evictions">): string {
  return world === "" ? `${crashes} crashes` : `${evictions} evictions`;
}

function conclude({ seed, failure }: Pick<Told, "seed" | "failure">): void {
  if (failure === null) return;
  const mutant = values.mutant === undefined ? "" : ` --mutant "${values.mutant}"`;
  console.error(
    `seed ${seed} fails: ${failure}\nreplay it: npm run simulate --${world} --seed ${seed}${mutant}`,
  );
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

interface Told {
  seed: number;
  failure: string | null;
  digest: string;
  requests: number;
  scans: number;
  crashes?: number;
  evictions?: number;
  tail: string[];
}

function runnerOf<M extends object>(
  simulate: (seed: number, options: { mutation?: M; tailLines: number }) => Promise<Told>,
  mutants: Readonly<Record<string, M>>,
): (seed: number, tailLines: number) => Promise<Told> {
  const { mutant } = values;
  if (mutant === undefined) return (seed, tailLines) => simulate(seed, { tailLines });
  const mutation = mutants[mutant];
  if (mutation !== undefined) return (seed, tailLines) => simulate(seed, { mutation, tailLines });
  return refuseCommandLine("simulate", `--mutant must be one of: ${Object.keys(mutants).join(", ")}`);
}
