/** Turns of the event loop: the longest that one task holds everybody up, with all links stored. */
import { setTimeout as pause } from "node:timers/promises";
import { type BenchContext, readingProc } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { accounts, keyOf, slugAt } from "../filling/links.ts";
import { type ApiClient, openApi } from "../load/api-client.ts";
import { sendAtOnce } from "../load/burst.ts";
import { pacedCreation } from "../load/paced-creation.ts";
import { apiRequest, creation, scanRequests } from "../load/requests.ts";
import { visitAll } from "../load/visit.ts";
import { spread } from "../report/compare.ts";
import { alone, type Target } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";
import { startWatched, type WatchedServer } from "../watched.ts";

interface Task {
  name: string;
  target: Target | null;
  run(server: WatchedServer, api: ApiClient, context: BenchContext): Promise<void>;
}

const bench = "turns";
const target: Target = { of: "ours", atMost: 5 };
const createdPerSecond = 500;
const burstCreates = [64, 256, 1_000];
const callsEach = 200;
/** Counts that are older than this were due to be saved, and wait for it. */
const unsavedSeconds = 30;
const lookMs = 100;
/** Long enough for a saving that has begun to end. */
const looksPerStep = 300;

/** Age of the oldest count that may be in the journal only. */
async function journalSeconds(api: ApiClient): Promise<number> {
  const told = /^qrelay_journal_lag_seconds (\S+)$/m.exec(await api.text("/metrics"));
  if (told === null) throw new Error("the server does not tell how old its journal is");
  return Number(told[1]);
}

async function calls(api: ApiClient, path: string, count = callsEach): Promise<void> {
  for (let call = 0; call < count; call++) await api.text(path);
}

/** No single task, but many that come together. */
function burstOf(creates: number): Task {
  return {
    name: `creating ${creates.toLocaleString("en-US")} codes in the same instant`,
    target: null,
    run: ({ url }) => sendAtOnce(url, apiRequest(keyOf(accounts.many), "/v1/qr-codes", creation), creates),
  };
}

const tasks: readonly Task[] = [
  {
    target,
    name: "scanning links that are loaded from the store, and saving their counts",
    async run(server, api, { options }) {
      await visitAll(server.url, scanRequests(Array.from({ length: options.hot }, (_, at) => slugAt(at))));
      let looks = 0;
      do {
        // More than once: a saving that was under way seems to have taken as long, and the next one rests for it.
        if (looks++ % looksPerStep === 0) server.putForward();
        await pause(lookMs);
      } while ((await journalSeconds(api)) > unsavedSeconds);
    },
  },
  { target, name: "listing 100 codes", run: (_, api) => calls(api, "/v1/qr-codes?page_size=100") },
  {
    target,
    name: "searching the labels of a tenth of all codes",
    run: (_, api) => calls(api, "/v1/qr-codes?label_contains=not-there&page_size=100", 3),
  },
  {
    target,
    name: `creating ${createdPerSecond} codes a second, and drawing them`,
    async run({ url }, api, { options }) {
      const creation = await pacedCreation(url, keyOf(accounts.many), createdPerSecond);
      await pause(options.seconds * 1_000);
      await api.rendered((await creation.stop()).lastId, 20);
    },
  },
  { target, name: "telling its metrics", run: (_, api) => calls(api, "/metrics", 20) },
  ...burstCreates.map(burstOf),
];

export const turns = readingProc(bench, async (context) => {
  const { options, progress } = context;
  const { links, hot, rounds } = options;
  const store = await filledStore({ links, withRules: hot }, progress);
  const done = tasks.filter((task) => task.target !== null || !options.isBrief);
  const longest = new Map<Task, number[]>(done.map((task) => [task, []]));
  progress.begin(bench, rounds * done.length);
  for (let round = 0; round < rounds; round++) await runRound(store, longest, context);
  progress.end();
  return done.map((task) =>
    alone({ bench, name: `longest turn, ${task.name}`, unit: "ms" }, spread(longest.get(task)!), task.target),
  );
});

async function runRound(store: string, longest: Map<Task, number[]>, context: BenchContext): Promise<void> {
  const tasks = [...longest.keys()];
  const { cores, progress } = context;
  const data = await dataFolder(store, "copied");
  const server = await startWatched(qrelay(data), data.path, cores.server);
  const api = openApi(server.url, keyOf(accounts.many));
  try {
    // The first time through, code is compiled; how long that takes is of no interest, nor what runs beside it.
    const single = tasks.filter((task) => task.target !== null);
    await Promise.all(single.map((task) => task.run(server, api, context)));
    await server.longestTurn();
    for (const task of tasks) {
      await task.run(server, api, context);
      longest.get(task)!.push(await server.longestTurn());
      progress.step(task.name);
    }
  } finally {
    api.close();
    await server.stop("kill");
    await data.remove();
  }
}
