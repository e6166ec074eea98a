/** Start-up: from the start of the process to the ready line, with everything stored that a busy site has. */
import type { Bench } from "../bench.ts";
import { dataFolder, filledStore } from "../filling/fill.ts";
import { startServer } from "../processes.ts";
import { spread } from "../report/compare.ts";
import { alone } from "../report/figures.ts";
import { qrelay } from "../servers/qrelay.ts";

const bench = "start";

export const start: Bench = async ({ options, cores, progress }) => {
  const { links, hot, rounds } = options;
  const store = await filledStore({ links, withRules: hot }, progress);
  const seconds: number[] = [];
  progress.begin(bench, rounds);
  for (let round = 0; round < rounds; round++) {
    const data = await dataFolder(store, "shared");
    const server = await startServer(qrelay(data), cores.server);
    seconds.push(server.readyMs / 1_000);
    await server.stop();
    await data.remove();
    progress.step();
  }
  progress.end();
  const name = `to the ready line, ${links.toLocaleString("en-US")} links stored`;
  return [alone({ bench, name, unit: "s" }, spread(seconds), { of: "ours", atMost: 3 })];
};
