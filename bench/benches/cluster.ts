/**
 * What it costs to be a member of a cluster. All members of a server are in one process here, on a database in memory
 * (`servers/members.ts`), so figures of several are those of members that share a core.
 */
import type { Bench, BenchContext } from "../bench.ts";
import { enginesOf } from "../engines.ts";
import { accounts, codeId, keyOf, slugAt } from "../filling/links.ts";
import { temporaryFolder } from "../filling/temporary.ts";
import type { LoadFigures } from "../load/load.ts";
import { apiRequest, type LoadRequest, scanRequests } from "../load/requests.ts";
import { slice } from "../load/slice.ts";
import { visitAll } from "../load/visit.ts";
import { type Server, startServer } from "../processes.ts";
import { compare, interleave, type Slices } from "../report/compare.ts";
import { compared, type Figure, type Target } from "../report/figures.ts";

interface Side {
  /** 0 with `CLUSTER=off`. */
  members: number;
  asked?: "follower";
}

interface Case {
  name: string;
  requests: LoadRequest[];
  ours: Side;
  reference: Side & { name: string };
  target: Target | null;
}

const bench = "cluster";
const links = 2_000;
const codesAsked = 20;
const warmSeconds = 1;
const perSecond = (slice: LoadFigures) => slice.perSecond;

function cases(): Case[] {
  const key = keyOf(accounts.few);
  const paths = Array.from({ length: codesAsked }, (_, at) => `/v1/qr-codes/${codeId(links - 1 - at)}`);
  const changes = paths.map((path, at) =>
    apiRequest(key, path, { redirect_url: `https://shop.example.com/changed/${at}` }, "PATCH"),
  );
  const alone = { members: 1, name: "no other member" };
  return [
    {
      name: "redirects of one member",
      requests: scanRequests(Array.from({ length: links / 2 }, (_, at) => slugAt(at))),
      ours: { members: 1 },
      reference: { members: 0, name: "CLUSTER=off" },
      target: { of: "ratio", atLeast: 0.97 },
    },
    {
      name: "reads of one code, handed on",
      requests: paths.map((path) => apiRequest(key, path)),
      ours: { members: 2, asked: "follower" },
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
}

export const cluster: Bench = async (context) => {
  const { options, progress, note } = context;
  const [engine] = enginesOf(context);
  if (engine === undefined) return [];
  note("cluster: all members of a server were in one process, on a database in memory in place of MongoDB");
  const all = cases();
  const figures: Figure[] = [];
  progress.begin(bench, all.length * options.rounds * (2 * options.pairs + 1));
  for (const each of all) figures.push(await measured(each, engine.name, context));
  progress.end();
  return figures;
};

async function measured(
  { name, requests, ours, reference, target }: Case,
  engine: string,
  context: BenchContext,
): Promise<Figure> {
  const { options, generator } = context;
  const connections = options.connections[0]!;
  const load = await generator.prepare(requests);
  const areScans = !requests[0]!.path.startsWith("/v1/");
  const rounds: Slices<LoadFigures>[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      const servers = await Promise.all([reference, ours].map((side) => started(side, engine, context)));
      try {
        for (const { url } of servers) {
          if (areScans) await visitAll(url, requests);
          await load.slice(url, connections, warmSeconds);
        }
        const [beside, own] = servers.map(
          ({ url }) =>
            () =>
              slice(load, url, name, context),
        );
        rounds.push(await interleave(options.pairs, { reference: beside!, variant: own! }));
      } finally {
        await Promise.all(servers.map((server) => server.stop("kill")));
      }
    }
  } finally {
    await load.remove();
  }
  const about = {
    bench,
    name: `${name}, ${connections} connections, ${engine}`,
    unit: "per second",
  } as const;
  return compared(about, reference.name, compare(rounds, perSecond), target);
}

async function started({ members, asked }: Side, engine: string, { cores }: BenchContext): Promise<Server> {
  const folder = await temporaryFolder("members");
  const env = {
    BENCH_MEMBERS: String(members),
    BENCH_LINKS: String(links),
    BENCH_FOLDER: folder.path,
    HTTP_ENGINE: engine,
    ...(asked && { BENCH_ASKED: asked }),
  };
  const server = await startServer({ script: "bench/servers/members.ts", env }, cores.server);
  return { ...server, stop: (how) => server.stop(how).finally(() => folder.remove()) };
}
