/** The API: creating and listing codes against constant answers, and what a large account costs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Bench, type BenchContext, pairsPerRound } from "../bench.ts";
import { compare, interleave, spread } from "../compare.ts";
import { alone, compared, type Figure } from "../figures.ts";
import { dataFolder, filledStore, type StoreUse } from "../fill.ts";
import { accounts, keyOf } from "../links.ts";
import type { Load, LoadFigures } from "../load.ts";
import { startServer } from "../processes.ts";
import { apiRequest, creation, type LoadRequest } from "../requests.ts";
import { qrelay } from "../servers/qrelay.ts";
import { temporaryFolder } from "../temporary.ts";
import { UsageError } from "../usage.ts";

const bench = "api";
const listPath = "/v1/qr-codes?page_size=20";
const pagePath = "/v1/qr-codes?page_size=100&status=active&type=url";
const perSecond = (slice: LoadFigures) => slice.perSecond;
const microseconds = (slice: LoadFigures) => 1e6 / slice.perSecond;
/** Fills the compiler's knowledge before the first slice. */
const warmSeconds = 1;

export const api: Bench = async (context) => {
  const { options, progress } = context;
  if (options.target !== null) return apiOnTarget(context, options.target);
  const small = await filledStore({ links: 2_000, withRules: 0 }, progress);
  const large = await filledStore({ links: options.links, withRules: options.hot }, progress);
  progress.begin(bench, 3 * options.rounds * (2 * pairsPerRound + 1));
  try {
    return [await create(small, context), await list(large, context), await pages(large, context)];
  } finally {
    progress.end();
  }
};

/** Every slice has a fresh server that is killed after it: thousands of images still wait to be drawn then. */
async function create(store: string, context: BenchContext): Promise<Figure> {
  const { options } = context;
  const request = apiRequest(keyOf(accounts.few), "/v1/qr-codes", creation);
  const answer = await withServer(store, "copied", context, (url) => answerOf(url, request));
  const rounds = await withLoad(request, context, (load) =>
    repeated(options.rounds, async () => {
      const reference = await startBare(answer, context);
      const slice = slicer(load, "create", context);
      try {
        return await interleave(pairsPerRound, {
          reference: () => slice(reference.url),
          variant: () =>
            withServer(store, "copied", context, async (url) => {
              await load.slice(url, options.connections[0]!, warmSeconds);
              return slice(url);
            }),
        });
      } finally {
        await reference.stop();
      }
    }),
  );
  const name = `creates, ${options.connections[0]} connections`;
  return compared({ bench, name, unit: "per second" }, "constant answer", compare(rounds, perSecond));
}

async function list(store: string, context: BenchContext): Promise<Figure> {
  const { options } = context;
  const request = apiRequest(keyOf(accounts.many), listPath);
  const answer = await withServer(store, "shared", context, (url) => answerOf(url, request));
  const rounds = await withLoad(request, context, (load) =>
    repeated(options.rounds, async () => {
      const reference = await startBare(answer, context);
      try {
        return await withServer(store, "shared", context, async (url) => {
          const slice = slicer(load, "list", context);
          await load.slice(url, options.connections[0]!, warmSeconds);
          return interleave(pairsPerRound, {
            reference: () => slice(reference.url),
            variant: () => slice(url),
          });
        });
      } finally {
        await reference.stop();
      }
    }),
  );
  const name = `lists of 20, ${options.connections[0]} connections`;
  return compared({ bench, name, unit: "per second" }, "constant answer", compare(rounds, perSecond));
}

async function pages(store: string, context: BenchContext): Promise<Figure> {
  const { options } = context;
  const request = (account: typeof accounts.many | typeof accounts.few) =>
    apiRequest(keyOf(account), pagePath);
  const rounds = await withLoad(request(accounts.many), context, (many) =>
    withLoad(request(accounts.few), context, (few) =>
      repeated(options.rounds, () =>
        withServer(store, "shared", context, async (url) => {
          await many.slice(url, options.connections[0]!, warmSeconds);
          const ofMany = slicer(many, "page", context);
          const ofFew = slicer(few, "page", context);
          return interleave(pairsPerRound, { reference: () => ofFew(url), variant: () => ofMany(url) });
        }),
      ),
    ),
  );
  const count = Math.floor(options.links / 10).toLocaleString("en-US");
  return compared(
    { bench, name: `a page of 100 out of ${count} codes`, unit: "µs" },
    `out of ${Math.min(1_000, Math.floor(options.links / 100)).toLocaleString("en-US")}`,
    compare(rounds, microseconds),
    { of: "ratio", atMost: 3 },
  );
}

async function apiOnTarget(context: BenchContext, url: string): Promise<Figure[]> {
  const { options, progress } = context;
  const { key } = options;
  if (key === null) throw new UsageError("api on a target needs --key KEY");
  const cases = [
    { name: "creates", request: apiRequest(key, "/v1/qr-codes", creation) },
    { name: "lists of 20", request: apiRequest(key, listPath) },
  ];
  const figures: Figure[] = [];
  progress.begin(bench, cases.length * options.rounds);
  for (const { name, request } of cases) {
    const slices = await withLoad(request, context, (load) =>
      repeated(options.rounds, () => slicer(load, name, context)(url)),
    );
    const about = { bench, name: `${name}, ${options.connections[0]} connections` };
    figures.push(alone({ ...about, unit: "per second" }, spread(slices.map(perSecond))));
  }
  progress.end();
  return figures;
}

function slicer(load: Load, what: string, { options, progress }: BenchContext) {
  return async (url: string): Promise<LoadFigures> => {
    const figures = await load.slice(url, options.connections[0]!, options.seconds);
    progress.step(what);
    return figures;
  };
}

async function withLoad<T>(
  request: LoadRequest,
  { generator, options }: BenchContext,
  run: (load: Load) => Promise<T>,
): Promise<T> {
  const host = options.target === null ? undefined : new URL(options.target).host;
  const load = await generator.prepare([request], host);
  try {
    return await run(load);
  } finally {
    await load.remove();
  }
}

/** What is copied is thrown away, so its server needs no good order to stop in. */
async function withServer<T>(
  store: string,
  use: StoreUse,
  { cores }: BenchContext,
  run: (url: string) => Promise<T>,
): Promise<T> {
  const data = await dataFolder(store, use);
  const server = await startServer(qrelay(data), cores.server);
  try {
    return await run(server.url);
  } finally {
    await server.stop(use === "copied" ? "kill" : undefined);
    await data.remove();
  }
}

/** A real answer, for the bare server to give as it is: both then send the same bytes. */
async function answerOf(url: string, { method, path, headers, body }: LoadRequest): Promise<string> {
  const response = await fetch(url + path, { method, headers, ...(body !== "" && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`the API answered ${response.status}: ${text}`);
  return text;
}

async function startBare(answer: string, { cores }: BenchContext) {
  const folder = await temporaryFolder("answer");
  const file = join(folder.path, "answer.json");
  await writeFile(file, answer);
  try {
    return await startServer({ script: "bench/servers/bare.ts", env: { BENCH_ANSWER: file } }, cores.server);
  } finally {
    await folder.remove();
  }
}

async function repeated<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < times; time++) results.push(await run());
  return results;
}
