/**
 * Brings what an earlier process counted and did not save into the store, then removes it here. May fail anywhere and
 * be run again. With one owner and no other, counts can be saved as they are; otherwise somebody else may have
 * counted since, and whoever owns the accounts now has to add them up.
 */
import { join } from "node:path";
import { countsPerRecoveryStep } from "../limits.ts";
import { type SlugKey, slugOfKey } from "../link/slug.ts";
import type { OrphanedCount } from "../store/orphaned-counts.ts";
import type { Store } from "../store/store.ts";
import { replayJournal } from "./journal.ts";
import type { JournalDisk } from "./journal-disk.ts";

export interface RecoveryLog {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

export interface RecoveryOptions {
  disk: JournalDisk;
  directory: string;
  log: RecoveryLog;
}

/** Where the segments of a data folder are. */
export function journalDirectory(dataDir: string): string {
  return join(dataDir, "journal");
}

export async function recoverJournal(
  { disk, directory, log }: RecoveryOptions,
  store: Pick<Store, "saveScans" | "owners">,
): Promise<void> {
  const greatest = new Map<number, Map<SlugKey, number>>();
  const segments = replayJournal(disk, directory, (key, count, epoch) => {
    const counts = greatest.get(epoch) ?? new Map<SlugKey, number>();
    greatest.set(epoch, counts);
    if (count > (counts.get(key) ?? 0)) counts.set(key, count);
  });
  for (const { path, replay } of segments) {
    for (const { from, to } of replay.damaged) {
      log.error({ path, from, to }, "a stretch of the scan journal is damaged; scans in it may be lost");
    }
  }
  const { owners } = store;
  const save = (counts: OrphanedCount[]) =>
    owners.kind === "sole" ? store.saveScans(counts, []) : owners.orphans.add(counts);
  for (const [epoch, counts] of greatest) {
    await inSteps(epoch, counts, save);
    log.info({ links: counts.size, epoch }, "replayed the scan journal");
  }
  for (const { path } of segments) disk.remove(path);
}

async function inSteps(
  epoch: number,
  counts: Map<SlugKey, number>,
  save: (counts: OrphanedCount[]) => Promise<void>,
): Promise<void> {
  let step: OrphanedCount[] = [];
  for (const [key, count] of counts) {
    step.push({ slug: slugOfKey(key), epoch, count });
    if (step.length < countsPerRecoveryStep) continue;
    await save(step);
    step = [];
  }
  if (step.length > 0) await save(step);
}
