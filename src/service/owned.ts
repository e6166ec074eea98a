/** What a process has beside its front while it decides for the accounts: actors, pictures, people, sweeps. */
import { FairTurns } from "../account/fair-turns.ts";
import { oneTimeLinkTo } from "../api/present.ts";
import type { Holder } from "../cluster/sharing/keeper.ts";
import { partitionOf } from "../cluster/sharing/partitions.ts";
import { noOwner } from "../door/forwarding.ts";
import { expiredSweepMs, takenSweepMs } from "../limits.ts";
import { openPasswords } from "../people/passwords.ts";
import { People } from "../people/people.ts";
import { SessionMeters } from "../people/session-meters.ts";
import { repeat } from "../runtime/chores.ts";
import { type Opened, openWhole } from "../runtime/opened.ts";
import type { RescanResult } from "../safety/rescan.ts";
import { realDisk } from "../scan/journal/disk.ts";
import type { Store, Write } from "../store/store.ts";
import { clusterStatus } from "./cluster/cluster-status.ts";
import type { RateUse } from "./cluster/rate-legacy.ts";
import { openCore } from "./core.ts";
import { bootstrap } from "./first-start.ts";
import type { Deciding, Front } from "./front.ts";
import { searchUnconfigured } from "./unconfigured-plans.ts";

export interface Owned extends Deciding, Holder {
  /** What is done by itself begins: to be called when the front listens, or is about to. */
  start(): Promise<FirstStart>;
  /** What is used of rate windows, when this process decides for nobody any more; and how it was before it does. */
  rateUse(): RateUse;
  inherit(used: RateUse): void;
  /** Of the accounts that are decided here. */
  rescanHere(): Promise<RescanResult>;
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

/** What is known of the ownership. */
export interface Owning {
  /** False of one that another member gave: that one does what concerns no single account. */
  keeps: boolean;
  isOurs(): boolean;
  /** Resolves when other members know of all changes. */
  settled(): Promise<void> | null;
}

export const alone: Owning = { keeps: true, isOurs: () => true, settled: () => null };

/** The store is that of one ownership: what is decided in it is written under no other. */
export function openOwned(front: Front, store: Store, ownership: Owning): Promise<Owned> {
  return openWhole((opened) => openOn(opened, front, store, ownership));
}

async function openOn(
  opened: Opened,
  front: Front,
  store: Store,
  { keeps, isOurs, settled }: Owning,
): Promise<Owned> {
  const { config, log, clock, random, scans, metrics, renderer, remoteCheck, others } = front;
  const { publicUrl, sessions } = front;
  const gates = others?.gates ?? null;
  const owns = (accountId: string) => gates === null || gates.isHere(partitionOf(accountId));
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
      ...(others && { elsewhere: { owns, usage: others.usage } }),
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
  const commit = (writes: Write[]) => directory.create(writes);
  const meters = new SessionMeters({ store, clock, commit });
  const people = new People({
    ...{ store, sessions, meters, clock, random, commit },
    passwords: openPasswords(random),
  });
  const rescan = others === null ? () => safety.rescan() : () => others.rescan();
  const movesOf: typeof scans.clearing.movesOf = (of) => scans.clearing.movesOf(of);
  const parts: Deciding["parts"] = {
    keeps,
    safety: { rescan },
    ...{
      store,
      directory,
      renders,
      fields,
      people,
      searches,
      remoteCheck,
      metrics,
      clock,
      random,
      publicUrl,
    },
    links: scans.links,
    analytics: {
      get completeUntil() {
        return others === null ? scans.savedAt() : others.seen.completeUntil(scans.savedAt());
      },
      async movesOf(of) {
        const moves = await (others === null ? movesOf(of) : others.movesOf(of, movesOf));
        // Another keeper counts anew.
        if (!isOurs()) throw noOwner();
        return moves;
      },
    },
    slugs: core.slugs,
    cluster: clusterStatus(store, others?.seen ?? null),
    plans: config.plans,
    tokens: front.tokens,
    adminGuard: front.adminGuard,
    sessionGuard: front.sessionGuard,
    metricsAccess: config.metrics,
    mayServe: scans.mayServe,
    engine: front.engine.name,
    problems: front.problems,
  };

  let cancelSweep = () => {};

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
    takeOfSession: (id) => (keeps ? meters.take(id) : others!.takeOfSession(id)),
    rescan: () => void rescan().catch((cause) => log.error({ err: cause }, "safety re-scan failed")),
    rateUse: () => ({ keys: directory.handOver(), sessions: meters.handOver() }),
    inherit({ keys, sessions: handed }) {
      directory.receive(keys);
      meters.receive(handed);
    },
    rescanHere: () => safety.rescan(),
    async release(partitions) {
      if (!(await gates!.close(partitions))) return null;
      gates!.shut(partitions);
      renders.letGo();
      try {
        await directory.evacuate();
        // A limit is held against what is stored.
        await scans.saveLimited();
        await settled();
        return directory.handOver();
      } catch (cause) {
        log.warn({ err: cause }, "partitions could not be given away");
        if (isOurs()) gates!.open(partitions);
        return null;
      }
    },
    take(partitions, meters) {
      if (!isOurs()) return;
      directory.receive(meters);
      gates!.open(partitions);
      cancelSweep();
      // Most come a few at a time.
      cancelSweep = clock.after(takenSweepMs, () => void renders.start());
    },
    async start() {
      opened.add(() => cancelSweep());
      if (!keeps) return { firstKey: null, firstLink: null };
      // Among others the pictures of an account are drawn from when it is decided for.
      if (others === null) void renders.start();
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
