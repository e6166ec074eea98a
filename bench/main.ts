/** `npm run bench`: runs the benches that are asked for and prints one table. */
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { type BenchName, readArguments, usage } from "./arguments.ts";
import type { Bench, BenchContext } from "./bench.ts";
import { analytics } from "./benches/analytics.ts";
import { api } from "./benches/api.ts";
import { cluster } from "./benches/cluster.ts";
import { interference } from "./benches/interference.ts";
import { memory } from "./benches/memory.ts";
import { metrics } from "./benches/metrics.ts";
import { mongodb } from "./benches/mongodb.ts";
import { redirect } from "./benches/redirect.ts";
import { render } from "./benches/render.ts";
import { sqlite } from "./benches/sqlite.ts";
import { start } from "./benches/start.ts";
import { turns } from "./benches/turns.ts";
import { openMongoServer } from "./filling/database.ts";
import { findGenerator } from "./load/load.ts";
import { openPaces } from "./pace.ts";
import { findCores, pinSelf } from "./processes.ts";
import { type Figure, verdict } from "./report/figures.ts";
import { plot } from "./report/plot.ts";
import { openProgress } from "./report/progress.ts";
import { table } from "./report/table.ts";
import { undisturbed } from "./undisturbed.ts";
import { UsageError } from "./usage.ts";

const benches: Record<BenchName, Bench> = {
  redirect,
  interference,
  api,
  render,
  start,
  memory,
  turns,
  analytics,
  metrics,
  sqlite,
  mongodb,
  cluster,
};

/** Slices that may be measured again: a host that never leaves the machine alone must not make a run endless. */
const againMax = 100;
/** For how long a run may wait for cores that run as fast as they can, for the same reason. */
const patienceMs = 300_000;

async function main(args: string[]): Promise<void> {
  const options = readArguments(args, process.env);
  if (options === null) return void process.stdout.write(usage);

  const machine = `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const cores = findCores();
  pinSelf(cores.load);
  const generator = findGenerator(cores.load);
  const notes = new Set<string>();
  const note = (text: string) => void notes.add(text);
  if (options.isBrief) note("--quick leaves out what has no target; a bench that is named shows all it has");
  const given = process.env.MONGODB_URL || null;
  const mongodb = openMongoServer({ given, mayStart: !options.isBrief, note });
  const progress = openProgress(process.stderr);
  const paces = await openPaces(cores, options.isBrief ? 0 : patienceMs);
  const again = undisturbed(options.isBrief ? 0 : againMax, note, paces);
  const context: BenchContext = { options, cores, generator, mongodb, progress, note, undisturbed: again };
  const pinned =
    cores.server === null ? "not pinned" : `server on core ${cores.server}, load on core ${cores.load}`;
  const command = commandLine(args);
  console.log(
    `${machine}\nload by ${generator.name}, ${pinned}; rounds: ${options.rounds}, slices of ${options.seconds} s\n`,
  );

  const figures: Figure[] = [];
  const took: string[] = [];
  const began = performance.now();
  const secondsSince = (then: number) => Math.round((performance.now() - then) / 1_000);
  try {
    for (const name of options.benches) {
      const then = performance.now();
      figures.push(...(await benches[name](context)));
      took.push(`${name} ${secondsSince(then)}`);
    }
  } finally {
    paces.close();
    await mongodb.stop();
  }

  console.log(table(figures));
  console.log(`took ${secondsSince(began)} s: ${took.join(", ")}`);
  for (const text of notes) console.log(`note: ${text}`);
  if (options.jsonFile !== null) {
    const rows = figures.map((figure) => ({ ...figure, verdict: verdict(figure) }));
    const results = { command, machine, load: generator.name, pinned, notes: [...notes], figures: rows };
    await writeFile(options.jsonFile, `${JSON.stringify(results, null, 2)}\n`);
  }
  if (options.plotFile !== null) {
    await writeFile(options.plotFile, plot(figures, [`${machine}; load by ${generator.name}`, command]));
  }
}

/** What was asked for, as it may be published: without the key, and without where the results go. */
function commandLine(args: readonly string[]): string {
  const shown: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [, name, value] = /^--(key|json|plot|slugs)(=.*)?$/s.exec(args[at]!) ?? [];
    if (name === undefined) shown.push(args[at]!);
    else if (value === undefined) at++;
  }
  return ["npm run bench", ...(shown.length > 0 ? ["--", ...shown] : [])].join(" ");
}

main(process.argv.slice(2)).catch((cause: Error) => {
  const expected = cause instanceof UsageError;
  console.error(expected ? `qrelay bench: ${cause.message}; see --help` : cause);
  process.exit(expected ? 2 : 1);
});
