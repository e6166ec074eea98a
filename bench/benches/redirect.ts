/** Redirects: how much of a bare server's speed is left when links are looked up, decided and counted. */
import { readFile } from "node:fs/promises";
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { type BenchedEngine, enginesOf } from "../engines.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { slugAt } from "../filling/links.ts";
import type { TemporaryFolder } from "../filling/temporary.ts";
import { openApi } from "../load/api-client.ts";
import { type Load, type LoadFigures, openConnectionsLoad } from "../load/load.ts";
import { type LoadRequest, scanRequests } from "../load/requests.ts";
import { visitAll } from "../load/visit.ts";
import { warmthOf, warmUp } from "../load/warm-up.ts";
import { type Program, processorSeconds, type Server, startServers } from "../processes.ts";
import { alternating, compare, compareThrough, type Slices, spread } from "../report/compare.ts";
import { alone, compared, type Figure, type Target } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";
import { UsageError } from "../usage.ts";

interface Contestant {
  name: string;
  /** Whose bare server it is measured against. */
  engine: BenchedEngine;
  program: Program;
  requests: LoadRequest[];
  load: Load;
  openLoad: Load;
  /** Of throughput and of the 99th percentile, both to the bare server. */
  reach?: number;
  /** With many connections; as `reach` where it is not given. */
  reachOfMany?: number;
  latency?: number;
  /** By number of connections. */
  rounds: Rounds;
  /** The same on connections that are open already, for the engine whose tail wrk cannot tell. */
  openRounds: Rounds;
}

type Rounds = Map<number, Slices<LoadFigures>[]>;

/** What an engine is measured with and held to. */
interface Field {
  ours: Contestant;
  peer: Contestant;
  peerTarget: Target;
  others: Contestant[];
}

interface Scanned {
  requests: LoadRequest[];
  load: Load;
  openLoad: Load;
}

const bench = "redirect";
const busyLeast = 0.9;
const perSecond = (slice: LoadFigures) => slice.perSecond;
const p99 = (slice: LoadFigures) => slice.p99;

/** At least, and for the 99th percentile at most, so much of the bare server's; and of Fastify's throughput. */
const targets = {
  uws: { reach: 0.8, reachOfMany: 0.88, latency: 1.5, synced: 0.6, ruled: 0.7, peer: 3 },
  node: { reach: 1.15, reachOfMany: 1.15, latency: 1.2, synced: undefined, ruled: undefined, peer: 1.5 },
} as const;

/** From so many connections on `reachOfMany` is asked for. */
const many = 256;

const withoutParser = ["bench/servers/no-parser.ts"];

export const redirect: Bench = async (context) => {
  const { options, generator, progress } = context;
  if (options.target !== null) return redirectOnTarget(context, options.target);
  const { links, hot, rounds, connections } = options;
  const store = await filledStore({ links, withRules: hot }, progress);
  const data = await dataFolder(store, "shared");
  const scanned = async (from: number): Promise<Scanned> => {
    const requests = scanRequests(Array.from({ length: hot }, (_, at) => slugAt(from + at)));
    return {
      requests,
      load: await generator.prepare(requests),
      openLoad: await openConnectionsLoad(requests, context.cores.load),
    };
  };
  const plain = await scanned(0);
  const ruled = await scanned(hot);
  const fields = enginesOf(context)
    .map((engine) => fieldOf(engine, data, links, plain, ruled))
    .map((field) => (options.isBrief ? withTargets(field) : field));
  const contestants = fields.flatMap(({ ours, peer, others }) => [ours, ...others, peer]);
  try {
    const measures = contestants.length + contestants.filter(needsOpenConnections).length;
    const slices = measures * rounds * connections.length * (2 * options.pairs + 1);
    progress.begin(bench, slices);
    for (const contestant of alternating(contestants, rounds)) await runRound(contestant, context);
    progress.end();
  } finally {
    const loads = [plain, ruled].flatMap(({ load, openLoad }) => [load, openLoad]);
    await Promise.all([...loads, data].map((temporary) => temporary.remove()));
  }
  return fields.flatMap((field) =>
    connections.flatMap((count) => [
      ...[field.ours, ...field.others, field.peer].flatMap((contestant) => figuresOf(contestant, count)),
      againstPeer(field, count),
    ]),
  );
};

function fieldOf(
  engine: BenchedEngine,
  data: TemporaryFolder,
  links: number,
  plain: Scanned,
  ruled: Scanned,
): Field {
  const { reach, reachOfMany, latency, synced, ruled: ruledReach, peer } = targets[engine.name];
  const entrant = (name: string, program: Program, scanned: Scanned): Contestant => ({
    name,
    engine,
    program,
    ...scanned,
    rounds: new Map(),
    openRounds: new Map(),
  });
  const own = (env: Record<string, string> = {}) => qrelay(data, { HTTP_ENGINE: engine.name, ...env });
  const withLinks = (script: string): Program => ({ script, env: { BENCH_LINKS: String(links) } });
  return {
    ours: { ...entrant("default", own(), plain), reach, reachOfMany, latency },
    peer: entrant("Fastify 5, Map", withLinks("bench/servers/fastify.ts"), plain),
    peerTarget: { of: "ratio", atLeast: peer },
    others: [
      { ...entrant("SCAN_SYNC=always", own({ SCAN_SYNC: "always" }), plain), reach: synced },
      { ...entrant("5 rules", own(), ruled), reach: ruledReach },
      entrant("node:http, Map", withLinks("bench/servers/node-http.ts"), plain),
      engine.name === "uws"
        ? entrant("least", withLinks("bench/servers/least-uws.ts"), plain)
        : {
            ...entrant("documented interface", { ...own(), preloads: withoutParser }, plain),
            reach: 0.85,
          },
    ],
  };
}

function withTargets(field: Field): Field {
  return { ...field, others: field.others.filter(({ reach }) => reach !== undefined) };
}

async function runRound(contestant: Contestant, context: BenchContext): Promise<void> {
  const { options, cores, progress } = context;
  const { name, engine, program, requests, load, openLoad, rounds, openRounds } = contestant;
  const [reference, server] = await startServers([engine.bare(), program], cores.server);
  const slices = (by: Load, connections: number) => {
    const slice = async ({ url }: Server) => {
      const figures = await by.slice(url, connections, options.seconds);
      progress.step(`${engine.name}, ${name}, ${connections} connections`);
      return figures;
    };
    return interleaved(context, {
      reference: () => noteIdle(reference, context, () => slice(reference)),
      variant: () => slice(server),
    });
  };
  try {
    await Promise.all([reference, server].map(({ url }) => visitAll(url, requests)));
    for (const { url } of [reference, server]) {
      await warmUp(load, url, options.connections[0]!, warmthOf(options));
    }
    for (const connections of options.connections) {
      add(rounds, connections, await slices(load, connections));
      if (needsOpenConnections(contestant)) add(openRounds, connections, await slices(openLoad, connections));
    }
  } finally {
    await Promise.all([reference.stop("kill"), server.stop("kill")]);
  }
}

function add(rounds: Rounds, connections: number, slices: Slices<LoadFigures>): void {
  rounds.set(connections, [...(rounds.get(connections) ?? []), slices]);
}

function needsOpenConnections({ engine, latency }: Contestant): boolean {
  return engine.name === "node" && latency !== undefined;
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

function figuresOf(contestant: Contestant, connections: number): Figure[] {
  const { name, engine, rounds, openRounds, latency } = contestant;
  const { reachOfMany = contestant.reach } = contestant;
  const reach = connections < many ? contestant.reach : reachOfMany;
  const isOpen = needsOpenConnections(contestant);
  const suffix = `${name}, ${connections} connections`;
  return [
    compared(
      { bench, name: `redirects, ${suffix}`, unit: "per second" },
      engine.bareName,
      compare(rounds.get(connections)!, perSecond),
      reach === undefined ? null : { of: "ratio", atLeast: reach },
    ),
    compared(
      { bench, name: `p99, ${suffix}${isOpen ? " that are open" : ""}`, unit: "ms" },
      engine.bareName,
      compare((isOpen ? openRounds : rounds).get(connections)!, p99),
      latency === undefined ? null : { of: "ratio", atMost: latency },
    ),
  ];
}

function againstPeer({ ours, peer, peerTarget }: Field, connections: number): Figure {
  const comparison = compareThrough(ours.rounds.get(connections)!, peer.rounds.get(connections)!, perSecond);
  const name = `redirects on ${ours.engine.name}, default, ${connections} connections`;
  return compared({ bench, name, unit: "per second" }, peer.name, comparison, peerTarget);
}

async function redirectOnTarget(
  { options, generator, progress }: BenchContext,
  url: string,
): Promise<Figure[]> {
  const slugs = await slugsOnTarget(url, options);
  const load = await generator.prepare(scanRequests(slugs), { host: new URL(url).host });
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
