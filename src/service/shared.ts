/**
 * A process on a database that others may use as well.
 *
 * The one that holds the lease owns the accounts (`roles.ts`). The others stand by and answer 503, or, where members
 * speak with each other, serve links by themselves and hand all else to the owner (`member.ts`).
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createLease, type Lease } from "../cluster/lease.ts";
import { RightToServe, systemWatches } from "../cluster/right-to-serve.ts";
import type { Config } from "../config.ts";
import { listenStandby } from "../door/standby.ts";
import type { Engine } from "../engine/engine.ts";
import { systemClock } from "../runtime/clock.ts";
import { type Opened, openWhole } from "../runtime/opened.ts";
import { realDisk } from "../scan/journal/disk.ts";
import { journalDirectory, recoverJournal } from "../scan/journal/recovery.ts";
import type { Store } from "../store/store.ts";
import { openMember } from "./cluster/member.ts";
import { createRoles, type Role } from "./cluster/roles.ts";
import { type Composition, compose } from "./compose.ts";
import type { Surroundings } from "./front.ts";
import type { Fate, Service, SharedDatabase } from "./life.ts";
import { SharedEnd } from "./shared-end.ts";

export type { Fate, Service, SharedDatabase } from "./life.ts";

interface Serving extends Role {
  parts: Composition;
}

export function startShared(
  config: Config,
  engine: Engine,
  database: SharedDatabase,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  return openWhole(async (opened) => {
    opened.add(() => database.close());
    /** All roles listen at the same place, one after the other. */
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    const address = addressOf(config.host, port);
    const open = config.cluster === null ? openWithStandbys : openMember;
    return open(opened, { ...config, port }, address, engine, database, surroundings, fate);
  });
}

/**
 * The parts of one ownership see the store through its epoch: should this process lose the lease and win it again, what
 * they still have in memory can neither be written nor served under the new one.
 */
async function openWithStandbys(
  opened: Opened,
  config: Config,
  address: string,
  engine: Engine,
  database: SharedDatabase,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  const { log } = surroundings;
  const end = new SharedEnd(() => opened.close(), fate);
  // Other processes live in real time, whatever clock this one was handed.
  const right = new RightToServe(systemWatches);
  const lease: Lease = createLease({
    record: database.lease,
    clock: systemClock,
    right,
    holder: randomUUID(),
    changed: () => void roles.take().catch(end.giveUp),
  });

  const roles = createRoles<Serving>({
    lease,
    clock: systemClock,
    log,
    changed: () => fate.roleChanged(service),
    cast: {
      async standBy() {
        const standby = await listenStandby(engine, config.host, config.port);
        return { leave: async () => standby.close() };
      },
      async open(epoch) {
        const store = await storeUnder(epoch);
        await store.ping();
        return async () => {
          const parts = await compose(config, engine, store, surroundings);
          return { parts, leave: () => parts.stop() };
        };
      },
      async handOver() {
        const found = { disk: realDisk, directory: journalDirectory(config.dataDir), log };
        await recoverJournal({ ...found, now: systemClock.now() }, await storeUnder(null));
      },
    },
  });

  function storeUnder(epoch: number | null): Promise<Store> {
    const isOurs = () => epoch !== null && lease.epoch() === epoch;
    return database.open({
      epoch: () => (isOurs() ? epoch : null),
      member: () => epoch,
      lost: () => isOurs() && lease.lost(),
      mayServe: () => isOurs() && lease.mayServe(),
    });
  }

  const service: Service = {
    address,
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
    stop: () => end.stop(() => roles.end()),
  };

  opened.add(() => lease.release());
  await lease.start();
  await roles.take();
  end.started();
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

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
