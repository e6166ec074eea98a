/**
 * Brings every count that is ahead of the store's into the store, then lets go of the journal that held it.
 *
 * Whatever is scanned meanwhile is in the new segment. May fail anywhere and be run again: counts are absolute, and
 * the journal is dropped last. Differences would be smaller, but one saved twice would count twice.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ScanCount } from "../domain/documents.ts";
import { countsPerSave } from "../limits.ts";
import type { LinkTable } from "../link/link-table.ts";
import { slugOfKey } from "../link/slug.ts";
import type { Store } from "../store/store.ts";
import type { Journal } from "./journal.ts";

export async function checkpoint(table: LinkTable, journal: Journal, store: Store): Promise<void> {
  const covered = rotated(journal);
  const slots = table.takeDirty();
  let at = 0;
  try {
    for (; at < slots.length; at += countsPerSave) {
      // A count of this turn may still be taken back if the journal does not take it.
      while (journal.pending > 0) await nextTurn();
      const saved = slots.slice(at, at + countsPerSave);
      const keys = saved.map((slot) => table.keyAt(slot));
      const counts = saved.map((slot, n): ScanCount => {
        return { slug: slugOfKey(keys[n]!), count: table.count(slot) };
      });
      await store.saveScans(counts, []);
      saved.forEach((slot, n) => {
        table.markSaved(slot, keys[n]!, counts[n]!.count);
      });
    }
  } catch (error) {
    table.returnDirty(slots.slice(at));
    throw error;
  }
  if (covered !== null) journal.drop(covered);
}

/** Null when no new segment can be begun: counts can be saved all the same, only nothing can be let go. */
function rotated(journal: Journal): number | null {
  try {
    return journal.rotate();
  } catch {
    return null;
  }
}
