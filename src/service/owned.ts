/** What a process has beside its front while it decides for the accounts: actors, pictures, people, sweeps. */
import { FairTurns } from "../account/fair-turns.ts";
import { pageTokens } from "../api/list-pages.ts";
import { oneTimeLinkTo } from "../api/present.ts";
import type { DashboardParts } from "../dashboard-api/operations.ts";
import type { AccessParts } from "../door/access.ts";
import { openSessionGuard } from "../door/session-guard.ts";
import { expiredSweepMs } from "../limits.ts";
import { openPasswords } from "../people/passwords.ts";
import { People } from "../people/people.ts";
import { openSessions } from "../people/sessions.ts";
import { repeat } from "../runtime/chores.ts";
import { type Opened, openWhole } from "../runtime/opened.ts";
import { realDisk } from "../scan/journal/disk.ts";
import type { Store } from "../store/store.ts";
import { clusterStatus } from "./cluster/cluster-status.ts";
import { openCore } from "./core.ts";
import { bootstrap } from "./first-start.ts";
import type { Deciding, Front } from "./front.ts";
import { searchUnconfigured } from "./unconfigured-plans.ts";

export interface Owned extends Deciding {
  /** What is done by itself begins: to be called when the front listens, or is about to. */
  start(): Promise<FirstStart>;
  /** Nothing begins by itself any more: pictures that are being drawn are waited for. */
  quiet(): Promise<void>;
  /** Stores everything that was answered. */
  close(): Promise<void>;
}

/** The key of the demo account and the link to its dashboard; null when there was no need of one. */
export interface FirstStart {
  firstKey: string | null;
  firstLink: string | null;
}

/** The store is that of one ownership: what is decided in it is written under no other. */
export function openOwned(front: Front, store: Store): Promise<Owned> {
  return openWhole((opened) => openOn(opened, front, store));
}

async function openOn(opened: Opened, front: Front, store: Store): Promise<Owned> {
  const { config, log, clock, random, scans, metrics, renderer, remoteCheck, others, adminToken } = front;
  const { publicUrl } = front;
  const searches = new FairTurns();
  const core = await openCore(
    { store, disk: realDisk, clock, random, renderer, log, scans },
    {
      dataDir: config.dataDir,
      scanSync: config.scanSync,
      scanLimits: {},
      plans: config.plans,
      publicUrl,
      policy: front.policy,
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
  const { renders, directory, fields, safety } = core;
  const sessions = openSessions({
    ...{ store, clock, random, adminToken },
    secret: await store.secret("operator sessions"),
  });
  const people = new People({
    ...{ store, sessions, clock, random },
    commit: (writes) => directory.create(writes),
    passwords: openPasswords(random),
  });
  const parts: DashboardParts & AccessParts = {
    ...{ store, directory, renders, fields, safety, people, searches, remoteCheck, metrics, clock, random },
    links: scans.links,
    analytics: {
      get completeUntil() {
        return others === null ? scans.savedAt : others.seen.completeUntil(scans.savedAt);
      },
      movesOf: (of) => scans.clearing.movesOf(of),
    },
    slugs: core.slugs,
    cluster: clusterStatus(store, others?.seen ?? null),
    plans: config.plans,
    tokens: pageTokens(await store.secret("page tokens")),
    get publicUrl() {
      return publicUrl();
    },
    adminGuard: front.adminGuard,
    sessionGuard: openSessionGuard({ sessions, publicUrl }),
    metricsAccess: config.metrics,
    mayServe: scans.mayServe,
    engine: front.engine.name,
    problems: front.problems,
  };

  async function sweep(): Promise<void> {
    try {
      await store.removeExpired("answers", clock.now());
      await store.removeExpired("sessions", clock.now());
    } catch (cause) {
      log.error({ err: cause }, "sweep of what has expired failed");
    }
  }

  return {
    parts,
    figures: {
      get liveActors() {
        return directory.liveActors;
      },
      get commandsWaiting() {
        return directory.commandsWaiting;
      },
      get renders() {
        return renders.depth();
      },
      get searching() {
        return searches.running;
      },
      get searches() {
        return searches.waiting;
      },
    },
    rescan: () => void safety.rescan().catch((cause) => log.error({ err: cause }, "safety re-scan failed")),
    async start() {
      void renders.start();
      opened.add(repeat(clock, expiredSweepMs, sweep));
      opened.add(searchUnconfigured({ store, plans: config.plans, clock, log }));
      // Last: its key is shown once, and only by a start that succeeds.
      const first = config.bootstrap
        ? await bootstrap({ store, directory, people, plans: config.plans, clock, random })
        : null;
      return { firstKey: first?.key ?? null, firstLink: first && oneTimeLinkTo(publicUrl(), first.token) };
    },
    quiet: () => renders.close(),
    close: () => opened.close(),
  };
}
