/** Interference: what scans feel while the same process creates codes, draws images or lists codes. */
import { setTimeout as pause } from "node:timers/promises";
import type { BenchOptions } from "../arguments.ts";
import { type Bench, type BenchContext, interleaved } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { accounts, keyOf, slugAt } from "../filling/links.ts";
import { type ApiClient, openApi } from "../load/api-client.ts";
import type { Load, LoadFigures } from "../load/load.ts";
import { pacedCreation } from "../load/paced-creation.ts";
import { apiRequest, creation, type LoadRequest, scanRequests } from "../load/requests.ts";
import { slice } from "../load/slice.ts";
import { visitAll } from "../load/visit.ts";
import { warmthOf, warmUp } from "../load/warm-up.ts";
import { startServer } from "../processes.ts";
import { compare, inOrderOf, type Slices } from "../report/compare.ts";
import { compared, type Target } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";

interface Disturbance {
  name: string;
  /** Begins it; what it gives ends it and waits until its traces are gone. */
  begin(api: ApiClient, context: BenchContext, url: string): Promise<() => Promise<void>>;
}

interface Rounds {
  disturbance: Disturbance;
  rounds: Slices<LoadFigures>[];
}

interface Loads {
  /** The scans, as requests and as a load of them. */
  requests: readonly LoadRequest[];
  load: Load;
  creates: Load;
}

const bench = "interference";
const target: Target = { of: "ratio", atMost: 2 };
const createdPerSecond = 500;
/** More than a thread draws in a second, at the size below: on a core of its own, and on one that scans have most of. */
const waitingImagesPerSecond = { ownCore: 100, sharedCore: 40 };
const listedBeforeMs = 300;
const slicesBefore = ({ isBrief }: BenchOptions) => (isBrief ? 0 : 3);
const slowImage = { width: 2_048, height: 2_048, dot_style: "rounded", eye_style: "rounded" };

const creating: Disturbance = {
  name: `while ${createdPerSecond} codes a second are created`,
  async begin(api, { note }, url) {
    const creation = await pacedCreation(url, keyOf(accounts.few), createdPerSecond);
    return async () => {
      const { perSecond, lastId } = await creation.stop();
      if (perSecond < 0.95 * createdPerSecond)
        note(`only ${Math.round(perSecond)} codes a second were created`);
      await api.rendered(lastId, 20);
    };
  },
};

const rendering: Disturbance = {
  name: "while rendering runs flat out",
  async begin(api, { options, cores, note }) {
    const { ownCore, sharedCore } = waitingImagesPerSecond;
    const images = (cores.server === null ? ownCore : sharedCore) * (options.seconds + 1);
    const fields = { redirect_url: "https://example.com/", qr_render_metadata: slowImage };
    const ids = await Promise.all(Array.from({ length: images }, () => api.create(fields)));
    const lastId = ids.sort().at(-1)!;
    return async () => {
      if ((await api.renderStatus(lastId)) === "done") note("rendering ran out of work during a slice");
      await api.rendered(lastId, 20);
    };
  },
};

/** By the generator of the load: a client that takes more of its core would keep the scans' clients waiting. */
const listing: Disturbance = {
  name: "while a client lists 100 codes at a time, flat out",
  async begin(_, { generator, options }, url) {
    const lists = await generator.prepare([apiRequest(keyOf(accounts.few), "/v1/qr-codes?page_size=100")]);
    const listed = lists.slice(url, 1, options.seconds + 1);
    await pause(listedBeforeMs);
    return async () => {
      await listed;
      await lists.remove();
    };
  },
};

export const interference: Bench = async (context) => {
  const { options, generator, progress } = context;
  const { hot, rounds } = options;
  const store = await filledStore({ links: 2 * hot, withRules: 0 }, progress);
  const requests = scanRequests(Array.from({ length: hot }, (_, at) => slugAt(at)));
  const load = await generator.prepare(requests);
  const creates = await generator.prepare([apiRequest(keyOf(accounts.few), "/v1/qr-codes", creation)]);
  const all: Rounds[] = [creating, rendering, listing].map((disturbance) => ({ disturbance, rounds: [] }));
  const slices = 2 * options.pairs + 1 + slicesBefore(options);
  progress.begin(bench, all.length * rounds * slices);
  try {
    for (let round = 0; round < rounds; round++) {
      await runRound(inOrderOf(round, all), store, { requests, load, creates }, context);
    }
  } finally {
    progress.end();
    await load.remove();
    await creates.remove();
  }
  return all.map(({ disturbance, rounds: done }) =>
    compared(
      { bench, name: `p99 of scans ${disturbance.name}`, unit: "ms" },
      "without",
      compare(done, (slice) => slice.p99),
      target,
    ),
  );
};

/** On one server: each of them ends before the next begins. */
async function runRound(
  all: readonly Rounds[],
  store: string,
  { requests, load, creates }: Loads,
  context: BenchContext,
): Promise<void> {
  const { cores, options } = context;
  const data = await dataFolder(store, "copied");
  const server = await startServer(qrelay(data), cores.server);
  const api = openApi(server.url, keyOf(accounts.few));
  try {
    await visitAll(server.url, requests);
    // The threads that compile share the core with the loop, and keep scans waiting until they have done most of it.
    if (!options.isBrief) {
      await warmUp(creates, server.url, options.connections[0]!, warmthOf(options, "write"));
      await warmUp(load, server.url, options.connections[0]!, warmthOf(options));
    }
    // The first image waits for the render thread to start, and all of them for those before.
    await api.rendered(await api.create({ redirect_url: "https://example.com/" }), 20);
    for (const { disturbance, rounds } of all) {
      const scan = () => slice(load, server.url, disturbance.name, context);
      const disturbed = async () => {
        const end = await disturbance.begin(api, context, server.url);
        const figures = await scan();
        await end();
        return figures;
      };
      // What only the two together run is not compiled yet.
      for (let before = 0; before < slicesBefore(options); before++) await disturbed();
      rounds.push(await interleaved(context, { reference: scan, variant: disturbed }));
    }
  } finally {
    api.close();
    await server.stop("kill");
    await data.remove();
  }
}
