/**
 * Members of a cluster, all in this process and on a database in memory: they can be measured where there is no MongoDB.
 * What MongoDB takes is left out of all figures alike, and members that share a core and a loop take time from each other.
 *
 * BENCH_MEMBERS is how many there are, 0 for one process with `CLUSTER=off`; the address that is printed is that of the
 * owner, or with BENCH_ASKED=follower of the last one.
 */
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { chooseEngine } from "../../src/engine/choose.ts";
import { type Service, startShared } from "../../src/service/shared.ts";
import { MemoryStore } from "../../test/fakes/memory-store.ts";
import { SharedMemory } from "../../test/fakes/shared-memory.ts";
import { fill } from "../filling/fill.ts";
import { openProgress } from "../report/progress.ts";

const members = Number(process.env.BENCH_MEMBERS);
const links = Number(process.env.BENCH_LINKS);
const memory = new SharedMemory();
await fill(new MemoryStore(0, memory.documents), { links, withRules: 0 }, openProgress(process.stderr));

const log = pino({ level: "warn" }, process.stderr);
const fate = { roleChanged() {}, failed: (cause: unknown) => void log.fatal({ err: cause }, "failed") };
const services: Service[] = [];
for (let at = 0; at < Math.max(1, members); at++) {
  const folder = join(process.env.BENCH_FOLDER!, String(at));
  mkdirSync(folder);
  const config = readConfig({
    HTTP_ENGINE: process.env.HTTP_ENGINE,
    MONGODB_URL: "mongodb://in-memory.example/",
    ...(members > 0 && { CLUSTER: "on", CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}` }),
    PORT: "0",
    DATA_DIR: folder,
    PUBLIC_URL: "http://localhost:3000",
    ADMIN_TOKEN: "0123456789abcdef",
    QRELAY_BOOTSTRAP: "off",
    RENDER_THREADS: "1",
  });
  const { engine } = chooseEngine(config.httpEngine);
  services.push(await startShared(config, engine, memory.seen(), { log }, fate));
}
for (const { address } of services) while ((await fetch(`${address}/readyz`)).status !== 200);
console.log(`listening on ${services.at(process.env.BENCH_ASKED === "follower" ? -1 : 0)!.address}`);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
