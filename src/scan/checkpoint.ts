/**
 * Brings every count that is ahead of the store's into the store, with what is known of the scans, then lets go of the
 * journal that held them.
 *
 * A step takes the counts of some links, neighbours by slug, and all that is known of their unsaved scans in one turn of
 * the loop, and saves both in one transaction. A step that failed is kept and tried again before any other: whether it
 * was stored is not known, and as it names absolute counts it may be stored twice. Whatever is scanned meanwhile is in
 * the new segment. The journal is dropped last.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { UnsavedScans } from "../analytics/unsaved-scans.ts";
import type { LinkScans } from "../domain/analytics/link-scans.ts";
import { hourMs } from "../domain/analytics/zone.ts";
import { countsPerSave } from "../limits.ts";
import { flag, type LinkTable } from "../link/link-table.ts";
import type { ProjectStates } from "../link/project-states.ts";
import { type SlugKey, slugOfKey } from "../link/slug.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";
import type { Journal } from "./journal/journal.ts";
import { inSlugOrder } from "./slug-order.ts";

export interface CheckpointOptions {
  table: LinkTable;
  projects: ProjectStates;
  unsaved: UnsavedScans;
  journal: Journal;
  store: Pick<Store, "saveScans">;
  clock: Clock;
  /** Whether a link is just being saved by somebody else. The journal has nothing of it then. */
  isElsewhere(slot: number): boolean;
}

interface Step {
  slots: readonly number[];
  keys: readonly SlugKey[];
  scans: readonly LinkScans[];
}

export function checkpointOf(options: CheckpointOptions): () => Promise<void> {
  const { table, projects, unsaved, journal, store, clock, isElsewhere } = options;
  /** One that failed, or is under way. */
  let underWay: Step | null = null;

  /** The state of these links in this very turn. */
  function take(slots: readonly number[]): Step {
    table.returnDirty(slots.filter(isElsewhere));
    const dirty = [...new Set(slots)].filter(
      (slot) => !isElsewhere(slot) && (table.flags(slot) & flag.dirty) !== 0,
    );
    return { slots: dirty, keys: dirty.map((slot) => table.keyAt(slot)), scans: dirty.map(scansOf) };
  }

  function scansOf(slot: number): LinkScans {
    const now = clock.now();
    const isOn = (table.flags(slot) & flag.analytics) !== 0;
    return {
      slug: slugOfKey(table.keyAt(slot)),
      count: table.count(slot),
      owner: projects.owner(table.project(slot)),
      ...unsaved.take(slot),
      otherwise: isOn ? now - (now % hourMs) : null,
    };
  }

  async function save(step: Step): Promise<void> {
    underWay = step;
    if (step.scans.length > 0) await store.saveScans(step.scans, "member");
    underWay = null;
    step.slots.forEach((slot, n) => {
      table.markSaved(slot, step.keys[n]!, step.scans[n]!.count);
    });
  }

  return async () => {
    const covered = rotated(journal);
    if (underWay !== null) await save(underWay);
    let slots: number[] | Int32Array = table.takeDirty();
    let at = 0;
    try {
      slots = await inSlugOrder(slots, (slot) => table.keyAt(slot));
      while (at < slots.length) {
        // A count of this turn may still be taken back if the journal does not take it.
        while (journal.pending > 0) await nextTurn();
        const some = [...slots.slice(at, at + countsPerSave)];
        const step = take(some);
        at += some.length;
        await save(step);
      }
    } catch (error) {
      table.returnDirty(slots.slice(at));
      throw error;
    }
    table.takenAreSaved();
    if (covered !== null) journal.drop(covered);
  };
}

/** Null when no new segment can be begun: counts can be saved all the same, only nothing can be let go. */
function rotated(journal: Journal): number | null {
  try {
    return journal.rotate();
  } catch {
    return null;
  }
}
