/**
 * Scans of limited links where another process may take the accounts over.
 *
 * The next owner does not see the journal on this machine's disk, so a limit can only be kept by counts that are
 * in the store: a limited link's scan is answered when its count is there. One save at a time is under way. Who
 * comes meanwhile waits undecided; when the save ends, all of them are decided and counted in one step and saved
 * together. So nothing was ever decided on a count that a failed save takes back.
 */

import { decide, leadsOn, type Verdict, verdict } from "../link/decision.ts";
import type { LinkTable } from "../link/link-table.ts";
import type { ProjectStates } from "../link/project-states.ts";
import { type SlugKey, slugOfKey } from "../link/slug.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";

interface Waiting {
  key: SlugKey;
  resolve(decided: Verdict): void;
}

interface Decided extends Waiting {
  decided: Verdict;
  slot: number;
}

export interface LimitedScansOptions {
  table: LinkTable;
  projects: ProjectStates;
  store: Pick<Store, "saveScans">;
  clock: Clock;
  onFailure(cause: unknown): void;
}

export class LimitedScans {
  readonly #options: LimitedScansOptions;
  #waiting: Waiting[] = [];
  #isSaving = false;

  constructor(options: LimitedScansOptions) {
    this.#options = options;
  }

  /** Counts a scan if the link still takes one, and resolves with what it gets when that can be relied on. */
  count(key: SlugKey): Promise<Verdict> {
    return new Promise((resolve) => {
      this.#waiting.push({ key, resolve });
      if (!this.#isSaving) void this.#saveAll();
    });
  }

  async #saveAll(): Promise<void> {
    this.#isSaving = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#save(batch.map((scan) => this.#decide(scan)));
    }
    this.#isSaving = false;
  }

  #decide(scan: Waiting): Decided {
    const { table, projects, clock } = this.#options;
    const slot = table.find(scan.key);
    const decided = slot < 0 ? verdict.undecided : decide(table, projects, slot, clock.now());
    if (leadsOn(decided)) table.addScan(slot);
    return { ...scan, decided, slot };
  }

  async #save(batch: readonly Decided[]): Promise<void> {
    const { table, store, onFailure } = this.#options;
    const counted = batch.filter(({ decided }) => leadsOn(decided));
    const bySlot = new Map(counted.map((scan) => [scan.slot, scan]));
    const counts = [...bySlot].map(([slot, { key }]) => ({
      slug: slugOfKey(key),
      count: table.count(slot),
    }));
    try {
      if (counts.length > 0) await store.saveScans(counts, []);
      for (const { decided, resolve } of batch) resolve(decided);
    } catch (cause) {
      // Whether they are in the store is not known; the link is read again before it is next served.
      for (const { slot, key } of counted) {
        if (table.takeBackScan(slot, key)) table.markStale(slot);
      }
      for (const { resolve } of batch) resolve(verdict.unavailable);
      onFailure(cause);
    }
  }
}
