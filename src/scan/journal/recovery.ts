/**
 * Brings what earlier members counted and did not save into the store, then removes it here. May fail anywhere and be
 * run again, and by any process: each of them raises its own part of a count, whatever others counted since
 * (`store/scan-parts.ts`). Then they are finished, since no other journal has anything of theirs.
 *
 * The journal is read twice: for the greatest count of every link, and, once it is known how many of its scans the store
 * has, for the hours and visitors of the others. Keeping all scans in memory in between would spare the second reading
 * and take ten times the journal's size.
 *
 * Scans that were put down and not written come after those in the segments: of what was put down of a link, only what is
 * above its count there is new.
 */
import { join } from "node:path";
import { seenBy } from "../../analytics/unsaved-scans.ts";
import { offWord } from "../../analytics/visitor-word.ts";
import type { LinkScans, SeenScans } from "../../domain/analytics/link-scans.ts";
import { hourMs } from "../../domain/analytics/zone.ts";
import { countsPerRecoveryStep, countsPerSave } from "../../limits.ts";
import { type SlugKey, slugOfKey } from "../../link/slug.ts";
import type { ChoreLog } from "../../runtime/chores.ts";
import type { Millis } from "../../runtime/clock.ts";
import type { Store } from "../../store/store.ts";
import type { JournalDisk } from "./disk.ts";
import { noHour } from "./frame.ts";
import { type FoundSegment, removeUnwritten, replayJournal, replayUnwritten } from "./journal.ts";
import type { UnwrittenScan } from "./unwritten-scans.ts";

export interface RecoveryOptions {
  disk: JournalDisk;
  directory: string;
  /** The hour of scans that do not have one: those that an earlier version put down. */
  now: Millis;
  log: ChoreLog;
}

export type RecoveryStore = Pick<Store, "codeBySlug" | "parts">;

export function journalDirectory(dataDir: string): string {
  return join(dataDir, "journal");
}

interface Found {
  count: number;
  /** Scans up to this count are in the store. */
  stored: number;
  lastHour: number;
  /** By hour and visitor. */
  seen: Map<number, number>;
}

const perVisitor = 2 ** 16;
/** Only a process that no other can follow puts scans down. */
const alone = 0;

export async function recoverJournal(options: RecoveryOptions, store: RecoveryStore): Promise<void> {
  const { disk, directory, log } = options;
  const epochs = new Map<number, Map<SlugKey, Found>>();
  const segments = replayJournal(disk, directory, (epoch) => {
    const links = linksOf(epochs, epoch);
    return (key, count, hour) => void raise(links, key, count, hour);
  });
  reportDamage(segments, log);
  const unwritten = takeUnwritten(replayUnwritten(disk, directory), epochs);
  for (const [epoch, links] of epochs) await findStored(epoch, links, store);
  replayJournal(disk, directory, (epoch) => {
    const links = epochs.get(epoch)!;
    return (key, count, hour, visitor) => see(links.get(key)!, count, hour, visitor);
  });
  for (const { key, count, hour, visitor } of unwritten) {
    see(epochs.get(alone)!.get(key)!, count, hour, visitor);
  }
  for (const [epoch, links] of epochs) {
    await save(epoch, links, store, options.now);
    await store.parts.finish(epoch);
    if (links.size > 0) log.info({ links: links.size, epoch }, "replayed the scan journal");
  }
  for (const { path } of segments) disk.remove(path);
  removeUnwritten(disk, directory);
}

function linksOf(epochs: Map<number, Map<SlugKey, Found>>, epoch: number): Map<SlugKey, Found> {
  const links = epochs.get(epoch) ?? new Map<SlugKey, Found>();
  epochs.set(epoch, links);
  return links;
}

/** Whether the count is greater than all before. */
function raise(links: Map<SlugKey, Found>, key: SlugKey, count: number, hour: number): boolean {
  const found = links.get(key);
  if (found === undefined) links.set(key, { count, stored: 0, lastHour: hour, seen: new Map() });
  else if (count > found.count) Object.assign(found, { count, lastHour: hour });
  else return false;
  return true;
}

/** Adds what no segment has, and says which it was. */
function takeUnwritten(
  records: readonly UnwrittenScan[],
  epochs: Map<number, Map<SlugKey, Found>>,
): UnwrittenScan[] {
  if (records.length === 0) return [];
  const links = linksOf(epochs, alone);
  return records.filter(({ key, count, hour }) => raise(links, key, count, hour));
}

function see({ stored, seen }: Found, count: number, hour: number, visitor: number): void {
  if (count <= stored) return;
  const kind = hour * perVisitor + visitor;
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
}

function reportDamage(segments: readonly FoundSegment[], log: ChoreLog): void {
  for (const { path, replay } of segments) {
    for (const { from, to } of replay.damaged) {
      log.error({ path, from, to }, "a stretch of the scan journal is damaged; scans in it may be lost");
    }
  }
}

async function findStored(epoch: number, links: Map<SlugKey, Found>, store: RecoveryStore): Promise<void> {
  for (const step of stepsOf(links, countsPerRecoveryStep)) {
    const slugs = step.map(([key]) => slugOfKey(key));
    const stored = await store.parts.stored(epoch, slugs);
    for (const [at, [, found]] of step.entries()) found.stored = stored?.[at] ?? Number.POSITIVE_INFINITY;
  }
}

async function save(
  epoch: number,
  links: Map<SlugKey, Found>,
  store: RecoveryStore,
  now: Millis,
): Promise<void> {
  const missing = [...links].filter(([, { count, stored }]) => count > stored);
  missing.sort(([one], [other]) => one - other);
  for (const step of stepsOf(missing, countsPerSave)) {
    const scans = await Promise.all(step.map((link) => linkScans(link, store, now)));
    await store.parts.save(epoch, scans);
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

/** Of the scans that the store does not have. */
function known({ seen }: Found, now: Millis): { seen: SeenScans[]; off: number } {
  let off = 0;
  const scans: SeenScans[] = [];
  for (const [kind, count] of seen) {
    const hour = Math.floor(kind / perVisitor);
    const visitor = kind - hour * perVisitor;
    if (visitor === offWord) off += count;
    else scans.push(seenBy(visitor, hourOf(hour, now), count));
  }
  return { seen: scans, off };
}

function hourOf(hour: number, now: Millis): Millis {
  return hour === noHour ? now - (now % hourMs) : hour * hourMs;
}

function* stepsOf<T>(entries: Iterable<T>, size: number): Generator<T[]> {
  let step: T[] = [];
  for (const entry of entries) {
    step.push(entry);
    if (step.length < size) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}
