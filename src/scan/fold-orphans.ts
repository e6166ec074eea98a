/**
 * Adds orphaned counts to those they belong to. While that is done nobody counts on those links: all that was counted
 * is saved first, so that the count in the store is the whole truth when it is changed. To count on meanwhile would
 * take a second count a link, for what is not saved yet.
 */

import type { LinkLoader } from "../link/link-loader.ts";
import { type SlugKey, slugKey } from "../link/slug.ts";
import type { Millis } from "../runtime/clock.ts";
import { foldAll, type OrphanedCount, type OrphanedCounts } from "../store/orphaned-counts.ts";

export function foldOrphans(
  orphans: OrphanedCounts,
  loader: LinkLoader,
  now: Millis,
  saveCounts: () => Promise<void>,
): Promise<void> {
  return foldAll(orphans, now, (counts, fold) =>
    loader.holdWhile(linksOf(counts), async () => {
      await saveCounts();
      await fold();
    }),
  );
}

function linksOf(counts: readonly OrphanedCount[]): SlugKey[] {
  return [...new Set(counts.map(({ slug }) => slugKey(slug)))];
}
