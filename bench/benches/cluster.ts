/**
 * What it costs to be a member of a cluster, and what a second member gives. Members are processes on a MongoDB; where there
 * is none they are in one process, on a database in memory (`servers/members.ts`).
 */
import type { Bench, BenchContext } from "../bench.ts";
import { enginesOf } from "../engines.ts";
import { accounts, codeId, keyOf, slugAt } from "../filling/links.ts";
import { findGenerator, type Load, type LoadFigures } from "../load/load.ts";
import { apiRequest, type LoadRequest, scanRequests } from "../load/requests.ts";
import { visitAll } from "../load/visit.ts";
import { type Members, membersInMemory, membersOnMongo, type StartMembers } from "../members.ts";
import { type Core, processorSeconds, type Server } from "../processes.ts";
import { compare, interleave, type Slices } from "../report/compare.ts";
import { compared, type Figure, type Target } from "../report/figures.ts";

interface Side {
  /** 0 with `CLUSTER=off`. */
  members: number;
  /** By default the one that decides. */
  asked?: "another";
}

interface Case {
  name: string;
  requests: LoadRequest[];
  ours: Side;
  reference: Side & { name: string };
  target: Target | null;
  rounds: Slices<LoadFigures>[];
  /** The same from one connection, for how long a call takes whoever waits for it. */
  singleRounds: Slices<LoadFigures>[];
}

interface Setting {
  context: BenchContext;
  engine: string;
  start: StartMembers;
  isReal: boolean;
}

const bench = "cluster";
const links = 2_000;
const codesAsked = 20;
const warmSeconds = 1;
const perSecond = (slice: LoadFigures) => slice.perSecond;
const p50 = (slice: LoadFigures) => slice.p50;

function scans(): LoadRequest[] {
  return scanRequests(Array.from({ length: links / 2 }, (_, at) => slugAt(at)));
}

function cases(): Case[] {
  const key = keyOf(accounts.few);
  const paths = Array.from({ length: codesAsked }, (_, at) => `/v1/qr-codes/${codeId(links - 1 - at)}`);
  const changes = paths.map((path, at) =>
    apiRequest(key, path, { redirect_url: `https://shop.example.com/changed/${at}` }, "PATCH"),
  );
  const alone = { members: 1, name: "no other member" };
  const all: Omit<Case, "rounds" | "singleRounds">[] = [
    {
      name: "redirects of one member",
      requests: scans(),
      ours: { members: 1 },
      reference: { members: 0, name: "CLUSTER=off" },
      target: { of: "ratio", atLeast: 0.97 },
    },
    {
      name: "reads of one code, handed on",
      requests: paths.map((path) => apiRequest(key, path)),
      ours: { members: 2, asked: "another" },
      reference: { members: 2, name: "where it is decided" },
      target: null,
    },
    {
      name: "changes of a target, 1 other member",
      requests: changes,
      ours: { members: 2 },
      reference: alone,
      target: null,
    },
    {
      name: "changes of a target, 2 other members",
      requests: changes,
      ours: { members: 3 },
      reference: alone,
      target: null,
    },
  ];
  return all.map((each) => ({ ...each, rounds: [], singleRounds: [] }));
}

const areScans = ({ requests }: Case) => !requests[0]!.path.startsWith("/v1/");

export const cluster: Bench = async (context) => {
  const { options, progress, note, mongodb, cores } = context;
  const [engine] = enginesOf(context);
  if (engine === undefined) return [];
  const url = await mongodb.url();
  const isReal = url !== null;
  const start = isReal
    ? membersOnMongo(url, links, engine.name, progress)
    : membersInMemory(links, engine.name);
  const setting: Setting = { context, engine: engine.name, start, isReal };
  const all = cases().filter(({ target }) => target !== null || !options.isBrief);
  progress.begin(bench, all.length * options.rounds);
  for (let round = 0; round < options.rounds; round++) await runRound(all, setting);
  progress.end();
  const figures = all.flatMap((each) => figuresOf(each, setting));
  if (!isReal) {
    note(`cluster: all members of a server were in one process, on a database in memory: ${mongodb.missing}`);
    note("cluster: two members on a core each are left out, they need MongoDB");
    return figures;
  }
  note("cluster: members were processes on one core, but for those on a core each");
  if (cores.server === null) return figures;
  return [...figures, ...(await onACoreEach(setting))];
};

/** Clusters of every size beside each other, each case on those it needs. */
async function runRound(all: readonly Case[], setting: Setting): Promise<void> {
  const { context, start } = setting;
  const sizes = new Set(all.flatMap(({ ours, reference }) => [ours.members, reference.members]));
  const clusters = new Map<number, Members>();
  for (const size of sizes) clusters.set(size, await start(size, [context.cores.server]));
  for (const each of all) {
    await measured(each, clusters, setting);
    context.progress.step(each.name);
  }
  await Promise.all([...clusters.values()].map((members) => members.stop()));
}

async function measured(
  each: Case,
  clusters: ReadonlyMap<number, Members>,
  { context, isReal }: Setting,
): Promise<void> {
  const { options, generator } = context;
  const connections = options.connections[0]!;
  const load = await generator.prepare(each.requests);
  const [reference, ours] = [each.reference, each.ours].map((side) => askedOf(side, clusters).url);
  const slices = (count: number) =>
    interleave(options.pairs, {
      reference: () => load.slice(reference!, count, options.seconds),
      variant: () => load.slice(ours!, count, options.seconds),
    });
  for (const url of [reference!, ours!]) {
    if (areScans(each)) await visitAll(url, each.requests);
    await load.slice(url, connections, warmSeconds);
  }
  each.rounds.push(await slices(connections));
  if (isReal && !areScans(each)) each.singleRounds.push(await slices(1));
  await load.remove();
}

function askedOf({ members, asked }: Side, clusters: ReadonlyMap<number, Members>): Server {
  const { decider, others } = clusters.get(members)!;
  return asked === "another" ? others[0]! : decider;
}

function figuresOf(each: Case, { context, engine }: Setting): Figure[] {
  const { name, rounds, singleRounds, reference, target } = each;
  const connections = context.options.connections[0]!;
  const about = {
    bench,
    name: `${name}, ${connections} connections, ${engine}`,
    unit: "per second",
  } as const;
  const figures = [compared(about, reference.name, compare(rounds, perSecond), target)];
  if (singleRounds.length === 0) return figures;
  const single = { bench, name: `p50, ${name}, 1 connection, ${engine}`, unit: "ms" } as const;
  return [...figures, compared(single, reference.name, compare(singleRounds, p50))];
}

interface CoreSlice {
  perSecond: number;
  /** Of the members' processor time, a redirect. */
  microseconds: number;
}

/**
 * Two members on a core each, each loaded from its own core: one of them alone, and both at the same time. On two cores a load
 * takes from the members whatever is done; here it takes the same part of each core. So two do twice as much as one
 * where they do not hold each other up, and what a member does that has a core for itself is not to be seen.
 */
async function onACoreEach({ context, engine, start }: Setting): Promise<Figure[]> {
  const { options, cores, note, progress } = context;
  const requests = scans();
  const own: [Core, Core] = [cores.server, cores.load];
  const loads = await Promise.all(own.map((core) => findGenerator(core).prepare(requests)));
  const rounds: Slices<CoreSlice>[] = [];
  progress.begin("a core each", options.rounds);
  for (let round = 0; round < options.rounds; round++) {
    const members = await start(2, own);
    const slice = (count: number, seconds: number) =>
      loadedBeside(members.all.slice(0, count), loads, options.connections[0]!, seconds);
    for (const { url } of members.all) await visitAll(url, requests);
    await slice(2, warmSeconds);
    rounds.push(
      await interleave(options.pairs, {
        reference: () => slice(1, options.seconds),
        variant: () => slice(2, options.seconds),
      }),
    );
    await members.stop();
    progress.step();
  }
  progress.end();
  await Promise.all(loads.map((load) => load.remove()));
  note(
    "cluster: of two members on a core each, both shared their core with their load, and one with MongoDB as well: " +
      "that they do not hold each other up can be seen, and not what each does with a core for itself",
  );
  const name = `redirects of two members on a core each, ${options.connections[0]} connections each, ${engine}`;
  const reference = "one of them";
  const time = { bench, name: `processor time, ${name}`, unit: "µs" } as const;
  return [
    compared(
      { bench, name, unit: "per second" },
      reference,
      compare(rounds, (slice) => slice.perSecond),
    ),
    compared(
      time,
      reference,
      compare(rounds, (slice) => slice.microseconds),
    ),
  ];
}

/** All of them at the same time, each by its own load. */
async function loadedBeside(
  servers: readonly Server[],
  loads: readonly Load[],
  connections: number,
  seconds: number,
): Promise<CoreSlice> {
  const used = () => servers.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
  const before = used();
  const slices = await Promise.all(servers.map(({ url }, at) => loads[at]!.slice(url, connections, seconds)));
  const redirects = slices.reduce((sum, slice) => sum + slice.perSecond, 0);
  return { perSecond: redirects, microseconds: (1e6 * (used() - before)) / (redirects * seconds) };
}
