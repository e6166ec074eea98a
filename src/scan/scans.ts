/**
 * The scan path put together: table, loader, journal, checkpoints and analytics, and what runs in the
 * background. `http/scan.ts` serves from it; the rest of the service sees `links`.
 */
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import type { Millis } from "../domain/documents.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";
import { Analytics } from "./analytics.ts";
import { AnalyticsFlush } from "./analytics-flush.ts";
import { checkpoint, LeftCounts } from "./checkpoint.ts";
import { Chore, oneAtATime, repeat } from "./chore.ts";
import { type JournalDisk, realDisk } from "./journal-disk.ts";
import { Journal, replayJournal } from "./journal-file.ts";
import type { LinkRules } from "./link-fields.ts";
import { LinkLoader } from "./link-loader.ts";
import { LinkTable } from "./link-table.ts";
import { createLinks, type Links } from "./links.ts";
import { NegativeCache } from "./negative-cache.ts";
import { Projects } from "./projects.ts";
import { Zones } from "./zones.ts";

const mib = 2 ** 20;

export const scanLimits = {
  /** Links in memory; 136 bytes each. */
  linksMax: 4_000_000,
  /** Cold links being read at the same time. */
  loadsMax: 10_000,
  unknownSlugsMax: 50_000,
  unknownSlugMs: 5_000,
  /** Scans of one loop turn: more connections than that do not speak in one turn. */
  turnScansMax: 16_384,
  segmentBytesMax: 8 * mib,
  journalBytesMax: 1_024 * mib,
  sparesMax: 8,
  checkpointMs: 30_000,
  checkpointBytes: 128 * mib,
  analyticsMs: 300_000,
  tickMs: 1_000,
};
export type ScanLimits = typeof scanLimits;

export interface ScanLog {
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

export interface ScansOptions {
  store: Store;
  clock: Clock;
  dataDir: string;
  /** Milliseconds between syncs of the journal; with `always` every answer waits for one. */
  sync: number | "always";
  log: ScanLog;
  disk?: JournalDisk;
  limits?: Partial<ScanLimits>;
}

export interface Scans {
  readonly links: Links;
  readonly table: LinkTable<LinkRules>;
  readonly projects: Projects;
  readonly loader: LinkLoader;
  readonly unknown: NegativeCache;
  readonly journal: Journal;
  readonly analytics: Analytics;
  readonly syncAlways: boolean;
  readonly clock: Clock;
  /** A cold link could not be loaded, and its scan got a 503. */
  onLoadFailure(err: unknown): void;
  /** Whatever was counted before is in the store. */
  readonly countsSavedAt: Millis;
  /** What keeps scans from being counted safely, or null. */
  health(): string | null;
  checkpoint(): Promise<void>;
  flushAnalytics(): Promise<void>;
  /** Saves everything. No scan may be served any more. */
  close(): Promise<void>;
}

export async function openScans(options: ScansOptions): Promise<Scans> {
  const { store, clock, log, disk = realDisk } = options;
  const limits = { ...scanLimits, ...options.limits };
  const directory = join(options.dataDir, "journal");
  await saveLeftJournal(disk, directory, store, log);

  const projects = new Projects();
  const zones = new Zones();
  const table = new LinkTable<LinkRules>(limits.linksMax, projects);
  const unknown = new NegativeCache(clock, limits.unknownSlugsMax, limits.unknownSlugMs);
  const journal = new Journal({
    disk,
    directory,
    recordsMax: limits.turnScansMax,
    segmentBytesMax: limits.segmentBytesMax,
    journalBytesMax: limits.journalBytesMax,
    sparesMax: limits.sparesMax,
  });
  journal.drop(journal.segment);
  const analytics = new Analytics();

  let checkpointSoon = false;
  const loader = new LinkLoader({
    store,
    table,
    projects,
    zones,
    unknown,
    loadsMax: limits.loadsMax,
    onPressure: () => {
      checkpointSoon = true;
    },
  });

  const saveCounts = oneAtATime(() => checkpoint(table, journal, store));
  const analyticsFlush = new AnalyticsFlush(analytics, store);
  const saveAnalytics = oneAtATime(() => analyticsFlush.run());
  const counts = new Chore("the checkpoint of scan counts", limits.checkpointMs, clock, log, saveCounts);
  const hours = new Chore("saving scan analytics", limits.analyticsMs, clock, log, saveAnalytics);
  let loadFailureLoggedAt: Millis = 0;
  let problem: string | null = null;

  async function tick(): Promise<void> {
    if (journal.health() !== problem) {
      problem = journal.health();
      if (problem === null) log.info({}, "the scan journal works again");
      else log.error({}, problem);
    }
    if (problem !== null && journal.pending === 0) {
      // Until the journal is well, what it did not take is only in memory.
      checkpointSoon = true;
      journal.commit();
      await new Promise<void>((resolve) => journal.sync(() => resolve()));
    }
    const full = journal.bytes >= limits.checkpointBytes;
    if ((checkpointSoon || full || counts.isDue) && (await counts.run())) {
      checkpointSoon = journal.health() !== null;
    }
    if (hours.isDue || analytics.hasWaiting) await hours.run();
  }

  const stops = [repeat(clock, limits.tickMs, tick)];
  if (options.sync !== "always") {
    stops.push(
      repeat(clock, options.sync, () => {
        if (!journal.hasUnsynced) return Promise.resolve();
        return new Promise<void>((resolve) => journal.sync(() => resolve()));
      }),
    );
  }

  return {
    links: createLinks({ store, table, projects, zones, unknown, loader }),
    table,
    projects,
    loader,
    unknown,
    journal,
    analytics,
    syncAlways: options.sync === "always",
    clock,
    onLoadFailure(err) {
      if (clock.now() - loadFailureLoggedAt < limits.tickMs) return;
      loadFailureLoggedAt = clock.now();
      if (err instanceof StoreUnavailable) log.warn({ err }, "the store did not give a link");
      else log.error({ err }, "a link could not be loaded");
    },
    get countsSavedAt() {
      return counts.doneAt;
    },
    health: () => journal.health(),
    checkpoint: saveCounts,
    flushAnalytics: saveAnalytics,
    async close() {
      for (const stop of stops) stop();
      const saved = await Promise.allSettled([saveCounts(), saveAnalytics()]);
      await journal.close();
      for (const result of saved) if (result.status === "rejected") throw result.reason;
    },
  };
}

/** What an earlier process counted and did not save. Until it is saved nothing is served. */
async function saveLeftJournal(
  disk: JournalDisk,
  directory: string,
  store: Store,
  log: ScanLog,
): Promise<void> {
  const counts = new LeftCounts();
  const left = replayJournal(disk, directory, (high, low, count) => counts.add(high, low, count));
  for (const { segment, replay } of left) {
    for (const { from, to } of replay.damaged) {
      log.error({ segment, from, to }, "a stretch of the scan journal is damaged; scans in it may be lost");
    }
  }
  await counts.save(store);
  if (counts.size > 0) log.info({ links: counts.size }, "replayed the scan journal");
}
