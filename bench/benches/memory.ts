/** Memory: what one more link costs that is scanned. */
import { setTimeout as pause } from "node:timers/promises";
import { type BenchContext, readingProc } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { slugAt } from "../filling/links.ts";
import { scanRequests } from "../load/requests.ts";
import { visitAll } from "../load/visit.ts";
import { residentBytes } from "../processes.ts";
import { spread } from "../report/compare.ts";
import { alone, type Target } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";
import { startCollecting } from "../watched.ts";

const bench = "memory";
/** The same within a few per cent every time, and every one takes a minute. */
const roundsMax = 3;
const stepLinks = 50_000;
const settleMs = 500;
/** Loaded first: by then a server's heap has the size that it keeps, and what it takes for that is no link's. */
const settledLinks = 50_000;
const target: Target = { of: "ours", atMost: 160 };

export const memory = readingProc(bench, async (context) => {
  const { options, progress } = context;
  const { links, hot } = options;
  const store = await filledStore({ links, withRules: hot }, progress);
  const rounds = Math.min(options.rounds, roundsMax);
  const found: BytesPerLink[] = [];
  const passes = options.isBrief ? 1 : 2;
  progress.begin(bench, rounds * Math.ceil((passes * (links - hot)) / stepLinks));
  for (let round = 0; round < rounds; round++) found.push(await bytesPerLink(store, context));
  progress.end();
  const name = `resident bytes a hot link beyond the first ${hot.toLocaleString("en-US")}`;
  const figure = (circumstances: string, pick: (bytes: BytesPerLink) => number) =>
    alone({ bench, name: `${name}, ${circumstances}`, unit: "bytes" }, spread(found.map(pick)), target);
  const scanned = figure("scanned and its analytics not saved yet", (bytes) => bytes.scanned);
  // What is scanned is loaded, too.
  return options.isBrief ? [scanned] : [figure("loaded", (bytes) => bytes.loaded), scanned];
});

interface BytesPerLink {
  /** HEAD loads a link and counts nothing: what is left is the link itself. */
  loaded: number;
  scanned: number;
}

/** Links with rules are left out: they are not what the figure is about. */
async function bytesPerLink(
  store: string,
  { options, cores, progress }: BenchContext,
): Promise<BytesPerLink> {
  const { links, hot } = options;
  const data = await dataFolder(store, "shared");
  const server = await startCollecting(qrelay(data), data.path, cores.server);
  const residentAfter = async (method: "GET" | "HEAD", from: number, to: number) => {
    for (let at = from; at < to; at += stepLinks) {
      const numbers = Array.from({ length: Math.min(stepLinks, to - at) }, (_, step) => at + step);
      await visitAll(server.url, scanRequests(numbers.map(slugAt), method));
      progress.step(`${method}, ${at.toLocaleString("en-US")} links`);
    }
    await server.collected();
    // The system takes back what was freed a little later.
    await pause(settleMs);
    return residentBytes(server.pid);
  };
  try {
    const first = Math.max(2 * hot, Math.min(settledLinks, Math.floor(links / 2)));
    if (first > 2 * hot) await residentAfter("GET", 2 * hot, first);
    const before = await residentAfter("GET", 0, hot);
    const loaded = options.isBrief ? before : await residentAfter("HEAD", first, links);
    const scanned = await residentAfter("GET", first, links);
    return { loaded: (loaded - before) / (links - first), scanned: (scanned - before) / (links - first) };
  } finally {
    // In good order it would save a count for every link.
    await server.stop("kill");
    await data.remove();
  }
}
