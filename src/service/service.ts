/**
 * The service on its store.
 *
 * On the embedded store it simply runs. On MongoDB several processes may share a database: the one that holds
 * the lease runs, the others stand by with nothing loaded and answer 503. Becoming owner is an ordinary start
 * and stepping down an ordinary stop whose writes the fence refuses, so there is no state to carry over and none
 * that could be wrong. The parts of one ownership see the store through its epoch: should this process lose the
 * lease and win it again, what they still have in memory cannot be written under the new one. Scans in the journal
 * of a process that stands by are handed over to the owner.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { takeDataFolder } from "../cluster/data-folder.ts";
import type { Config } from "../config.ts";
import { listenStandby, type Standby } from "../door/standby.ts";
import { chooseEngine } from "../engine/choose.ts";
import type { Engine } from "../engine/engine.ts";
import { leaseLookMs } from "../limits.ts";
import { systemClock } from "../runtime/clock.ts";
import { keepToOwner } from "../runtime/owner-only.ts";
import { realDisk } from "../scan/journal-disk.ts";
import { journalDirectory, recoverJournal } from "../scan/recover-journal.ts";
import { assertDocument } from "../schema/validators.ts";
import { openLmdbStore } from "../store/lmdb/lmdb-store.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";
import { type Composition, compose, type Surroundings } from "./compose.ts";

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

/** `epoch` is that of the ownership, null without one. */
type Role = { epoch: number; parts: Composition } | { epoch: null; standby: Standby };

async function startOnMongo(
  config: Config,
  engine: Engine,
  url: string,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  const { log } = surroundings;
  // Loaded when it is wanted: the driver takes a third of the time that all else takes at a start.
  const [{ connect }, { openMongoStore }, { createLease }] = await Promise.all([
    import("../store/mongo/client.ts"),
    import("../store/mongo/mongo-store.ts"),
    import("../cluster/lease.ts"),
  ]);
  /** All roles listen at the same place, one after the other. */
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const connection = await connect(url);
  let role: Role | null = null;
  let started = false;
  let stopping = false;
  /** Changes of role, one after the other. */
  let turn: Promise<void> = Promise.resolve();

  const lease = createLease({
    connection,
    // Other processes live in real time, whatever clock this one was handed.
    clock: systemClock,
    holder: randomUUID(),
    changed: () => void changeRole().catch(giveUp),
  });

  const warn = (cause: unknown) => log.warn({ err: cause }, "not everything could be stored");

  function changeRole(): Promise<void> {
    const taken = turn.then(takeRole);
    turn = taken.then(recoverOwnJournal);
    turn.catch(() => {});
    return taken;
  }

  async function takeRole(): Promise<void> {
    const epoch = lease.epoch();
    if (stopping || (role !== null && role.epoch === epoch)) return;
    if (epoch === null) {
      await leaveRole().catch(warn);
      await standBy();
      log.info("standing by: another process owns the database");
    } else if (await own(epoch)) log.info({ epoch }, "owner of the database");
    else return;
    if (started) fate.roleChanged(service);
  }

  async function standBy(): Promise<void> {
    role = { epoch: null, standby: await listenStandby(engine, config.host, port) };
  }

  /**
   * False when the ownership is over before there is anything to serve from: an owner often goes because MongoDB is
   * in trouble, and then there is nothing to be had for a while.
   */
  async function own(epoch: number): Promise<boolean> {
    const isOurs = () => lease.epoch() === epoch && !stopping;
    while (isOurs()) {
      try {
        const store = await storeUnder(() => (lease.epoch() === epoch ? epoch : null));
        await store.ping();
        await leaveRole().catch(warn);
        role = { epoch, parts: await compose({ ...config, port }, engine, store, surroundings) };
        return true;
      } catch (cause) {
        if (!started || !(cause instanceof StoreUnavailable)) throw cause;
        if (role === null) await standBy();
        await pause(leaseLookMs);
      }
    }
    return false;
  }

  function storeUnder(epoch: () => number | null): Promise<Store> {
    return openMongoStore({
      connection,
      assertDocument,
      ownership: { epoch, lost: () => lease.lost() },
    });
  }

  /** What this process counted as owner and could not save, for whoever owns the accounts now. */
  async function recoverOwnJournal(): Promise<void> {
    const found = { disk: realDisk, directory: journalDirectory(config.dataDir), log };
    for (let tries = 1; lease.epoch() === null && !stopping; tries++) {
      try {
        return await recoverJournal(found, await storeUnder(() => null));
      } catch (cause) {
        if (tries === 1) log.warn({ err: cause }, "scans in the journal are not handed over yet");
        await pause(leaseLookMs);
      }
    }
  }

  async function leaveRole(): Promise<void> {
    const left = role;
    role = null;
    if (left?.epoch === null) left.standby.close();
    else await left?.parts.stop();
  }

  function serving(): Composition | null {
    return role === null || role.epoch === null ? null : role.parts;
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
      return serving()?.publicUrl ?? "";
    },
    get firstKey() {
      return serving()?.firstKey ?? null;
    },
    get firstLink() {
      return serving()?.firstLink ?? null;
    },
    get adminToken() {
      return serving()?.adminToken ?? "";
    },
    isOwner: () => serving() !== null,
    async stop() {
      stopping = true;
      await turn.catch(() => {});
      await leaveRole().finally(end);
    },
  };

  try {
    await lease.start();
    await changeRole();
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
