/**
 * Brings what an earlier process counted and did not save into the store, then removes it here. May fail anywhere and
 * be run again. With one owner and no other, counts can be saved as they are; otherwise somebody else may have
 * counted since, and whoever owns the accounts now has to add them up.
 *
 * The journal is read twice: for the greatest count of every link, and, once it is known how many of its scans the store
 * has, for the hours and visitors of the others. Keeping all scans in memory in between would spare the second reading
 * and take ten times the journal's size.
 */
import { join } from "node:path";
import { seenBy } from "../analytics/unsaved-scans.ts";
import { offWord, withoutCountry } from "../analytics/visitor-word.ts";
import type { LinkScans, SeenScans } from "../domain/analytics/link-scans.ts";
import { hourMs } from "../domain/analytics/zone.ts";
import { countsPerRecoveryStep, countsPerSave, orphanSeenMax } from "../limits.ts";
import { type SlugKey, slugOfKey } from "../link/slug.ts";
import type { Millis } from "../runtime/clock.ts";
import type { OrphanedCount } from "../store/orphaned-counts.ts";
import type { Store } from "../store/store.ts";
import { type FoundSegment, replayJournal } from "./journal.ts";
import type { JournalDisk } from "./journal-disk.ts";
import { noHour } from "./journal-frame.ts";

export interface RecoveryLog {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

export interface RecoveryOptions {
  disk: JournalDisk;
  directory: string;
  /** The hour of scans that do not have one: those that an earlier version put down. */
  now: Millis;
  log: RecoveryLog;
}

/** What recovery asks of the store. */
export type RecoveryStore = Pick<Store, "saveScans" | "scanCount" | "codeBySlug" | "owners">;

/** Where the segments of a data folder are. */
export function journalDirectory(dataDir: string): string {
  return join(dataDir, "journal");
}

/** What the journal has of a link. */
interface Found {
  count: number;
  /** Scans up to this count are in the store. */
  covered: number;
  lastHour: number;
  /** By hour and visitor. */
  seen: Map<number, number>;
}

const perVisitor = 2 ** 16;

export async function recoverJournal(options: RecoveryOptions, store: RecoveryStore): Promise<void> {
  const { disk, directory, log } = options;
  const epochs = new Map<number, Map<SlugKey, Found>>();
  const segments = replayJournal(disk, directory, (epoch) => {
    const links = epochs.get(epoch) ?? new Map<SlugKey, Found>();
    epochs.set(epoch, links);
    return (key, count, hour) => {
      const found = links.get(key);
      if (found === undefined) links.set(key, { count, covered: 0, lastHour: hour, seen: new Map() });
      else if (count > found.count) Object.assign(found, { count, lastHour: hour });
    };
  });
  reportDamage(segments, log);
  for (const [epoch, links] of epochs) await findCovered(epoch, links, store);
  replayJournal(disk, directory, (epoch) => {
    const links = epochs.get(epoch)!;
    return (key, count, hour, visitor) => {
      const { covered, seen } = links.get(key)!;
      if (count <= covered) return;
      const kind = hour * perVisitor + visitor;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    };
  });
  for (const [epoch, links] of epochs) {
    if (links.size === 0) continue;
    await save(epoch, links, store, options.now);
    log.info({ links: links.size, epoch }, "replayed the scan journal");
  }
  for (const { path } of segments) disk.remove(path);
}

function reportDamage(segments: readonly FoundSegment[], log: RecoveryLog): void {
  for (const { path, replay } of segments) {
    for (const { from, to } of replay.damaged) {
      log.error({ path, from, to }, "a stretch of the scan journal is damaged; scans in it may be lost");
    }
  }
}

async function findCovered(epoch: number, links: Map<SlugKey, Found>, store: RecoveryStore): Promise<void> {
  const { owners } = store;
  for (const step of stepsOf(links, countsPerRecoveryStep)) {
    const slugs = step.map(([key]) => slugOfKey(key));
    const covered =
      owners.kind === "sole"
        ? await Promise.all(slugs.map((slug) => store.scanCount(slug)))
        : await owners.orphans.covered(slugs, epoch);
    for (const [at, [, found]] of step.entries()) found.covered = covered[at]!;
  }
}

async function save(
  epoch: number,
  links: Map<SlugKey, Found>,
  store: RecoveryStore,
  now: Millis,
): Promise<void> {
  const { owners } = store;
  for (const step of stepsOf(links, countsPerSave)) {
    if (owners.kind === "sole") {
      await store.saveScans(await Promise.all(step.map((link) => linkScans(link, store, now))));
    } else await owners.orphans.add(step.map((link) => orphanedCount(link, epoch, now)));
  }
}

async function linkScans(
  [key, found]: [SlugKey, Found],
  store: RecoveryStore,
  now: Millis,
): Promise<LinkScans> {
  const slug = slugOfKey(key);
  const code = await store.codeBySlug(slug);
  const { seen, off } = known(found, now);
  const otherwise = code?.analytics_enabled === true ? hourOf(found.lastHour, now) : null;
  const owner = code && { project_id: code.project_id, account_id: code.account_id };
  return { slug, count: found.count, owner, seen, off, otherwise };
}

function orphanedCount([key, found]: [SlugKey, Found], epoch: number, now: Millis): OrphanedCount {
  const { seen, off } = known(found, now);
  return { slug: slugOfKey(key), epoch, count: found.count, hour: hourOf(found.lastHour, now), seen, off };
}

/** Of the scans that the store does not have. */
function known({ seen }: Found, now: Millis): { seen: SeenScans[]; off: number } {
  let off = 0;
  const scans = new Map<number, number>();
  for (const [kind, count] of seen) {
    const hour = Math.floor(kind / perVisitor);
    const visitor = kind - hour * perVisitor;
    if (visitor === offWord) off += count;
    else {
      const isRoom = scans.size < orphanSeenMax;
      const kept = hour * perVisitor + (isRoom ? visitor : withoutCountry(visitor));
      scans.set(kept, (scans.get(kept) ?? 0) + count);
    }
  }
  return {
    off,
    seen: [...scans].map(([kind, count]) => {
      const hour = Math.floor(kind / perVisitor);
      return seenBy(kind - hour * perVisitor, hourOf(hour, now), count);
    }),
  };
}

function hourOf(hour: number, now: Millis): Millis {
  return hour === noHour ? now - (now % hourMs) : hour * hourMs;
}

function* stepsOf<K, V>(entries: Map<K, V>, size: number): Generator<[K, V][]> {
  let step: [K, V][] = [];
  for (const entry of entries) {
    step.push(entry);
    if (step.length < size) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}
