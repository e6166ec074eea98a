/**
 * One member of a cluster (`CLUSTER=on`): its front lasts from its start to its end, and what decides for the accounts
 * comes and goes beside it with the lease.
 *
 * It counts under one number for life, and owns under another every time that it does: so it can lose the accounts and
 * have them again without a word to those who scan.
 */
import { randomUUID } from "node:crypto";
import { openTcpNetwork, parseBusAddress } from "../../cluster/bus/tcp-network.ts";
import { handOver } from "../../cluster/hand-over.ts";
import { createLease, type Lease } from "../../cluster/lease.ts";
import { ownedStore } from "../../cluster/owned-store.ts";
import { RightToServe, systemWatches } from "../../cluster/right-to-serve.ts";
import { Gates } from "../../cluster/sharing/gates.ts";
import { tellingStore } from "../../cluster/telling-store.ts";
import type { Config } from "../../config.ts";
import type { Engine } from "../../engine/engine.ts";
import { InnerApp } from "../../engine/inner-app.ts";
import { ClusterMetrics } from "../../metrics/cluster-metrics.ts";
import { systemClock } from "../../runtime/clock.ts";
import type { Opened } from "../../runtime/opened.ts";
import { systemRandom } from "../../runtime/random.ts";
import { type Others, openFront, type Surroundings } from "../front.ts";
import type { Fate, Service, SharedDatabase } from "../life.ts";
import { type FirstStart, openOwned } from "../owned.ts";
import { SharedEnd } from "../shared-end.ts";
import { Cluster } from "./cluster.ts";
import type { DecidingParts } from "./deciding.ts";
import { createRoles, type Role } from "./roles.ts";

interface Owning extends Role {
  first: FirstStart;
  /** Whether it holds the lease, or is a deputy of who does. */
  keeps: boolean;
}

export async function openMember(
  opened: Opened,
  config: Config,
  address: string,
  engine: Engine,
  database: SharedDatabase,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  const { log } = surroundings;
  const bus = config.cluster!;
  const end = new SharedEnd(() => opened.close(), fate);
  const name = randomUUID();
  // Other processes live in real time, whatever clock this one was handed.
  const right = new RightToServe(systemWatches);
  const nobody = { epoch: () => null, member: () => null, lost() {}, mayServe: () => false };
  const secret = await (await database.open(nobody)).secret("cluster bus");
  const network = await openTcpNetwork(parseBusAddress(bus.address)!, bus.tls);
  log.info({ address: bus.address }, "other members are listened for");
  const gates = new Gates(systemClock);
  const cluster = new Cluster({
    ...{ network, address: bus.address, secret, right, log, name, lease: () => lease },
    clock: systemClock,
    watches: systemWatches,
    random: systemRandom,
    gates,
    deputyChanged: () => void roles.take().catch(end.giveUp),
  });
  /** Under which it owns, by the lease or as a deputy. */
  const epochNow = () => lease.epoch() ?? cluster.deputyEpoch();
  opened.add(() => cluster.close());
  const lease: Lease = createLease({
    ...{ record: database.lease, clock: systemClock, right, holder: name, ...cluster.leaseOptions },
    changed: () => void roles.take().catch(end.giveUp),
  });
  const number = await database.lease.nextEpoch(0, true);
  const bare = await database.open({
    epoch: epochNow,
    isDeputy: () => lease.epoch() === null,
    member: () => number,
    lost: () => lease.epoch() !== null && lease.lost(),
    mayServe: () => cluster.mayServe(),
  });
  const figures = new ClusterMetrics(cluster.known.figures);
  const telling = tellingStore(bare, figures.watchTelling(cluster.tell));
  const others: Others = {
    seen: {
      figures: figures.families,
      members: () => cluster.known.members(),
      completeUntil: (savedAt) => cluster.known.completeUntil(savedAt),
    },
    inner: new InnerApp(),
    call: figures.watchForwarding("request", cluster.call),
    limited: figures.watchForwarding("limited_scans", cluster.limited),
    untilRight: cluster.untilRight,
    gates,
    usage: (account) => cluster.usage(account),
    takeOfSession: (id) => cluster.beyond.takeOfSession(id),
    rescan: () => cluster.beyond.rescan(),
    movesOf: (of, here) => cluster.beyond.movesOf(of, here),
    readAgain: (slugs) => cluster.tell({ slugs, limited: [], projects: [], accounts: [] }),
    problem() {
      if (!cluster.isKnown()) return "cluster: no connection with the owner of the accounts";
      if (cluster.isCutOff()) return "store: MongoDB does not answer this process, and answers others";
      return cluster.mayServe() ? null : "right to serve: the owner has not confirmed it lately";
    },
  };
  const front = await openFront(config, engine, telling.store, surroundings, others).catch(async (cause) => {
    await bare.parts.finish(number).catch(() => {});
    throw cause;
  });
  opened.add(() => front.close());
  // From before the first scan to behind the last.
  cluster.keepFresh(front.scans);
  await front.listen();

  const roles = createRoles<Owning>({
    lease: { epoch: epochNow, hasEvicted: () => lease.hasEvicted(), outwaited: () => lease.outwaited() },
    clock: systemClock,
    log,
    changed: () => fate.roleChanged(service),
    cast: {
      // The front is there.
      standBy: async () => ({ leave: async () => {} }),
      async open(epoch) {
        const keeps = lease.epoch() === epoch;
        await bare.ping();
        if (keeps) cluster.fenced(epoch);
        return () => own(epoch, keeps);
      },
      handOver: async () => {},
    },
  });

  async function own(epoch: number, keeps: boolean): Promise<Owning> {
    const isOurs = () => epochNow() === epoch;
    // Whatever was not told is read again by all.
    telling.forgive();
    if (keeps) cluster.serve(epoch);
    const { settled } = telling;
    const store = ownedStore(front.store, isOurs, settled);
    const owned = await openOwned(front, store, { keeps, isOurs, settled });
    if (keeps) owned.inherit(await cluster.rates.inherited());
    const leave = async () => {
      if (!isOurs()) {
        cluster.answerNobody();
        front.decide(null);
      }
      // Others hold what they would hand on from when they are refused: all that takes long is ended before.
      await owned.quiet();
      await cluster.refuse();
      front.decide(null);
      others.inner.close();
      await owned.close().finally(() => (isOurs() ? settled() : telling.forgive()));
      if (keeps) cluster.rates.leaves(owned.rateUse());
    };
    front.decide(owned);
    try {
      const first = await owned.start();
      const parts: DecidingParts = {
        epoch,
        inner: others.inner,
        scans: front.scans,
        usage: (account) => owned.parts.directory.usage(account),
        takeOfSession: (id) => owned.takeOfSession(id),
        rescan: () => owned.rescanHere(),
        movesOf: (of) => front.scans.clearing.movesOf(of),
        release: (partitions) => owned.release(partitions),
        take: (partitions, meters) => owned.take(partitions, meters),
      };
      cluster.answerWith(parts, keeps ? bare.deputies : null);
      return { first, keeps, leave };
    } catch (cause) {
      await leave().catch(() => {});
      throw cause;
    }
  }

  async function leave(): Promise<void> {
    await front.stopListening();
    await cluster.resign();
    await roles.end();
  }

  async function close(): Promise<void> {
    await front.close();
    cluster.keepFresh(null);
  }

  const service: Service = {
    address,
    adminToken: front.adminToken,
    get publicUrl() {
      return front.publicUrl();
    },
    get firstKey() {
      return roles.serving()?.first.firstKey ?? null;
    },
    get firstLink() {
      return roles.serving()?.first.firstLink ?? null;
    },
    isOwner: () => roles.serving()?.keeps === true,
    stop: () => end.stop(() => handOver({ lease, heirs: cluster, leave, close })),
  };

  opened.add(async () => {
    if (lease.state() === "owner") await cluster.dismiss();
    await lease.release();
  });
  await lease.start();
  await roles.take();
  end.started();
  return service;
}
