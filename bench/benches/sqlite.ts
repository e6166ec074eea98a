/** What a service keeps that the same process could keep in an SQLite file: counted redirects and durable creates. */
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { type BenchedEngine, enginesOf } from "../engines.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { accounts, keyOf, slugAt } from "../filling/links.ts";
import { sqliteMissing } from "../filling/sqlite.ts";
import { temporaryFolder } from "../filling/temporary.ts";
import type { LoadFigures } from "../load/load.ts";
import { apiRequest, creation, type LoadRequest, scanRequests } from "../load/requests.ts";
import { slice } from "../load/slice.ts";
import { visitAll } from "../load/visit.ts";
import { startServers } from "../processes.ts";
import { compare, type Slices } from "../report/compare.ts";
import { compared, type Figure } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";

interface Contest {
  name: string;
  requests: LoadRequest[];
  /** Of the peer's throughput, on the uws engine. */
  reach: number;
}

const bench = "sqlite";
const peerName = "Fastify 5, SQLite file";
/** Long enough that both servers run compiled code; what is created meanwhile is drawn behind the slices. */
const warmSeconds = 1;

export const sqlite: Bench = async (context) => {
  const { options, progress, note } = context;
  const missing = sqliteMissing();
  if (missing !== null) {
    note(`${bench}: left out, ${missing}`);
    return [];
  }
  const { links, hot, rounds } = options;
  const store = await filledStore({ links, withRules: hot }, progress);
  const contests: Contest[] = [
    {
      name: "counted redirects",
      requests: scanRequests(Array.from({ length: hot }, (_, at) => slugAt(at))),
      reach: 5,
    },
    {
      name: "durable creates",
      requests: [apiRequest(keyOf(accounts.few), "/v1/qr-codes", creation)],
      reach: 2,
    },
  ];
  const engines = enginesOf(context);
  progress.begin(bench, engines.length * contests.length * rounds * (2 * options.pairs + 1));
  try {
    const figures: Figure[] = [];
    for (const engine of engines) {
      for (const contest of contests) figures.push(await held(engine, contest, store, context));
    }
    return figures;
  } finally {
    progress.end();
  }
};

async function held(
  engine: BenchedEngine,
  { name, requests, reach }: Contest,
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
        await servedByBoth(engine, store, context, {
          async warm(url) {
            if (requests.length > 1) await visitAll(url, requests);
            await load.slice(url, connections, warmSeconds);
          },
          slice: (url) => slice(load, url, `${engine.name}, ${name}`, context),
        }),
      );
    }
  } finally {
    await load.remove();
  }
  return compared(
    { bench, name: `${name} on ${engine.name}, ${connections} connections`, unit: "per second" },
    peerName,
    compare(rounds, (slice) => slice.perSecond),
    engine.name === "uws" ? { of: "ratio", atLeast: reach } : null,
  );
}

interface Loading {
  warm(url: string): Promise<void>;
  slice(url: string): Promise<LoadFigures>;
}

async function servedByBoth(
  engine: BenchedEngine,
  store: string,
  context: BenchContext,
  { warm, slice }: Loading,
): Promise<Slices<LoadFigures>> {
  const { options, cores } = context;
  const data = await dataFolder(store, "copied");
  const folder = await temporaryFolder("sqlite");
  const env = { BENCH_LINKS: String(options.links), BENCH_FOLDER: folder.path };
  const [peer, server] = await startServers(
    [{ script: "bench/servers/fastify-sqlite.ts", env }, qrelay(data, { HTTP_ENGINE: engine.name })],
    cores.server,
  );
  try {
    for (const { url } of [peer, server]) await warm(url);
    return await interleaved(context, {
      reference: () => slice(peer.url),
      variant: () => slice(server.url),
    });
  } finally {
    await Promise.all([peer.stop("kill"), server.stop("kill")]);
    await Promise.all([data.remove(), folder.remove()]);
  }
}
