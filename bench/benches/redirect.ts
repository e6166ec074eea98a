/** Redirects: how much of a bare server's speed is left when links are looked up, decided and counted. */
import { readFile } from "node:fs/promises";
import { openApi } from "../api-client.ts";
import { type Bench, type BenchContext, pairsPerRound } from "../bench.ts";
import { alternating, compare, compareThrough, interleave, type Slices, spread } from "../compare.ts";
import { alone, compared, type Figure, type Target } from "../figures.ts";
import { dataFolder, filledStore } from "../fill.ts";
import { slugAt } from "../links.ts";
import type { Load, LoadFigures } from "../load.ts";
import { type Program, processorSeconds, type Server, startServer } from "../processes.ts";
import { type LoadRequest, scanRequests } from "../requests.ts";
import { qrelay } from "../servers/qrelay.ts";
import { UsageError } from "../usage.ts";
import { visitAll } from "../visit.ts";

interface Contestant {
  name: string;
  program: Program;
  requests: LoadRequest[];
  load: Load;
  /** Of throughput and of the 99th percentile, both to the bare server. */
  reach?: number;
  latency?: number;
  /** By number of connections. */
  rounds: Map<number, Slices<LoadFigures>[]>;
}

const bench = "redirect";
const bare: Program = { script: "bench/servers/bare.ts" };
const fastifyTarget: Target = { of: "ratio", atLeast: 3 };
const busyLeast = 0.9;
const perSecond = (slice: LoadFigures) => slice.perSecond;
const p99 = (slice: LoadFigures) => slice.p99;

export const redirect: Bench = async (context) => {
  const { options, generator, progress } = context;
  if (options.target !== null) return redirectOnTarget(context, options.target);
  const { links, hot, rounds, connections } = options;
  const store = await filledStore({ links, withRules: hot }, progress);
  const data = await dataFolder(store, "shared");
  const plain = scanRequests(Array.from({ length: hot }, (_, at) => slugAt(at)));
  const ruled = scanRequests(Array.from({ length: hot }, (_, at) => slugAt(hot + at)));
  const plainLoad = await generator.prepare(plain);
  const ruledLoad = await generator.prepare(ruled);
  const onPlain = () => ({ requests: plain, load: plainLoad, rounds: new Map() });
  const env = { BENCH_LINKS: String(links) };
  const ours: Contestant = { name: "default", program: qrelay(data), ...onPlain(), reach: 0.8, latency: 1.5 };
  const fastify: Contestant = {
    name: "Fastify 5, Map",
    program: { script: "bench/servers/fastify.ts", env },
    ...onPlain(),
  };
  const contestants: Contestant[] = [
    ours,
    { name: "SCAN_SYNC=always", program: qrelay(data, { SCAN_SYNC: "always" }), ...onPlain(), reach: 0.6 },
    {
      name: "5 rules",
      program: qrelay(data),
      requests: ruled,
      load: ruledLoad,
      rounds: new Map(),
      reach: 0.7,
    },
    fastify,
    { name: "node:http, Map", program: { script: "bench/servers/node-http.ts", env }, ...onPlain() },
  ];
  try {
    const slices = contestants.length * rounds * connections.length * (2 * pairsPerRound + 1);
    progress.begin(bench, slices);
    for (const contestant of alternating(contestants, rounds)) await runRound(contestant, context);
    progress.end();
  } finally {
    await Promise.all([plainLoad.remove(), ruledLoad.remove(), data.remove()]);
  }
  return connections.flatMap((count) => [
    ...contestants.flatMap((contestant) => figuresOf(contestant, count)),
    againstPeer(ours, fastify, count),
  ]);
};

async function runRound(contestant: Contestant, context: BenchContext): Promise<void> {
  const { options, cores, progress } = context;
  const { name, program, requests, load, rounds } = contestant;
  const reference = await startServer(bare, cores.server);
  const server = await startServer(program, cores.server);
  try {
    await visitAll(reference.url, requests);
    await visitAll(server.url, requests);
    for (const connections of options.connections) {
      const slice = async ({ url }: Server) => {
        const figures = await load.slice(url, connections, options.seconds);
        progress.step(`${name}, ${connections} connections`);
        return figures;
      };
      const slices = await interleave(pairsPerRound, {
        reference: () => noteIdle(reference, context, () => slice(reference)),
        variant: () => slice(server),
      });
      rounds.set(connections, [...(rounds.get(connections) ?? []), slices]);
    }
  } finally {
    await Promise.all([reference.stop("kill"), server.stop()]);
  }
}

/** A reference that waits for its load makes everything slower look better than it is. */
async function noteIdle(
  { pid }: Server,
  { options, note }: BenchContext,
  slice: () => Promise<LoadFigures>,
): Promise<LoadFigures> {
  const before = processorSeconds(pid);
  const figures = await slice();
  const busy = (processorSeconds(pid) - before) / options.seconds;
  if (busy < busyLeast) {
    note("the bare server had no full core in some slices: the load or other programs held it back");
  }
  return figures;
}

function figuresOf({ name, rounds, reach, latency }: Contestant, connections: number): Figure[] {
  const slices = rounds.get(connections)!;
  const about = (what: string) => ({ bench, name: `${what}, ${name}, ${connections} connections` });
  return [
    compared(
      { ...about("redirects"), unit: "per second" },
      "bare uWS",
      compare(slices, perSecond),
      reach === undefined ? null : { of: "ratio", atLeast: reach },
    ),
    compared(
      { ...about("p99"), unit: "ms" },
      "bare uWS",
      compare(slices, p99),
      latency === undefined ? null : { of: "ratio", atMost: latency },
    ),
  ];
}

function againstPeer(ours: Contestant, peer: Contestant, connections: number): Figure {
  const comparison = compareThrough(ours.rounds.get(connections)!, peer.rounds.get(connections)!, perSecond);
  const name = `redirects, default, ${connections} connections`;
  return compared({ bench, name, unit: "per second" }, peer.name, comparison, fastifyTarget);
}

async function redirectOnTarget(
  { options, generator, progress }: BenchContext,
  url: string,
): Promise<Figure[]> {
  const slugs = await slugsOnTarget(url, options);
  const load = await generator.prepare(scanRequests(slugs), new URL(url).host);
  const figures: Figure[] = [];
  progress.begin(bench, options.connections.length * options.rounds);
  try {
    await visitAll(url, scanRequests(slugs));
    for (const connections of options.connections) {
      const slices: LoadFigures[] = [];
      for (let round = 0; round < options.rounds; round++) {
        slices.push(await load.slice(url, connections, options.seconds));
        progress.step(`${connections} connections`);
      }
      const about = (what: string) => ({
        bench,
        name: `${what}, ${slugs.length} links, ${connections} connections`,
      });
      figures.push(alone({ ...about("redirects"), unit: "per second" }, spread(slices.map(perSecond))));
      figures.push(alone({ ...about("p99"), unit: "ms" }, spread(slices.map(p99))));
    }
  } finally {
    progress.end();
    await load.remove();
  }
  return figures;
}

async function slugsOnTarget(
  url: string,
  { slugsFile, key, hot }: BenchContext["options"],
): Promise<string[]> {
  if (slugsFile !== null) {
    const slugs = (await readFile(slugsFile, "utf8")).split(/\s+/).filter((slug) => slug !== "");
    if (slugs.length === 0) throw new UsageError(`--slugs ${slugsFile} has no slug in it`);
    return slugs;
  }
  if (key === null) throw new UsageError("redirect on a target needs --slugs FILE or --key KEY");
  const api = openApi(url, key);
  try {
    const slugs = await api.slugs(hot);
    if (slugs.length === 0) throw new UsageError(`the account of --key has no rendered code on ${url}`);
    return slugs;
  } finally {
    api.close();
  }
}
