/**
 * The service on its store.
 *
 * On the embedded store it simply runs. On MongoDB several processes may share a database: the one that holds
 * the lease runs, the others stand by with nothing loaded and answer 503. Becoming owner is an ordinary start
 * and stepping down an ordinary stop whose writes the fence refuses, so there is no state to carry over and none
 * that could be wrong. The parts of one ownership see the store through its epoch: should this process lose the
 * lease and win it again, what they still have in memory cannot be written under the new one.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "./clock.ts";
import { type Composition, compose, type Surroundings } from "./composition.ts";
import type { Config } from "./config.ts";
import { listenStandby, type Standby } from "./http/standby.ts";
import { assertDocument } from "./schema/validators.ts";
import { createLease, lookEveryMs } from "./store/lease.ts";
import { openLmdbStore } from "./store/lmdb-store.ts";
import { connect } from "./store/mongo-client.ts";
import { openMongoStore } from "./store/mongo-store.ts";
import { type Store, StoreUnavailable } from "./store/store.ts";

export interface Service {
  /** Where it listens. */
  address: string;
  /** The key of the demo account, when this start made it. */
  firstKey: string | null;
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

export function startService(
  config: Config,
  surroundings: Surroundings,
  fate: Fate = unwatched,
): Promise<Service> {
  return config.mongodbUrl === null
    ? startEmbedded(config, surroundings)
    : startOnMongo(config, config.mongodbUrl, surroundings, fate);
}

async function startEmbedded(config: Config, surroundings: Surroundings): Promise<Service> {
  const store = await openLmdbStore({ path: join(config.dataDir, "store"), assertDocument });
  const parts = await compose(config, store, surroundings);
  return {
    address: addressOf(config.host, parts.port),
    firstKey: parts.firstKey,
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
  url: string,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  const { log } = surroundings;
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
    turn = turn.then(takeRole);
    return turn;
  }

  async function takeRole(): Promise<void> {
    const epoch = lease.epoch();
    if (stopping || (role !== null && role.epoch === epoch)) return;
    if (epoch === null) {
      await leaveRole().catch(warn);
      role = { epoch, standby: await listenStandby(config.host, port) };
      log.info("standing by: another process owns the database");
    } else {
      // A standby stands by until there is something to serve from.
      const store = await ownedStore(epoch);
      if (store === null) return;
      await leaveRole().catch(warn);
      const limitsAreSafe = () => lease.epoch() === epoch && lease.certain();
      role = { epoch, parts: await compose({ ...config, port }, store, { ...surroundings, limitsAreSafe }) };
      log.info({ epoch }, "owner of the database");
    }
    if (started) fate.roleChanged(service);
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

  /**
   * The store under this epoch, when it answers: an owner often goes because MongoDB is in trouble, and then
   * there is nothing to be had for a while. Null when the ownership is over before that.
   */
  async function ownedStore(epoch: number): Promise<Store | null> {
    const isOurs = () => lease.epoch() === epoch;
    const ownership = { epoch: () => (isOurs() ? epoch : null), lost: () => lease.lost() };
    while (isOurs() && !stopping) {
      try {
        const store = await openMongoStore({ connection, assertDocument, ownership });
        await store.ping();
        return store;
      } catch (cause) {
        if (!started || !(cause instanceof StoreUnavailable)) throw cause;
        await pause(lookEveryMs);
      }
    }
    return null;
  }

  async function end(): Promise<void> {
    stopping = true;
    await lease.release();
    await connection.client.close();
  }

  /** Parts that are half put together are not mended: whoever starts the process again gets whole ones. */
  async function giveUp(cause: unknown): Promise<void> {
    if (stopping || !started) return;
    await end();
    fate.failed(cause);
  }

  const service: Service = {
    address: addressOf(config.host, port),
    get firstKey() {
      return serving()?.firstKey ?? null;
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
