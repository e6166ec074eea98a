/**
 * Members of a cluster, all in this process and on a database in memory: they can be measured where there is no MongoDB.
 * What MongoDB takes is left out of all figures alike, and members that share a core and a loop take time from each other.
 *
 * BENCH_MEMBERS is how many there are, 0 for one process with `CLUSTER=off`; the address that is printed is that of the one
 * that decides for the account with few codes, or with BENCH_ASKED=follower of another.
 */
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { chooseEngine } from "../../src/engine/choose.ts";
import type { ClusterFields } from "../../src/schema/responses.ts";
import { type Service, startShared } from "../../src/service/shared.ts";
import { MemoryStore } from "../../test/fakes/memory-store.ts";
import { SharedMemory } from "../../test/fakes/shared-memory.ts";
import { fill } from "../filling/fill.ts";
import { accounts, keyOf } from "../filling/links.ts";
import { openProgress } from "../report/progress.ts";

const lookMs = 400;
const members = Number(process.env.BENCH_MEMBERS);
const links = Number(process.env.BENCH_LINKS);
const memory = new SharedMemory();
await fill(new MemoryStore(0, memory.documents), { links, withRules: 0 }, openProgress(process.stderr));

const log = pino({ level: "warn" }, process.stderr);
const fate = { roleChanged() {}, failed: (cause: unknown) => void log.fatal({ err: cause }, "failed") };
const services: Service[] = [];
const buses: string[] = [];
const adminToken = "0123456789abcdef";
for (let at = 0; at < Math.max(1, members); at++) {
  const folder = join(process.env.BENCH_FOLDER!, String(at));
  mkdirSync(folder);
  buses.push(`127.0.0.1:${await freePort()}`);
  const config = readConfig({
    HTTP_ENGINE: process.env.HTTP_ENGINE,
    MONGODB_URL: "mongodb://in-memory.example/",
    ...(members > 0 && { CLUSTER: "on", CLUSTER_ADDRESS: buses[at]! }),
    PORT: "0",
    DATA_DIR: folder,
    PUBLIC_URL: "http://localhost:3000",
    ADMIN_TOKEN: adminToken,
    QRELAY_BOOTSTRAP: "off",
    RENDER_THREADS: "1",
  });
  const { engine } = chooseEngine(config.httpEngine);
  services.push(await startShared(config, engine, memory.seen(), { log }, fate));
}
for (const { address } of services) while ((await fetch(`${address}/readyz`)).status !== 200);
const decides = members > 1 ? await decider() : 0;
const asked = process.env.BENCH_ASKED === "follower" ? decides + 1 : decides;
console.log(`listening on ${services[asked % services.length]!.address}`);

/** By whose commit a change of the account is stored, when the accounts are shared out and nothing moves any more. */
async function decider(): Promise<number> {
  const { address } = services[0]!;
  let committed = 0;
  memory.before = (name, member) => {
    if (name === "commit") committed = member;
    return undefined;
  };
  const look = async () => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const told = await (await fetch(`${address}/admin/v1/cluster`, { headers })).json();
    return (told as Pick<ClusterFields, "members">).members;
  };
  for (let before = ""; ; await pause(lookMs)) {
    const seen = await look();
    const shares = String(seen.map(({ partitions }) => partitions));
    const isShared = seen.length === members && seen.every(({ partitions }) => partitions > 0);
    if (!isShared || shares !== before) {
      before = shares;
      continue;
    }
    const headers = { "x-api-key": keyOf(accounts.few), "content-type": "application/json" };
    const body = JSON.stringify({ name: "whoever decides" });
    const { status } = await fetch(`${address}/v1/projects`, { method: "POST", headers, body });
    if (status !== 201) throw new Error(`a project could not be made: ${status}`);
    memory.before = () => undefined;
    const { address: bus } = seen.find(({ member }) => member === committed)!;
    return buses.indexOf(bus!);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
