/**
 * The scan path put together: table, loader, journal and checkpoints, and what runs in the
 * background. `scan-counter.ts` counts with it; the rest of the service sees `links`.
 */

import { Clearing } from "../analytics/clearing.ts";
import { UnsavedScans } from "../analytics/unsaved-scans.ts";
import { clearScansMs, scanLimits } from "../limits.ts";
import { type LinkLoader, linkLoader } from "../link/link-loader.ts";
import { flag, LinkTable } from "../link/link-table.ts";
import { createLinks, type Links } from "../link/links.ts";
import { ProjectStates } from "../link/project-states.ts";
import { slugKey } from "../link/slug.ts";
import { type UnknownSlugs, unknownSlugs } from "../link/unknown-slugs.ts";
import { Zones } from "../link/zones.ts";
import { Chore, type ChoreLog, oneAtATime, repeat } from "../runtime/chores.ts";
import type { Clock, Millis } from "../runtime/clock.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";
import { checkpointOf } from "./checkpoint.ts";
import { freshLink } from "./fresh-link.ts";
import { type JournalDisk, realDisk } from "./journal/disk.ts";
import { Journal } from "./journal/journal.ts";
import { journalDirectory, recoverJournal } from "./journal/recovery.ts";
import { type AskOwner, LimitedElsewhere } from "./limited-elsewhere.ts";
import { type LimitedCounter, LimitedScans } from "./limited-scans.ts";
import { type AccountPlaces, LimitedWhereOwned } from "./limited-where-owned.ts";

export type ScanLimits = typeof scanLimits;

export interface ScanLog extends ChoreLog {
  warn(detail: object, message: string): void;
}

export interface ScansElsewhere {
  places: AccountPlaces;
  ask: AskOwner;
  /** Resolves when a right to serve that is over has come back, or did not come; null when it is not waited for. */
  untilRight(): Promise<void> | null;
  /** Whether what concerns no single account is done here. */
  keeps(): boolean;
  /** These links have to be read again, wherever they are served. */
  readAgain(slugs: readonly string[]): Promise<void>;
}

export interface ScansOptions {
  store: Store;
  clock: Clock;
  dataDir: string;
  /** Milliseconds between syncs of the journal; with `always` every answer waits for one. */
  sync: number | "always";
  log: ScanLog;
  disk?: JournalDisk;
  /** Where other members may own accounts: they decide scans of limited links. */
  elsewhere?: ScansElsewhere;
  /** Whether other members count scans of the same links. */
  othersCount?: boolean;
  /** Whether every scan is to wait for the end of its turn: the engine gives answers best together. */
  together?: boolean;
  limits?: Partial<ScanLimits>;
}

/** No getters: an object that is written down with one is slow to look at, and every scan looks at this one. */
export interface Scans {
  readonly links: Links;
  readonly table: LinkTable;
  readonly projects: ProjectStates;
  readonly loader: LinkLoader;
  readonly unknown: UnknownSlugs;
  readonly journal: Journal;
  readonly unsaved: UnsavedScans;
  /** Null where the journal alone can keep a limit. */
  readonly limited: LimitedCounter | null;
  /** The same, for scans of accounts that are known to be decided here. */
  readonly limitedHere: Pick<LimitedCounter, "count"> | null;
  /** Whether this process may still answer from memory; null where no other could have answered since. */
  readonly mayServe: (() => boolean) | null;
  /** See `ScansElsewhere`. */
  readonly untilRight: () => Promise<void> | null;
  readonly syncAlways: boolean;
  readonly turnAtOnceMax: number;
  readonly clock: Clock;
  /** The number under which it counts; 0 where there is one process for ever. */
  readonly epoch: number;
  /** The store was needed for a scan and failed; the scan got a 503. */
  onFailure(err: unknown): void;
  /** Whatever was counted before is in the store, in counts and in hours. */
  savedAt(): Millis;
  readonly clearing: Pick<Clearing, "movesOf">;
  /** What keeps scans from being counted safely, or null. */
  health(): string | null;
  checkpoint(): Promise<void>;
  /** Afterwards all scans of links that have a limit are in the store, but those that are just being counted. */
  saveLimited(): Promise<void>;
  /** Whether scans of the link were counted here that are not in the store yet. */
  hasUnsaved(slug: string): boolean;
  /** Saves everything. No scan may be served any more. */
  close(): Promise<void>;
}

export async function openScans(options: ScansOptions): Promise<Scans> {
  const { store, clock, log, disk = realDisk } = options;
  const limits = { ...scanLimits, ...options.limits };
  const { membership, parts } = store;
  const epoch = membership?.epoch ?? 0;
  const directory = journalDirectory(options.dataDir);
  await recoverJournal({ disk, directory, now: clock.now(), log }, store);

  const projects = new ProjectStates();
  const zones = new Zones();
  const table = new LinkTable(limits.linksMax, projects, zones);
  const unknown = unknownSlugs(clock, limits.unknownSlugsMax, limits.unknownSlugMs);
  const journal = new Journal({
    disk,
    directory,
    epoch,
    recordsMax: limits.turnScansMax,
    // What is put down cannot be taken back, as a member may have to, and is not synced.
    putDownMax: membership !== null || options.sync === "always" || options.together ? 0 : limits.putDownMax,
    segmentBytesMax: limits.segmentBytesMax,
    journalBytesMax: limits.journalBytesMax,
    sparesMax: limits.sparesMax,
    // As the counter does: a limit has to hold.
    isTakenBack(key) {
      const slot = table.find(key);
      return slot < 0 || (table.flags(slot) & flag.limited) !== 0;
    },
  });
  const unsaved = new UnsavedScans(table, limits.unsavedEntriesMax);

  let checkpointSoon = false;
  const loader = linkLoader({
    ...{ store, table, projects, zones, unknown, loadsMax: limits.loadsMax },
    onPressure: () => {
      checkpointSoon = true;
    },
  });

  const checkpoint = checkpointOf({
    ...{ table, projects, unsaved, journal, store, clock },
    isElsewhere: (slot) => limited?.isSaving(slot) === true,
  });
  const saveCounts = oneAtATime(checkpoint);
  const here = membership && new LimitedScans({ table, projects, store, clock, saveCounts, onFailure });
  const { elsewhere } = options;
  const whereOwned =
    here && elsewhere
      ? new LimitedWhereOwned({
          here,
          elsewhere: new LimitedElsewhere(elsewhere.ask, onFailure),
          places: elsewhere.places,
          accountOf(key) {
            const slot = table.find(key);
            return slot < 0 ? null : (projects.owner(table.project(slot))?.account_id ?? null);
          },
          forget: (slug) => links.forget(slug),
          load: (key) => freshLink({ table, loader, projects, clock, onFailure }, key),
        })
      : null;
  const limited: LimitedCounter | null = whereOwned ?? here;
  const counts = new Chore("the checkpoint of scan counts", limits.checkpointMs, clock, log, saveCounts);
  const clearing = new Clearing(store, clock);
  const clear = new Chore("clearing away old scans", clearScansMs, clock, log, () => clearing.run());
  const links = createLinks({
    ...{ store, table, projects, zones, unknown, loader },
    othersCount: options.othersCount ?? false,
  });
  // What a finished member left may have come after a link of it was read.
  const readAgain = (slugs: readonly string[]) => {
    for (const slug of slugs) links.forget(slug);
    void elsewhere?.readAgain(slugs).catch(onFailure);
  };
  const fold = new Chore("folding the counts of finished members", limits.foldMs, clock, log, () =>
    parts.fold(clock.now(), readAgain),
  );
  let failureLoggedAt: Millis = 0;
  let problem: string | null = null;

  function onFailure(err: unknown): void {
    if (clock.now() - failureLoggedAt < limits.tickMs) return;
    failureLoggedAt = clock.now();
    if (err instanceof StoreUnavailable) log.warn({ err }, "the store was away for a scan");
    else log.error({ err }, "a scan failed");
  }

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
    // Chores of whoever owns the accounts.
    if (elsewhere?.keeps() === false) return;
    if (membership !== null && fold.isDue) await fold.run();
    if (clear.isDue) void clear.run();
  }

  const stops = [repeat(clock, limits.tickMs, tick)];
  if (options.sync !== "always") {
    stops.push(
      repeat(clock, options.sync, () => {
        if (journal.hasPutDown) journal.commit();
        if (!journal.hasUnsynced) return Promise.resolve();
        return new Promise<void>((resolve) => journal.sync(() => resolve()));
      }),
    );
  }

  return {
    links,
    table,
    projects,
    loader,
    unknown,
    journal,
    unsaved,
    limited,
    limitedHere: whereOwned ? { count: (key, visitor) => whereOwned.countHere(key, visitor) } : here,
    mayServe: membership && (() => membership.mayServe()),
    untilRight: elsewhere?.untilRight ?? (() => null),
    syncAlways: options.sync === "always",
    turnAtOnceMax: limits.turnAtOnceMax,
    clock,
    epoch,
    onFailure,
    savedAt: () => counts.doneAt,
    clearing,
    health: () => journal.health(),
    checkpoint: saveCounts,
    async saveLimited() {
      const isLimited = (slot: number) => (table.flags(slot) & flag.limited) !== 0;
      if (table.someDirty((slot) => isLimited(slot) && limited?.isSaving(slot) !== true)) await saveCounts();
    },
    hasUnsaved(slug) {
      const slot = table.find(slugKey(slug));
      return slot >= 0 && (table.flags(slot) & flag.dirty) !== 0;
    },
    async close() {
      clearing.stop();
      for (const stop of stops) stop();
      try {
        await saveCounts();
      } finally {
        await journal.close();
      }
      // Should this fail, whoever next starts in this folder finds an empty journal of ours, and says it then.
      await parts.finish(epoch).catch(() => {});
    },
  };
}
