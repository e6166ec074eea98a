/**
 * The service on its store.
 *
 * On the embedded store it simply runs. On MongoDB several processes may share a database: the one that holds
 * the lease runs, the others stand by and answer 503 (`roles.ts`). The parts of one ownership see the store through its
 * epoch: should this process lose the lease and win it again, what they still have in memory can neither be written
 * nor served under the new one.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { takeDataFolder } from "../cluster/data-folder.ts";
import { createLease } from "../cluster/lease.ts";
import { RightToServe, systemWatches } from "../cluster/right-to-serve.ts";
import type { Config } from "../config.ts";
import { listenStandby } from "../door/standby.ts";
import { chooseEngine } from "../engine/choose.ts";
import type { Engine } from "../engine/engine.ts";
import { systemClock } from "../runtime/clock.ts";
import { keepToOwner } from "../runtime/owner-only.ts";
import { realDisk } from "../scan/journal-disk.ts";
import { journalDirectory, recoverJournal } from "../scan/recover-journal.ts";
import { assertDocument } from "../schema/validators.ts";
import { openLmdbStore } from "../store/lmdb/lmdb-store.ts";
import type { Store } from "../store/store.ts";
import { type Composition, compose, type Surroundings } from "./compose.ts";
import { createRoles, type Role } from "./roles.ts";

export interface Service {
  /** Where it listens. */
  address: string;
  /** Origin of the links that it makes; empty while this process stands by for another. */
  publicUrl: string;
  /** The key of the demo account and the link to its dashboard, when this start made it. */
  firstKey: string | null;
  firstLink: string | null;
  /** Empty while this process stands by for another. */
  adminToken: string;
  isOwner(): boolean;
  /** Lets requests in flight end, stores everything, and stops. */
  stop(): Promise<void>;
}

/** What may happen to a service after its start. */
export interface Fate {
  /** It was standing by and serves now, or the other way round. */
  roleChanged(service: Service): void;
  /** It could not take its new role. It has given the lease back and stopped. */
  failed(cause: unknown): void;
}

const unwatched: Fate = { roleChanged() {}, failed() {} };

export async function startService(
  config: Config,
  surroundings: Surroundings,
  fate: Fate = unwatched,
): Promise<Service> {
  const { engine, reason } = chooseEngine(config.httpEngine);
  surroundings.log.info({ engine: engine.name, reason }, "HTTP engine");
  const giveBack = await takeDataFolder(config.dataDir);
  try {
    closeToOthers(config.dataDir, surroundings.log);
    const service = await (config.mongodbUrl === null
      ? startEmbedded(config, engine, surroundings)
      : startOnMongo(config, engine, config.mongodbUrl, surroundings, fate));
    const { stop } = service;
    service.stop = () => stop().finally(giveBack);
    return service;
  } catch (cause) {
    await giveBack();
    throw cause;
  }
}

function closeToOthers(folder: string, log: Surroundings["log"]): void {
  const { closed, open } = keepToOwner(folder);
  if (closed.length > 0) log.info({ closed }, "other users could read the data folder; now they cannot");
  if (open.length > 0)
    log.warn({ open }, "other users can read the data folder: its rights cannot be changed");
}

async function startEmbedded(config: Config, engine: Engine, surroundings: Surroundings): Promise<Service> {
  const store = await openLmdbStore({ path: join(config.dataDir, "store"), assertDocument });
  const parts = await compose(config, engine, store, surroundings).catch(async (cause) => {
    await store.close();
    throw cause;
  });
  return {
    address: addressOf(config.host, parts.port),
    publicUrl: parts.publicUrl,
    firstKey: parts.firstKey,
    firstLink: parts.firstLink,
    adminToken: parts.adminToken,
    isOwner: () => true,
    async stop() {
      await parts.stop();
      await store.close();
    },
  };
}

interface Serving extends Role {
  parts: Composition;
}

async function startOnMongo(
  config: Config,
  engine: Engine,
  url: string,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  const { log } = surroundings;
  // Loaded when it is wanted: the driver takes a third of the time that all else takes at a start.
  const [{ connect }, { openMongoStore }, { mongoLease }] = await Promise.all([
    import("../store/mongo/client.ts"),
    import("../store/mongo/mongo-store.ts"),
    import("../cluster/mongo-lease.ts"),
  ]);
  /** All roles listen at the same place, one after the other. */
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const connection = await connect(url);
  let started = false;
  let stopping = false;

  // Other processes live in real time, whatever clock this one was handed.
  const lease = createLease({
    record: mongoLease(connection),
    clock: systemClock,
    right: new RightToServe(systemWatches),
    holder: randomUUID(),
    changed: () => void roles.take().catch(giveUp),
  });

  const roles = createRoles<Serving>({
    lease,
    clock: systemClock,
    log,
    changed: () => fate.roleChanged(service),
    cast: {
      async standBy() {
        const standby = await listenStandby(engine, config.host, port);
        return { leave: async () => standby.close() };
      },
      async open(epoch) {
        const store = await storeUnder(epoch);
        await store.ping();
        return async () => {
          const parts = await compose({ ...config, port }, engine, store, surroundings);
          return { parts, leave: () => parts.stop() };
        };
      },
      async handOver() {
        const found = { disk: realDisk, directory: journalDirectory(config.dataDir), log };
        await recoverJournal({ ...found, now: systemClock.now() }, await storeUnder(null));
      },
    },
  });

  /** The parts of one ownership: should this process lose the lease and win it again, the new one is not theirs. */
  function storeUnder(epoch: number | null): Promise<Store> {
    const isOurs = () => epoch !== null && lease.epoch() === epoch;
    return openMongoStore({
      connection,
      assertDocument,
      ownership: {
        epoch: () => (isOurs() ? epoch : null),
        member: () => epoch,
        lost: () => isOurs() && lease.lost(),
        mayServe: () => isOurs() && lease.mayServe(),
      },
    });
  }

  async function end(): Promise<void> {
    stopping = true;
    await lease.release();
    await connection.client.close();
  }

  /** What cannot be had by waiting is not waited for: whoever starts the process again is told what is wrong. */
  async function giveUp(cause: unknown): Promise<void> {
    if (stopping || !started) return;
    await end();
    fate.failed(cause);
  }

  const service: Service = {
    address: addressOf(config.host, port),
    get publicUrl() {
      return roles.serving()?.parts.publicUrl ?? "";
    },
    get firstKey() {
      return roles.serving()?.parts.firstKey ?? null;
    },
    get firstLink() {
      return roles.serving()?.parts.firstLink ?? null;
    },
    get adminToken() {
      return roles.serving()?.parts.adminToken ?? "";
    },
    isOwner: () => roles.serving() !== null,
    async stop() {
      stopping = true;
      await roles.end().finally(end);
    },
  };

  try {
    await lease.start();
    await roles.take();
  } catch (cause) {
    await end();
    throw cause;
  }
  started = true;
  return service;
}

async function freePort(host: string): Promise<number> {
  const trial = createServer().listen(0, host);
  await once(trial, "listening");
  const { port } = trial.address() as AddressInfo;
  trial.close();
  await once(trial, "close");
  return port;
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
