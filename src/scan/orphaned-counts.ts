import type { LinkLoader } from "../link/link-loader.ts";
import { slugHigh, slugLow } from "../link/slug.ts";
import { foldAll, type LeftScan, type LeftScans } from "../store/orphaned-scans.ts";

/**
 * Adds scans that other processes left to the counts they belong to. While that is done nobody counts on those
 * links: all that was counted is saved first, so that the count in the store is the whole truth when it is changed.
 */
export function foldLeft(
  left: LeftScans,
  loader: LinkLoader,
  saveCounts: () => Promise<void>,
): Promise<void> {
  return foldAll(left, (scans, fold) =>
    loader.holdWhile(linksOf(scans), async () => {
      await saveCounts();
      await fold();
    }),
  );
}

function linksOf(scans: readonly LeftScan[]): { high: number; low: number }[] {
  const slugs = new Set(scans.map(({ slug }) => slug));
  return [...slugs].map((slug) => ({ high: slugHigh(slug), low: slugLow(slug) }));
}
