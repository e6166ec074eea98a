/** The same service on MongoDB and on the embedded store: redirects must not know the difference, creates do. */
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { filledDatabase } from "../filling/database.ts";
import { dataFolder, type Filling, filledStore } from "../filling/fill.ts";
import { accounts, keyOf, slugAt } from "../filling/links.ts";
import { temporaryFolder } from "../filling/temporary.ts";
import type { LoadFigures } from "../load/load.ts";
import { apiRequest, creation, scanRequests } from "../load/requests.ts";
import { slice } from "../load/slice.ts";
import { visitAll } from "../load/visit.ts";
import { type Server, startServer } from "../processes.ts";
import { compare, type Slices } from "../report/compare.ts";
import { compared, type Figure } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";

const bench = "mongodb";
const linksMax = 20_000;
const warmSeconds = 1;
const perSecond = (slice: LoadFigures) => slice.perSecond;
const p99 = (slice: LoadFigures) => slice.p99;

export const mongodb: Bench = async (context) => {
  const { options, progress, note, mongodb } = context;
  const url = await mongodb.url();
  if (url === null) {
    note(`mongodb: left out, ${mongodb.missing}`);
    return [];
  }
  const links = Math.min(options.links, linksMax);
  try {
    const store = await filledStore({ links, withRules: 0 }, progress);
    progress.begin(bench, 2 * options.rounds * (2 * options.pairs + 1));
    return [
      ...(await redirects(store, links, url, context)),
      await creates(await filledStore(few, progress), url, context),
    ];
  } finally {
    progress.end();
  }
};

async function redirects(
  store: string,
  links: number,
  url: string,
  context: BenchContext,
): Promise<Figure[]> {
  const { options, generator, cores, progress } = context;
  const requests = scanRequests(Array.from({ length: Math.min(options.hot, links) }, (_, at) => slugAt(at)));
  const load = await generator.prepare(requests);
  const database = await filledDatabase(url, { links, withRules: 0 }, progress);
  const rounds: Slices<LoadFigures>[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      const embedded = await onEmbedded(store, context);
      const mongo = await onMongo(database.url, cores.server);
      try {
        for (const { url } of [embedded, mongo]) await visitAll(url, requests);
        rounds.push(
          await interleaved(context, {
            reference: () => slice(load, embedded.url, "redirects", context),
            variant: () => slice(load, mongo.url, "redirects", context),
          }),
        );
      } finally {
        await Promise.all([embedded.stop(), mongo.stop()]);
      }
    }
  } finally {
    await Promise.all([load.remove(), database.drop()]);
  }
  const name = `redirects on MongoDB, ${options.connections[0]} connections`;
  const least = { of: "ratio", atLeast: 0.95 } as const;
  return [
    compared({ bench, name, unit: "per second" }, "embedded store", compare(rounds, perSecond), least),
    compared({ bench, name: `p99, ${name}`, unit: "ms" }, "embedded store", compare(rounds, p99)),
  ];
}

const few: Filling = { links: 2_000, withRules: 0 };

/** A fresh server and a fresh database for each slice: thousands of images wait to be drawn after it. */
async function creates(store: string, url: string, context: BenchContext): Promise<Figure> {
  const { options, generator, cores, progress } = context;
  const load = await generator.prepare([apiRequest(keyOf(accounts.few), "/v1/qr-codes", creation)]);
  const measured = async (server: Server) => {
    try {
      await load.slice(server.url, options.connections[0]!, warmSeconds);
      return await slice(load, server.url, "creates", context);
    } finally {
      await server.stop("kill");
    }
  };
  const rounds: Slices<LoadFigures>[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      rounds.push(
        await interleaved(context, {
          reference: async () => measured(await onEmbedded(store, context)),
          async variant() {
            const database = await filledDatabase(url, { ...few, links: 100 }, progress);
            try {
              return await measured(await onMongo(database.url, cores.server));
            } finally {
              await database.drop();
            }
          },
        }),
      );
    }
  } finally {
    await load.remove();
  }
  const name = `creates on MongoDB, ${options.connections[0]} connections`;
  return compared({ bench, name, unit: "per second" }, "embedded store", compare(rounds, perSecond));
}

async function onEmbedded(store: string, { cores }: BenchContext): Promise<Server> {
  const data = await dataFolder(store, "copied");
  return endingWith(await startServer(qrelay(data), cores.server), () => data.remove());
}

async function onMongo(url: string, core: BenchContext["cores"]["server"]): Promise<Server> {
  const data = await temporaryFolder("run");
  return endingWith(await startServer(qrelay(data, { MONGODB_URL: url }), core), () => data.remove());
}

function endingWith(server: Server, end: () => Promise<void>): Server {
  return { ...server, stop: (how) => server.stop(how).finally(end) };
}
