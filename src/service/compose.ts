/**
 * The composition root: the only place where concrete parts meet. Opens them in the order in which they need
 * each other, and closes them in the reverse order, so that whatever was answered is stored.
 */

import { FairTurns } from "../account/fair-turns.ts";
import { pageTokens } from "../api/list-pages.ts";
import { linkMethods, routes } from "../api/operations.ts";
import { oneTimeLinkTo } from "../api/present.ts";
import type { Config } from "../config.ts";
import { type DashboardParts, dashboardRoutes } from "../dashboard-api/operations.ts";
import { ownHosts } from "../domain/target/url-safety.ts";
import { openAccessLog } from "../door/access-log.ts";
import { openAdminGuard } from "../door/admin-guard.ts";
import { listen, type ServerParts } from "../door/server.ts";
import { openSessionGuard } from "../door/session-guard.ts";
import type { Engine } from "../engine/engine.ts";
import type { InnerApp } from "../engine/inner-app.ts";
import { drainMsMax, expiredSweepMs, sharedCheckpointMs } from "../limits.ts";
import type { Family } from "../metrics/exposition.ts";
import { openMetrics } from "../metrics/metrics.ts";
import { openPasswords } from "../people/passwords.ts";
import { People } from "../people/people.ts";
import { openSessions } from "../people/sessions.ts";
import { openRenderer } from "../render/pool.ts";
import { repeat } from "../runtime/chores.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Opened } from "../runtime/opened.ts";
import { type Random, systemRandom } from "../runtime/random.ts";
import { openBlockList } from "../safety/block-list-file.ts";
import { openWebRisk } from "../safety/web-risk.ts";
import { realDisk } from "../scan/journal/disk.ts";
import type { Scans } from "../scan/scans.ts";
import type { Store } from "../store/store.ts";
import { keptAdminToken } from "./admin-token.ts";
import type { Cluster } from "./cluster.ts";
import { clusterStatus } from "./cluster-status.ts";
import { openCore } from "./core.ts";
import { bootstrap } from "./first-start.ts";
import { type LinksServed, linkSources, linksOf } from "./links-served.ts";
import { searchUnconfigured } from "./unconfigured-plans.ts";

/** The parts that serve, put together on an open store. */
export interface Composition {
  port: number;
  publicUrl: string;
  adminToken: string;
  /** The key of the demo account and the link to its dashboard, on the first start only. */
  firstKey: string | null;
  firstLink: string | null;
  scans: Scans;
  /** Lets requests in flight end and stores everything. The store stays open. */
  stop(): Promise<void>;
}

export interface Surroundings {
  log: Log;
  clock?: Clock;
  random?: Random;
  /** Where members speak with each other. */
  cluster?: ClusterSeen;
}

/** The cluster, as this process sees it. */
export interface ClusterSeen extends Pick<Cluster, "members" | "completeUntil"> {
  figures: readonly Family[];
}

/** Where requests come in that other processes took. */
export interface Others {
  inner: InnerApp;
  /** Takes nothing from them any more. Resolves when all that was taken is answered. */
  refuse(): Promise<void>;
}

export async function compose(
  config: Config,
  engine: Engine,
  bareStore: Store,
  surroundings: Surroundings,
  others: Others | null = null,
): Promise<Composition> {
  const opened = new Opened();
  try {
    return await composeOn(opened, config, engine, bareStore, surroundings, others);
  } catch (cause) {
    await opened.close().catch(() => {});
    throw cause;
  }
}

async function composeOn(
  opened: Opened,
  config: Config,
  engine: Engine,
  bareStore: Store,
  surroundings: Surroundings,
  others: Others | null,
): Promise<Composition> {
  const { log, clock = systemClock, random = systemRandom, cluster } = surroundings;
  let publicUrl = config.publicUrl ?? "";
  let own: ReadonlySet<string> = new Set();

  const searches = new FairTurns();
  const served: LinksServed = { server: null, links: null, scans: () => scans };
  const metrics = openMetrics({
    ...linkSources(served, engine, clock),
    actors: { live: () => directory.liveActors, waiting: () => directory.commandsWaiting },
    renders: { depth: () => renders.depth() },
    searches: { running: () => searches.running, waiting: () => searches.waiting },
    ...(cluster && { cluster: cluster.figures }),
  });
  opened.add(() => metrics.close());
  const store = metrics.watchStore(bareStore);
  const blockList = openBlockList(config.blockListFile, log);
  opened.add(() => blockList.close());
  const renderer = openRenderer({ threads: config.renderThreads });
  opened.add(() => renderer.close());
  const remoteCheck = config.safetyCheck && {
    check: openWebRisk({ url: config.safetyCheck.url, key: config.safetyCheck.key, clock, log }),
    fail: config.safetyCheck.fail,
  };
  opened.add(() => remoteCheck?.check.close());
  const core = await openCore(
    { store, disk: realDisk, clock, random, renderer, log },
    {
      dataDir: config.dataDir,
      othersCount: others !== null,
      scanSync: config.scanSync,
      // Another process that takes over does not see this one's journal, only what is in the store.
      scanLimits: config.mongodbUrl === null ? {} : { checkpointMs: sharedCheckpointMs },
      plans: config.plans,
      publicUrl: () => publicUrl,
      policy: () => ({ ownHosts: own, blockList: blockList.current }),
      remoteCheck,
    },
    {
      rendered: metrics.rendered,
      commits: {
        committed: metrics.commits.committed,
        failed(cause) {
          metrics.commits.failed(cause);
          log.error({ err: cause }, "a commit failed");
        },
      },
    },
  );
  opened.add(() => core.close());
  const { scans, renders, directory, fields, safety } = core;
  const adminToken = config.adminToken ?? keptAdminToken(config.dataDir);
  const sessions = openSessions({
    store,
    clock,
    random,
    adminToken,
    secret: await store.secret("operator sessions"),
  });
  const people = new People({
    store,
    commit: (writes) => directory.create(writes),
    passwords: openPasswords(random),
    sessions,
    clock,
    random,
  });
  const parts: DashboardParts & ServerParts = {
    store,
    directory,
    links: scans.links,
    analytics: {
      get completeUntil() {
        return cluster === undefined ? scans.savedAt : cluster.completeUntil(scans.savedAt);
      },
      movesOf: (of) => scans.clearing.movesOf(of),
    },
    renders,
    slugs: core.slugs,
    fields,
    safety,
    cluster: clusterStatus(store, cluster ?? null),
    plans: config.plans,
    tokens: pageTokens(await store.secret("page tokens")),
    searches,
    get publicUrl() {
      return publicUrl;
    },
    adminGuard: openAdminGuard({ token: adminToken, metricsToken: config.metricsToken, clock, log }),
    sessionGuard: openSessionGuard({ sessions, publicUrl: () => publicUrl }),
    people,
    metricsAccess: config.metrics,
    mayServe: scans.mayServe,
    remoteCheck,
    trustedProxies: config.trustedProxies,
    metrics,
    clock,
    random,
    log,
    engine: engine.name,
    async problems() {
      const found: string[] = [];
      if (scans.mayServe?.() === false) found.push("right to serve: MongoDB has not confirmed it lately");
      await store.ping().catch((cause: Error) => found.push(`store: ${cause.message}`));
      const journal = scans.health();
      if (journal !== null) found.push(`scan journal: ${journal}`);
      return found;
    },
  };

  const accessLog = openAccessLog({ kind: config.accessLog, sample: config.accessLogSample, log });
  const listening = await listen({
    engine,
    host: config.host,
    port: config.port,
    routes: [...routes, ...dashboardRoutes],
    linkMethods,
    parts,
    accessLog,
    ...(others && { inner: others.inner }),
    registerLinks: linksOf(served, config, metrics, accessLog),
  });
  // Others hold what they would hand on from when they are refused: all that takes long is ended before.
  opened.add(() => others?.refuse().finally(() => others.inner.close()));
  opened.add(() => others && renders.close());
  opened.add(() => listening.close(drainMsMax / 2));
  publicUrl ||= `http://localhost:${listening.port}`;
  served.server = listening;
  own = ownHosts([publicUrl]);
  void renders.start();
  blockList.watch(
    () => void safety.rescan().catch((cause) => log.error({ err: cause }, "safety re-scan failed")),
  );
  const stopSweeping = repeat(clock, expiredSweepMs, async () => {
    try {
      await store.removeExpired("answers", clock.now());
      await store.removeExpired("sessions", clock.now());
    } catch (cause) {
      log.error({ err: cause }, "sweep of what has expired failed");
    }
  });

  opened.add(stopSweeping);
  opened.add(searchUnconfigured({ store, plans: config.plans, clock, log }));
  // Last: its key is shown once, and only by a start that succeeds.
  const first = config.bootstrap
    ? await bootstrap({ store, directory, people, plans: config.plans, clock, random })
    : null;

  return {
    port: listening.port,
    publicUrl,
    firstKey: first?.key ?? null,
    firstLink: first && oneTimeLinkTo(publicUrl, first.token),
    adminToken,
    scans,
    stop: () => opened.close(),
  };
}
