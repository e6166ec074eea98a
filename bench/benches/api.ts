/** The API: every kind of call against a constant answer of the same bytes, and what a large account costs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { type BenchedEngine, enginesOf } from "../engines.ts";
import { dataFolder, filledStore, type StoreUse } from "../filling/fill.ts";
import { accounts, codeId, keyOf } from "../filling/links.ts";
import { temporaryFolder } from "../filling/temporary.ts";
import type { Load, LoadFigures } from "../load/load.ts";
import { apiRequest, creation, type LoadRequest } from "../load/requests.ts";
import { slice } from "../load/slice.ts";
import { warmthOf, warmUp } from "../load/warm-up.ts";
import { resumed, type Server, startServer } from "../processes.ts";
import { compare, type Slices, spread } from "../report/compare.ts";
import { alone, compared, type Figure } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";
import { UsageError } from "../usage.ts";

/** One kind of call. */
interface Case {
  name: string;
  requests: LoadRequest[];
  writes: boolean;
  /** Whether every call has to be refused. */
  refused: boolean;
  /** Of the constant answer's throughput on the uws engine. */
  reach: number;
}

const bench = "api";
const listPath = "/v1/qr-codes?page_size=20";
const pagePath = "/v1/qr-codes?page_size=100&status=active&type=url";
const wrongKey = `api_live_${"0".repeat(32)}`;
/** Different codes that calls about one code are about. */
const codesAsked = 500;
const smallLinks = 100_000;
const perSecond = (slice: LoadFigures) => slice.perSecond;
const microseconds = (slice: LoadFigures) => 1e6 / slice.perSecond;

/**
 * The account `few` has the last codes of a filled store, `many` those before them. They are measured in this order, on
 * one server: what leaves most to draw comes last.
 */
function casesOn(links: number): Case[] {
  const key = keyOf(accounts.few);
  const paths = Array.from({ length: Math.min(codesAsked, Math.floor(links / 100)) }, (_, at) => {
    return `/v1/qr-codes/${codeId(links - 1 - at)}`;
  });
  const reads = { writes: false, refused: false };
  const writes = { writes: true, refused: false };
  const changed = (path: string, at: number) =>
    apiRequest(key, path, { redirect_url: `https://shop.example.com/changed/${at}` }, "PATCH");
  return [
    {
      name: "reads of one code",
      requests: paths.map((path) => apiRequest(key, path)),
      ...reads,
      reach: 0.35,
    },
    { name: "lists of 20", requests: [apiRequest(keyOf(accounts.many), listPath)], ...reads, reach: 0.15 },
    { name: "lists of 100", requests: [apiRequest(keyOf(accounts.many), pagePath)], ...reads, reach: 0.06 },
    {
      name: "refusals of a wrong key",
      requests: [apiRequest(wrongKey, listPath)],
      writes: false,
      refused: true,
      reach: 0.4,
    },
    { name: "changes of a target", requests: paths.map(changed), ...writes, reach: 0.12 },
    { name: "creates", requests: [apiRequest(key, "/v1/qr-codes", creation)], ...writes, reach: 0.12 },
  ];
}

export const api: Bench = async (context) => {
  const { options, progress } = context;
  if (options.target !== null) return apiOnTarget(context, options.target);
  const links = Math.min(smallLinks, options.links);
  const small = await filledStore({ links, withRules: 0 }, progress);
  const large = await filledStore({ links: options.links, withRules: options.hot }, progress);
  const engines = enginesOf(context);
  const cases = casesOn(links);
  progress.begin(bench, (engines.length * cases.length + 1) * options.rounds * (2 * options.pairs + 1));
  try {
    const figures: Figure[] = [];
    for (const engine of engines) figures.push(...(await against(engine, cases, small, context)));
    return [...figures, await pages(engines[0]!, large, context)];
  } finally {
    progress.end();
  }
};

async function against(
  engine: BenchedEngine,
  cases: readonly Case[],
  store: string,
  context: BenchContext,
): Promise<Figure[]> {
  const { rounds, connections } = context.options;
  const measured = cases.map((one) => ({ one, slices: [] as Slices<LoadFigures>[] }));
  await repeated(rounds, () =>
    withServer(engine, store, "copied", context, async (server) => {
      for (const { one, slices } of measured) slices.push(await beside(engine, one, server, context));
    }),
  );
  return measured.map(({ one, slices }) =>
    compared(
      { bench, name: `${one.name} on ${engine.name}, ${connections[0]} connections`, unit: "per second" },
      "constant answer",
      compare(slices, perSecond),
      engine.name === "uws" ? { of: "ratio", atLeast: one.reach } : null,
    ),
  );
}

/** Its server, and beside it one that does nothing but give the same answer. */
async function beside(
  engine: BenchedEngine,
  one: Case,
  server: Server,
  context: BenchContext,
): Promise<Slices<LoadFigures>> {
  const { options } = context;
  const connections = options.connections[0]!;
  const bare = await startBare(engine, await answerOf(server.url, one), context);
  try {
    return await withLoad(one, context, async (load) => {
      const sliceOf = ({ url }: Server) => slice(load, url, `${engine.name}, ${one.name}`, context);
      await warmUp(load, server.url, connections, warmthOf(options, one.writes ? "write" : "read"));
      // What was created is drawn afterwards, which must take nothing from the other.
      server.pause();
      await warmUp(load, bare.url, connections, warmthOf(options));
      return await interleaved(context, {
        reference: () => sliceOf(bare),
        variant: () => resumed(server, () => sliceOf(server)),
      });
    });
  } finally {
    server.resume();
    await bare.stop("kill");
  }
}

async function pages(engine: BenchedEngine, store: string, context: BenchContext): Promise<Figure> {
  const { options } = context;
  const of = (account: typeof accounts.many | typeof accounts.few) => ({
    requests: [apiRequest(keyOf(account), pagePath)],
  });
  const rounds = await withLoad(of(accounts.many), context, (many) =>
    withLoad(of(accounts.few), context, (few) =>
      repeated(options.rounds, () =>
        withServer(engine, store, "shared", context, async ({ url }) => {
          await warmUp(many, url, options.connections[0]!, warmthOf(options));
          const pages = (load: Load) => () => slice(load, url, "page", context);
          return interleaved(context, { reference: pages(few), variant: pages(many) });
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
    { name: "creates", requests: [apiRequest(key, "/v1/qr-codes", creation)] },
    { name: "lists of 20", requests: [apiRequest(key, listPath)] },
  ];
  const figures: Figure[] = [];
  progress.begin(bench, cases.length * options.rounds);
  for (const { name, requests } of cases) {
    const slices = await withLoad({ requests }, context, (load) =>
      repeated(options.rounds, () => slice(load, url, name, context)),
    );
    const about = { bench, name: `${name}, ${options.connections[0]} connections` };
    figures.push(alone({ ...about, unit: "per second" }, spread(slices.map(perSecond))));
  }
  progress.end();
  return figures;
}

async function withLoad<T>(
  { requests, refused = false }: Pick<Case, "requests"> & Partial<Case>,
  { generator, options }: BenchContext,
  run: (load: Load) => Promise<T>,
): Promise<T> {
  const host = options.target === null ? undefined : new URL(options.target).host;
  const load = await generator.prepare(requests, { host, refused });
  try {
    return await run(load);
  } finally {
    await load.remove();
  }
}

/** Nothing that it stores is wanted, so it needs no good order to stop in. */
async function withServer<T>(
  engine: BenchedEngine,
  store: string,
  use: StoreUse,
  { cores }: BenchContext,
  run: (server: Server) => Promise<T>,
): Promise<T> {
  const data = await dataFolder(store, use);
  const server = await startServer(qrelay(data, { HTTP_ENGINE: engine.name }), cores.server);
  try {
    return await run(server);
  } finally {
    await server.stop("kill");
    await data.remove();
  }
}

interface Sample {
  status: number;
  text: string;
}

/** A real answer, for the bare server to give as it is: both then send the same bytes. */
async function answerOf(url: string, { requests, refused }: Case): Promise<Sample> {
  const { method, path, headers, body } = requests[0]!;
  const response = await fetch(url + path, { method, headers, ...(body !== "" && { body }) });
  const text = await response.text();
  if (response.ok === refused) throw new Error(`the API answered ${response.status}: ${text}`);
  return { status: response.status, text };
}

async function startBare(
  engine: BenchedEngine,
  { status, text }: Sample,
  { cores }: BenchContext,
): Promise<Server> {
  const folder = await temporaryFolder("answer");
  const file = join(folder.path, "answer.json");
  await writeFile(file, text);
  try {
    return await startServer(engine.bare({ BENCH_ANSWER: file, BENCH_STATUS: String(status) }), cores.server);
  } finally {
    await folder.remove();
  }
}

async function repeated<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < times; time++) results.push(await run());
  return results;
}
