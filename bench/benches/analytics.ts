/** Analytics: what a view costs whoever asks for it, and how long it holds up everybody else. */
import { join } from "node:path";
import { viewNames } from "../../src/domain/analytics/views.ts";
import { hourMs } from "../../src/domain/analytics/zone.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { openLmdbStore } from "../../src/store/lmdb/lmdb-store.ts";
import { type BenchContext, readingProc } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { accounts, codeId, keyOf, projectDoc, slugAt } from "../filling/links.ts";
import { type ApiClient, openApi } from "../load/api-client.ts";
import { median, spread } from "../report/compare.ts";
import { alone, type Figure, type Target } from "../report/figures.ts";
import type { Progress } from "../report/progress.ts";
import { qrelay } from "../servers/qrelay.ts";
import { startWatched } from "../watched.ts";

const bench = "analytics";
const account = accounts.links;
const scansPerCode = 100;
const batchCodes = 128;
/** All hours of the last 30 days. */
const hours = 30 * 24;
const asks = 20;
const countries = ["DE", "AT", "CH", "US", "FR", "IT", "ES", "GB", "NL", "BE", "PL", "CZ", "SE", "NO", "DK"];
const devices = ["ios", "android", "desktop"];

export const analytics = readingProc(bench, async (context) => {
  const { options, progress } = context;
  const { links, hot } = options;
  const codes = Math.floor(links / 10);
  const data = await dataFolder(await filledStore({ links, withRules: hot }, progress), "copied");
  try {
    await saveScans(join(data.path, "store"), codes, progress);
    return await measured(data, codes, context);
  } finally {
    await data.remove();
  }
});

/** The first code is scanned in every hour, the others in a few of them. */
async function saveScans(path: string, codes: number, progress: Progress): Promise<void> {
  const store = await openLmdbStore({ path, assertDocument });
  const now = Date.now();
  const last = now - (now % hourMs);
  const owner = { account_id: account, project_id: projectDoc(account).id };
  const scansOf = (number: number) => {
    const entries = number === 0 ? hours : 5;
    const seen = Array.from({ length: entries }, (_, at) => ({
      hour: last - (number === 0 ? at : (number * 7 + at * 131) % hours) * hourMs,
      isRobot: (number + at) % 9 === 0,
      country: countries[(number + at) % countries.length]!,
      device: devices[(number + at) % devices.length]!,
      referrer: at % 5 === 0 ? `h${number % 200}.example` : "direct",
      scans: scansPerCode / 5,
    }));
    const count = (entries * scansPerCode) / 5;
    return { slug: slugAt(number), count, owner, seen, off: 0, otherwise: last };
  };
  progress.begin("saving scans", Math.ceil(codes / batchCodes));
  try {
    for (let from = 0; from < codes; from += batchCodes) {
      const some = Array.from({ length: Math.min(batchCodes, codes - from) }, (_, at) => from + at);
      await store.saveScans(some.map(scansOf));
      progress.step();
    }
  } finally {
    progress.end();
    await store.close();
  }
}

async function measured(
  data: { path: string; remove(): Promise<void> },
  codes: number,
  { options, cores, progress }: BenchContext,
): Promise<Figure[]> {
  const ofCode = `/v2/analytics/qr-codes/${codeId(0)}/trend?interval=day`;
  const ofAccount = viewNames.map((view) => `/v2/analytics/account/${view}`);
  const times = new Map<string, number[]>([ofCode, ...ofAccount].map((path) => [path, []]));
  const turns: number[] = [];
  progress.begin(bench, options.rounds);
  for (let round = 0; round < options.rounds; round++) {
    const server = await startWatched(qrelay(data), data.path, cores.server);
    const api = openApi(server.url, keyOf(account));
    try {
      for (const path of times.keys()) await timesOf(api, path);
      await server.longestTurn();
      for (const [path, found] of times) found.push(median(await timesOf(api, path)));
      turns.push(await server.longestTurn());
    } finally {
      api.close();
      await server.stop();
    }
    progress.step();
  }
  progress.end();
  const scans = (codes * scansPerCode).toLocaleString("en-US");
  const row = (name: string, found: number[], atMost: number) => {
    const target: Target = { of: "ours", atMost };
    return alone({ bench, name, unit: "ms" }, spread(found), target);
  };
  return [
    row("trend of a code, 30 days by day, a scan in every hour", times.get(ofCode)!, 2),
    ...viewNames.map((view, at) =>
      row(`${view} of an account, ${scans} scans`, times.get(ofAccount[at]!)!, 50),
    ),
    row("longest turn of the event loop meanwhile", turns, 10),
  ];
}

async function timesOf(api: ApiClient, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let ask = 0; ask < asks; ask++) {
    const began = performance.now();
    const text = await api.text(path);
    times.push(performance.now() - began);
    if (!text.startsWith('{"ok":true')) throw new Error(`${path} was answered with ${text.slice(0, 300)}`);
  }
  return times;
}
