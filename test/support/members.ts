/**
 * Several members of a cluster in this process: the real service, engine, bus and clocks, on a database in memory in
 * place of MongoDB. What is kept from them is what MongoDB itself does.
 */
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { type Service, type SharedDatabase, startShared } from "../../src/service/shared.ts";
import type { Ownership } from "../../src/store/ownership.ts";
import { type Store, StoreUnavailable } from "../../src/store/store.ts";
import { Database } from "../fakes/database.ts";
import { LeaseDocument, memoryLease } from "../fakes/memory-lease.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { endsWithTest, temporaryFolder } from "./endings.ts";
import { engineEnv, testEngine } from "./engine.ts";
import { freePort } from "./free-port.ts";

export const adminToken = "0123456789abcdef";

export class MemoryCluster {
  readonly document = new LeaseDocument();
  /** Of the members on the bus, in the order in which they were started. */
  readonly addresses: string[] = [];
  readonly #database = new Database();
  /** Secrets are the database's, and a store in memory makes its own. */
  readonly #secrets = new MemoryStore();
  /** Whether the database is away for all. */
  isAway = false;
  /** What an operation of a store waits for, by its name and the member that asks. */
  before: (name: string, member: number, given: readonly unknown[]) => Promise<void> | undefined = () =>
    undefined;
  /** The latest epoch: whoever wrote under an earlier one is shut out. */
  #fence = 0;

  async start(): Promise<Service> {
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
    });
    const log = pino({ level: process.env.TEST_LOG ?? "silent" });
    const fate = { roleChanged() {}, failed: (cause: unknown) => log.error({ err: cause }, "failed") };
    const service = await startShared(config, testEngine, this.#seen(), { log }, fate);
    const { stop } = service;
    service.stop = endsWithTest(stop);
    return service;
  }

  #seen(): SharedDatabase {
    return {
      lease: this.#guarded(memoryLease(this.document)),
      open: async (ownership) => this.#open(ownership),
      close: async () => {},
    };
  }

  #guarded<T extends object>(asked: T): T {
    return new Proxy(asked, {
      get: (target, name) => {
        const found = Reflect.get(target, name) as unknown;
        if (typeof found !== "function") return found;
        return async (...given: unknown[]) => {
          if (this.isAway) throw new StoreUnavailable("away");
          return Reflect.apply(found, target, given);
        };
      },
    });
  }

  #open(ownership: Ownership): Store {
    const epoch = ownership.epoch();
    if (epoch !== null) this.#fence = Math.max(this.#fence, epoch);
    const member = ownership.member() ?? 0;
    const store = new MemoryStore(member, this.#database);
    const membership = { epoch: member, mayServe: () => ownership.mayServe() };
    const isShut = () => ownership.epoch() === null || ownership.epoch() !== this.#fence;
    return new Proxy<Store>(store, {
      get: (target, name) => {
        if (name === "membership") return membership;
        if (name === "codeAtHand") return () => undefined;
        const asked = name === "secret" ? this.#secrets : target;
        const found = Reflect.get(asked, name) as unknown;
        if (typeof found !== "function") return found;
        return async (...given: unknown[]) => {
          if (this.isAway) throw new StoreUnavailable("away");
          await this.before(String(name), member, given);
          const isOwners = name === "commit" || (name === "saveScans" && given[1] === "owner");
          if (isOwners && isShut()) throw new StoreUnavailable("Another process owns the accounts now.");
          return Reflect.apply(found, asked, given);
        };
      },
    });
  }
}
