/** What a service keeps that the same process could keep in an SQLite file: counted redirects and durable creates. */
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { type BenchedEngine, enginesOf } from "../engines.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { accounts, keyOf, slugAt } from "../filling/links.ts";
import { sqliteMissing } from "../filling/sqlite.ts";
import { type TemporaryFolder, temporaryFolder } from "../filling/temporary.ts";
import type { LoadFigures } from "../load/load.ts";
import { apiRequest, creation, type LoadRequest, scanRequests } from "../load/requests.ts";
import { slice } from "../load/slice.ts";
import { visitAll } from "../load/visit.ts";
import { type Calls, warmthOf, warmUp } from "../load/warm-up.ts";
import { type Program, resumed, type Server, startServers } from "../processes.ts";
import { compare, type Slices } from "../report/compare.ts";
import { compared, type Figure } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";

interface Contest {
  kind: Calls;
  name: string;
  requests: LoadRequest[];
  /** Of the peer's throughput, on the uws engine. */
  reach: number | null;
  program(data: TemporaryFolder): Program;
}

const bench = "sqlite";
const peerName = "Fastify 5, SQLite file";

export const sqlite: Bench = async (context) => {
  const { options, progress, note } = context;
  const missing = sqliteMissing();
  if (missing !== null) {
    note(`${bench}: left out, ${missing}`);
    return [];
  }
  const { links, hot, rounds } = options;
  const store = await filledStore({ links, withRules: hot }, progress);
  const creates = [apiRequest(keyOf(accounts.few), "/v1/qr-codes", creation)];
  const contestsOn = ({ name }: BenchedEngine): Contest[] => {
    const program = (data: TemporaryFolder) => qrelay(data, { HTTP_ENGINE: name });
    const scans = scanRequests(Array.from({ length: hot }, (_, at) => slugAt(at)));
    const [redirectReach, createReach] = name === "uws" ? [5, 2] : [null, null];
    const write = { kind: "write", requests: creates } as const;
    const contests: Contest[] = [
      { kind: "read", name: `counted redirects on ${name}`, requests: scans, reach: redirectReach, program },
      { ...write, name: `durable creates on ${name}`, reach: createReach, program },
    ];
    if (name === "uws" && !options.isBrief) {
      const beneath = "durable creates on uws by the store alone, without the API";
      contests.push({ ...write, name: beneath, reach: null, program: bareStore });
    }
    return contests;
  };
  const contests = enginesOf(context).flatMap(contestsOn);
  progress.begin(bench, contests.length * rounds * (2 * options.pairs + 1));
  try {
    const figures: Figure[] = [];
    for (const contest of contests) figures.push(await held(contest, store, context));
    return figures;
  } finally {
    progress.end();
  }
};

/** What the API cannot be faster than. */
function bareStore(data: TemporaryFolder): Program {
  return { script: "bench/servers/bare-store.ts", env: { DATA_DIR: data.path } };
}

async function held(
  { kind, name, requests, reach, program }: Contest,
  store: string,
  context: BenchContext,
): Promise<Figure> {
  const { options, generator } = context;
  const connections = options.connections[0]!;
  const load = await generator.prepare(requests);
  const rounds: Slices<LoadFigures>[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      rounds.push(
        await servedByBoth(program, store, context, {
          async warm(url) {
            if (requests.length > 1) await visitAll(url, requests);
            await warmUp(load, url, connections, warmthOf(options, kind));
          },
          slice: (url) => slice(load, url, name, context),
        }),
      );
    }
  } finally {
    await load.remove();
  }
  return compared(
    { bench, name: `${name}, ${connections} connections`, unit: "per second" },
    peerName,
    compare(rounds, (slice) => slice.perSecond),
    reach === null ? null : { of: "ratio", atLeast: reach },
  );
}

interface Loading {
  warm(url: string): Promise<void>;
  slice(url: string): Promise<LoadFigures>;
}

async function servedByBoth(
  program: Contest["program"],
  store: string,
  context: BenchContext,
  { warm, slice }: Loading,
): Promise<Slices<LoadFigures>> {
  const { options, cores } = context;
  const data = await dataFolder(store, "copied");
  const folder = await temporaryFolder("sqlite");
  const env = { BENCH_LINKS: String(options.links), BENCH_FOLDER: folder.path };
  const [peer, server] = await startServers(
    [{ script: "bench/servers/fastify-sqlite.ts", env }, program(data)],
    cores.server,
  );
  try {
    // What one of them has left to do, such as pictures to draw, it does in its own time.
    for (const each of [peer, server]) {
      await warm(each.url);
      each.pause();
    }
    const alone = (each: Server) => resumed(each, () => slice(each.url));
    return await interleaved(context, { reference: () => alone(peer), variant: () => alone(server) });
  } finally {
    await Promise.all([peer.stop("kill"), server.stop("kill")]);
    await Promise.all([data.remove(), folder.remove()]);
  }
}
