/**
 * Members of a cluster, all in this process and on a database in memory: they can be measured where there is no MongoDB.
 * What MongoDB takes is left out of all figures alike, and members that share a core and a loop take time from each other.
 *
 * BENCH_BUSES are the addresses that they reach each other by, none for one process with `CLUSTER=off`. Where each takes
 * requests is printed, in the same order.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { chooseEngine } from "../../src/engine/choose.ts";
import { type Service, startShared } from "../../src/service/shared.ts";
import { MemoryStore } from "../../test/fakes/memory-store.ts";
import { SharedMemory } from "../../test/fakes/shared-memory.ts";
import { fill } from "../filling/fill.ts";
import { openProgress } from "../report/progress.ts";

const buses = process.env.BENCH_BUSES === "" ? [null] : process.env.BENCH_BUSES!.split(",");
const links = Number(process.env.BENCH_LINKS);
const memory = new SharedMemory();
await fill(new MemoryStore(0, memory.documents), { links, withRules: 0 }, openProgress(process.stderr));

const log = pino({ level: "warn" }, process.stderr);
const fate = { roleChanged() {}, failed: (cause: unknown) => void log.fatal({ err: cause }, "failed") };
const services: Service[] = [];
for (const [at, bus] of buses.entries()) {
  const folder = join(process.env.BENCH_FOLDER!, String(at));
  mkdirSync(folder);
  const config = readConfig({
    HTTP_ENGINE: process.env.HTTP_ENGINE,
    MONGODB_URL: "mongodb://in-memory.example/",
    ...(bus !== null && { CLUSTER: "on", CLUSTER_ADDRESS: bus }),
    PORT: "0",
    DATA_DIR: folder,
    PUBLIC_URL: "http://localhost:3000",
    ADMIN_TOKEN: process.env.ADMIN_TOKEN,
    METRICS: "open",
    QRELAY_BOOTSTRAP: "off",
    RENDER_THREADS: "1",
  });
  const { engine } = chooseEngine(config.httpEngine);
  services.push(await startShared(config, engine, memory.seen(), { log }, fate));
}
console.log(`listening on ${services.map(({ address }) => address).join(",")}`);
