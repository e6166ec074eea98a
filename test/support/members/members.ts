/**
 * Several members of a cluster in this process: the real service, engine, bus and clocks, on a database in memory in
 * place of MongoDB.
 */
import { pino } from "pino";
import { readConfig } from "../../../src/config.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { type Service, startShared } from "../../../src/service/shared.ts";
import { SharedMemory } from "../../fakes/shared-memory.ts";
import { endsWithTest, temporaryFolder } from "../endings.ts";
import { engineEnv, testEngine } from "../engine.ts";
import { freePort } from "../wire/free-port.ts";

export const adminToken = "0123456789abcdef";

export class MemoryCluster extends SharedMemory {
  /** Of the members on the bus, in the order in which they were started. */
  readonly addresses: string[] = [];
  /** By which they count what their clients may; leases and rights go by real time. */
  clock: Clock = systemClock;

  async start(env: Record<string, string> = {}): Promise<Service> {
    const address = `127.0.0.1:${await freePort()}`;
    this.addresses.push(address);
    const config = readConfig({
      ...engineEnv,
      MONGODB_URL: "mongodb://in-memory.example/",
      CLUSTER: "on",
      CLUSTER_ADDRESS: address,
      PORT: String(await freePort()),
      DATA_DIR: temporaryFolder(),
      PUBLIC_URL: "http://localhost:3000",
      ADMIN_TOKEN: adminToken,
      QRELAY_BOOTSTRAP: "off",
      RENDER_THREADS: "1",
      ...env,
    });
    const log = pino({ level: process.env.TEST_LOG ?? "silent" });
    const fate = { roleChanged() {}, failed: (cause: unknown) => log.error({ err: cause }, "failed") };
    const service = await startShared(config, testEngine, this.seen(), { log, clock: this.clock }, fate);
    const { stop } = service;
    service.stop = endsWithTest(stop);
    return service;
  }
}
