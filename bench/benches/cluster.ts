/**
 * What it costs to be a member of a cluster, and what a second member gives. Members are processes on a MongoDB; where there
 * is none they are in one process, on a database in memory (`servers/members.ts`).
 */
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { enginesOf } from "../engines.ts";
import { accounts, codeId, keyOf, slugAt } from "../filling/links.ts";
import { apiRequest, type LoadRequest, scanRequests } from "../load/requests.ts";
import { visitAll } from "../load/visit.ts";
import { type Warmth, warmUp } from "../load/warm-up.ts";
import { type Members, membersInMemory, membersOnMongo, type StartMembers } from "../members.ts";
import { type MembersSlice, membersFigures, membersSlice, untilServed } from "../members-slice.ts";
import type { Server } from "../processes.ts";
import { compare, type Slices } from "../report/compare.ts";
import { compared, type Figure, type Target } from "../report/figures.ts";
import { onACoreEach } from "./core-each.ts";

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
  /** How often in a round both are started anew: one process differs from the next by more than what is looked for. */
  starts: number;
  rounds: Slices<MembersSlice>[];
  /** The same from one connection, for how long a call takes whoever waits for it. */
  singleRounds: Slices<MembersSlice>[];
}

interface Setting {
  context: BenchContext;
  start: StartMembers;
  isReal: boolean;
}

const bench = "cluster";
const links = 2_000;
const codesAsked = 20;
const warmth: Warmth = { requests: 5_000, secondsMax: 10 };
const scans = scanRequests(Array.from({ length: links / 2 }, (_, at) => slugAt(at)));

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
      requests: scans,
      ours: { members: 1 },
      reference: { members: 0, name: "CLUSTER=off" },
      target: { of: "ratio", atLeast: 0.97 },
      starts: 3,
    },
    {
      name: "reads of one code, handed on",
      requests: paths.map((path) => apiRequest(key, path)),
      ours: { members: 2, asked: "another" },
      reference: { members: 2, name: "where it is decided" },
      target: null,
      starts: 1,
    },
    {
      name: "changes of a target, 1 other member",
      requests: changes,
      ours: { members: 2 },
      reference: alone,
      target: null,
      starts: 1,
    },
    {
      name: "changes of a target, 2 other members",
      requests: changes,
      ours: { members: 3 },
      reference: alone,
      target: null,
      starts: 1,
    },
  ];
  return all.map((each) => ({ ...each, rounds: [], singleRounds: [] }));
}

function briefly(all: Case[]): Case[] {
  return all.filter(({ target }) => target !== null).map((each) => ({ ...each, starts: 1 }));
}

export const cluster: Bench = async (context) => {
  const { options, progress, note, mongodb, cores } = context;
  const [engine] = enginesOf(context);
  if (engine === undefined) return [];
  const url = await mongodb.url();
  const isReal = url !== null;
  const start = isReal
    ? membersOnMongo(url, links, engine.name, progress)
    : membersInMemory(links, engine.name);
  const setting: Setting = { context, start, isReal };
  const all = options.isBrief ? briefly(cases()) : cases();
  const starts = all.reduce((sum, each) => sum + each.starts, 0);
  progress.begin(bench, starts * options.rounds);
  for (let round = 0; round < options.rounds; round++) await runRound(all, setting);
  progress.end();
  const figures = all.flatMap((each) => figuresOf(each, engine.name, context));
  if (!isReal) {
    note(`cluster: all members of a server were in one process, on a database in memory: ${mongodb.missing}`);
    note("cluster: two members on a core each are left out, they need MongoDB");
    return figures;
  }
  note("cluster: members were processes on one core, but for those on a core each");
  if (cores.server === null) return figures;
  return [...figures, ...(await onACoreEach({ bench, engine: engine.name, start, scans }, context))];
};

/** Those that a case compares run beside each other, and no others: they would take their part of the core. */
async function runRound(all: readonly Case[], setting: Setting): Promise<void> {
  const { context, start } = setting;
  const clusters = new Map<number, Members>();
  const keepOnly = async (sizes: readonly number[]) => {
    for (const [size, members] of clusters) {
      if (sizes.includes(size)) continue;
      clusters.delete(size);
      await members.stop();
    }
  };
  for (const each of all) {
    const sizes = [each.ours.members, each.reference.members];
    for (let starts = 0; starts < each.starts; starts++) {
      await keepOnly(starts === 0 ? sizes : []);
      for (const size of sizes) {
        if (!clusters.has(size)) clusters.set(size, await start(size, [context.cores.server]));
      }
      await measured(each, clusters, setting);
      context.progress.step(each.name);
    }
  }
  await keepOnly([]);
}

async function measured(
  each: Case,
  clusters: ReadonlyMap<number, Members>,
  { context, isReal }: Setting,
): Promise<void> {
  const { options, generator } = context;
  const connections = options.connections[0]!;
  const load = await generator.prepare(each.requests);
  const sliceOf = (side: Side, count: number) => {
    const members = clusters.get(side.members)!;
    const { url } = askedOf(side, members);
    return membersSlice([{ url, load }], members.all, count, options.seconds, context.note);
  };
  const slices = (count: number) =>
    interleaved(context, {
      reference: () => sliceOf(each.reference, count),
      variant: () => sliceOf(each.ours, count),
    });
  for (const side of [each.reference, each.ours]) {
    const { url } = askedOf(side, clusters.get(side.members)!);
    if (each.requests === scans) await untilServed(context.note, () => visitAll(url, scans));
    await untilServed(context.note, () => warmUp(load, url, connections, warmth));
  }
  each.rounds.push(await slices(connections));
  if (isReal && each.requests !== scans) each.singleRounds.push(await slices(1));
  await load.remove();
}

function askedOf({ asked }: Side, { decider, others }: Members): Server {
  return asked === "another" ? others[0]! : decider;
}

function figuresOf(each: Case, engine: string, { options }: BenchContext): Figure[] {
  const { name, rounds, singleRounds, reference, target } = each;
  const about = `${name}, ${options.connections[0]} connections, ${engine}`;
  const figures = membersFigures(bench, about, rounds, reference.name, target);
  if (singleRounds.length > 0) {
    const single = { bench, name: `p50, ${name}, 1 connection, ${engine}`, unit: "ms" } as const;
    figures.push(
      compared(
        single,
        reference.name,
        compare(singleRounds, (slice) => slice.p50),
      ),
    );
  }
  return options.isBrief ? figures.filter((figure) => figure.target !== null) : figures;
}
