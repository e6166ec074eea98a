/**
 * A process on a database that others may use as well.
 *
 * The one that holds the lease owns the accounts (`roles.ts`). The others stand by and answer 503, or, where members
 * speak with each other, serve links by themselves and hand all else to the owner (`cluster.ts`, `follower.ts`). The
 * parts of one ownership see the store through its epoch: should this process lose the lease and win it again, what they
 * still have in memory can neither be written nor served under the new one.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { openTcpNetwork, parseBusAddress } from "../cluster/bus/tcp-network.ts";
import { handOver } from "../cluster/hand-over.ts";
import { createLease, type Lease, type LeaseRecord } from "../cluster/lease.ts";
import { RightToServe, systemWatches } from "../cluster/right-to-serve.ts";
import { tellingStore } from "../cluster/telling-store.ts";
import type { ClusterConfig, Config } from "../config.ts";
import { listenStandby } from "../door/standby.ts";
import type { Engine } from "../engine/engine.ts";
import { InnerApp } from "../engine/inner-app.ts";
import { ClusterMetrics } from "../metrics/cluster-metrics.ts";
import { systemClock } from "../runtime/clock.ts";
import { systemRandom } from "../runtime/random.ts";
import { realDisk } from "../scan/journal/disk.ts";
import { journalDirectory, recoverJournal } from "../scan/journal/recovery.ts";
import type { Ownership } from "../store/ownership.ts";
import type { Store } from "../store/store.ts";
import { Cluster } from "./cluster.ts";
import { type ClusterSeen, type Composition, compose, type Surroundings } from "./compose.ts";
import { prepareFollower } from "./follower.ts";
import { followWhenPossible } from "./follower-role.ts";
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

/** The database, as several processes see it. */
export interface SharedDatabase {
  lease: LeaseRecord;
  open(ownership: Ownership): Promise<Store>;
  close(): Promise<void>;
}

interface Serving extends Role {
  parts: Composition;
}

export async function startShared(
  config: Config,
  engine: Engine,
  database: SharedDatabase,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  const { log } = surroundings;
  /** All roles listen at the same place, one after the other. */
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  let started = false;
  let stopping = false;

  const holder = randomUUID();
  // Other processes live in real time, whatever clock this one was handed.
  const right = new RightToServe(systemWatches);
  const cluster = config.cluster && (await joinCluster(config.cluster));
  const figures = cluster && new ClusterMetrics(cluster.figures);
  const around: Surroundings = cluster === null ? surroundings : { ...surroundings, cluster: seen(cluster) };
  const lease: Lease = createLease({
    record: database.lease,
    clock: systemClock,
    right,
    holder,
    ...cluster?.leaseOptions,
    changed: () => void roles.take().catch(giveUp),
  });

  const roles = createRoles<Serving>({
    lease,
    clock: systemClock,
    log,
    changed: () => fate.roleChanged(service),
    failed: giveUp,
    cast: {
      standBy: () => (cluster === null ? standBy() : follow(cluster)),
      async open(epoch) {
        const bare = await storeUnder(epoch);
        await bare.ping();
        cluster?.fenced(epoch);
        const telling = cluster && tellingStore(bare, figures!.watchTelling(cluster.tell));
        return async () => {
          const others = cluster && { inner: new InnerApp(), refuse: () => cluster.refuse() };
          const store = telling?.store ?? bare;
          const parts = await compose({ ...config, port }, engine, store, around, others);
          if (others !== null) cluster!.answerWith({ inner: others.inner, scans: parts.scans });
          const leave = async () => {
            await parts.stop();
            await telling?.settled();
          };
          return { parts, leave };
        };
      },
      async handOver() {
        // Whoever follows has begun with that.
        if (cluster !== null) return;
        const found = { disk: realDisk, directory: journalDirectory(config.dataDir), log };
        await recoverJournal({ ...found, now: systemClock.now() }, await storeUnder(null));
      },
    },
  });

  /** The parts of one ownership: should this process lose the lease and win it again, the new one is not theirs. */
  function storeUnder(epoch: number | null): Promise<Store> {
    const isOurs = () => epoch !== null && lease.epoch() === epoch;
    return database.open({
      epoch: () => (isOurs() ? epoch : null),
      member: () => epoch,
      lost: () => isOurs() && lease.lost(),
      mayServe: () => isOurs() && lease.mayServe(),
    });
  }

  async function standBy(): Promise<Role> {
    const standby = await listenStandby(engine, config.host, port);
    return { leave: async () => standby.close() };
  }

  function follow(cluster: Cluster): Promise<Role> {
    return followWhenPossible({
      standBy,
      clock: systemClock,
      failed: giveUp,
      async prepare() {
        const member = await database.lease.nextEpoch(0);
        const ownership = {
          epoch: () => null,
          member: () => member,
          lost() {},
          mayServe: () => cluster.mayServe(),
        };
        const store = await database.open(ownership);
        const owner = {
          call: figures!.watchForwarding("request", cluster.call),
          limited: figures!.watchForwarding("limited_scans", cluster.limited),
          isKnown: () => cluster.isKnown(),
        };
        const follower = await prepareFollower({ ...config, port }, engine, store, around, owner);
        return async () => {
          // From before the first scan to behind the last.
          cluster.keepFresh(follower.scans);
          const stop = await follower.listen();
          return { leave: () => stop().finally(() => cluster.keepFresh(null)) };
        };
      },
    });
  }

  async function joinCluster({ address, tls }: ClusterConfig): Promise<Cluster> {
    const secret = await (await storeUnder(null)).secret("cluster bus");
    const network = await openTcpNetwork(parseBusAddress(address)!, tls);
    log.info({ address }, "other members are listened for");
    return new Cluster({
      ...{ network, address, secret, right, log, name: holder, lease: () => lease },
      clock: systemClock,
      watches: systemWatches,
      random: systemRandom,
      makeWay: () => roles.makeWay(),
    });
  }

  function seen(cluster: Cluster): ClusterSeen {
    return {
      figures: figures!.families,
      members: () => cluster.members(),
      completeUntil: (savedAt) => cluster.completeUntil(savedAt),
    };
  }

  async function end(): Promise<void> {
    stopping = true;
    if (lease.state() === "owner") await cluster?.dismiss();
    await lease.release();
    cluster?.close();
    await database.close();
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
      const leave = () => roles.end();
      await (cluster === null ? leave() : handOver({ lease, heirs: cluster, leave })).finally(end);
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

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
