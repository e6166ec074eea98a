/**
 * What metrics cost a scan. A difference of one per cent drowns in the noise of two servers that are measured beside
 * each other, so both sides are measured by themselves: the time that a turn of the event loop with its scans takes
 * of the server's processor, and the time that the metrics take in a turn.
 */

import { verdicts } from "../../src/link/decision.ts";
import { openMetrics } from "../../src/metrics/metrics.ts";
import { type BenchContext, readingProc } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { slugAt } from "../filling/links.ts";
import { scanRequests } from "../load/requests.ts";
import { visitAll } from "../load/visit.ts";
import { processorSeconds } from "../processes.ts";
import { spread } from "../report/compare.ts";
import { alone, type Target } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";
import { startCounted } from "../watched.ts";

const bench = "metrics";
const links = 1_000;
const observations = 2_000_000;
const target: Target = { of: "ours", atMost: 1 };

export const metrics = readingProc(bench, async (context) => {
  const { options, progress } = context;
  const connections = [1, options.connections[0]!];
  const store = await filledStore({ links, withRules: 0 }, progress);
  const shares: number[][] = connections.map(() => []);
  progress.begin(bench, options.rounds * connections.length);
  for (let round = 0; round < options.rounds; round++) {
    const nanoseconds = metricsTime();
    const turns = await turnTimes(store, connections, context);
    for (const [at, turn] of turns.entries()) shares[at]!.push((100 * nanoseconds) / turn);
  }
  progress.end();
  return connections.map((count, at) => {
    const name = `metrics' share of scans, ${count} ${count === 1 ? "connection" : "connections"}`;
    return alone({ bench, name, unit: "%" }, spread(shares[at]!), target);
  });
});

/** Nanoseconds of what `ScanTurn` does for the metrics in a turn: two looks at the clock and an observation. */
function metricsTime(): number {
  const observer = openMetrics({
    version: "bench",
    engine: "bench",
    connections: () => 0,
    mayServe: () => true,
    scans: { verdicts, figures: () => null, links: () => 0 },
    journal: { bytes: () => 0, lagMs: () => 0, isHealthy: () => true },
    actors: { live: () => 0, waiting: () => 0 },
    renders: { depth: () => 0 },
    searches: { running: () => 0, waiting: () => 0 },
  });
  const run = () => {
    const began = performance.now();
    for (let turn = 0; turn < observations; turn++) {
      const turnBegan = performance.now();
      observer.scansAnswered(1, performance.now() - turnBegan);
    }
    return ((performance.now() - began) * 1e6) / observations;
  };
  run();
  const nanoseconds = run();
  observer.close();
  return nanoseconds;
}

/** Nanoseconds of the server's processor a turn that answers scans, for each number of connections. */
async function turnTimes(
  store: string,
  connections: readonly number[],
  { options, generator, cores, progress }: BenchContext,
): Promise<number[]> {
  const requests = scanRequests(Array.from({ length: links / 2 }, (_, at) => slugAt(at)));
  const load = await generator.prepare(requests);
  const data = await dataFolder(store, "shared");
  const server = await startCounted(qrelay(data), data.path, cores.server);
  const times: number[] = [];
  try {
    await visitAll(server.url, requests);
    for (const count of connections) {
      await load.slice(server.url, count, 1);
      const [seconds, turns] = [processorSeconds(server.pid), await server.turns()];
      await load.slice(server.url, count, options.seconds);
      const used = processorSeconds(server.pid) - seconds;
      times.push((used * 1e9) / ((await server.turns()) - turns));
      progress.step(`${count} connections`);
    }
    return times;
  } finally {
    await server.stop("kill");
    await Promise.all([load.remove(), data.remove()]);
  }
}
