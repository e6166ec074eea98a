/**
 * Scans of limited links where another process may take the accounts over.
 *
 * The next owner does not see the journal on this machine's disk, so a limit can only be kept by counts that are
 * in the store: a limited link's scan is answered when its count is there, saved by whoever still owns the account. One save at a time is under way. Who
 * comes meanwhile waits undecided; when the save ends, all of them are decided and counted in one step and saved
 * together. So nothing was ever decided on a count that a failed save takes back.
 *
 * A link may have scans from before it had a limit that are not saved yet. They are saved first: a save that raises the
 * count past them would leave nothing for the hours to be told by.
 */

import { referrerHost } from "../analytics/referrer-host.ts";
import { seenBy } from "../analytics/unsaved-scans.ts";
import type { CountedVisitor } from "../analytics/visitor-word.ts";
import type { LinkScans, SeenScans } from "../domain/analytics/link-scans.ts";
import { hourMs } from "../domain/analytics/zone.ts";

import { decide, leadsOn, type Verdict, verdict } from "../link/decision.ts";
import { flag, type LinkTable } from "../link/link-table.ts";
import type { ProjectStates } from "../link/project-states.ts";
import { type SlugKey, slugOfKey } from "../link/slug.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";

interface Waiting {
  key: SlugKey;
  word: number;
  referer: string;
  resolve(decided: Verdict): void;
}

interface Decided extends Waiting {
  decided: Verdict;
  slot: number;
}

/** Who counts scans of limited links where the journal alone cannot keep a limit. */
export interface LimitedCounter {
  /** Whether a link is being saved here just now. */
  isSaving(slot: number): boolean;
  /** Counts a scan if the link still takes one, and resolves with what it gets when that can be relied on. */
  count(key: SlugKey, visitor: CountedVisitor): Promise<Verdict>;
}

export interface LimitedScansOptions {
  table: LinkTable;
  projects: ProjectStates;
  store: Pick<Store, "saveScans">;
  clock: Clock;
  /** Saves all that is counted by others. */
  saveCounts(): Promise<void>;
  onFailure(cause: unknown): void;
}

export class LimitedScans implements LimitedCounter {
  readonly #options: LimitedScansOptions;
  #waiting: Waiting[] = [];
  #isSaving = false;
  /** The links that are being saved. */
  #slots: ReadonlyMap<number, readonly Decided[]> = new Map();

  constructor(options: LimitedScansOptions) {
    this.#options = options;
  }

  isSaving(slot: number): boolean {
    return this.#slots.has(slot);
  }

  count(key: SlugKey, visitor: CountedVisitor): Promise<Verdict> {
    return new Promise((resolve) => {
      this.#waiting.push({ key, word: visitor.word(), referer: visitor.referer(), resolve });
      if (!this.#isSaving) void this.#saveAll();
    });
  }

  async #saveAll(): Promise<void> {
    this.#isSaving = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#count(batch);
    }
    this.#isSaving = false;
  }

  async #count(batch: readonly Waiting[]): Promise<void> {
    const { saveCounts, onFailure } = this.#options;
    try {
      if (batch.some(({ key }) => this.#isDirty(key))) await saveCounts();
    } catch (cause) {
      for (const { resolve } of batch) resolve(verdict.unavailable);
      onFailure(cause);
      return;
    }
    await this.#save(batch.map((scan) => this.#decide(scan)));
  }

  #isDirty(key: SlugKey): boolean {
    const { table } = this.#options;
    const slot = table.find(key);
    return slot >= 0 && (table.flags(slot) & flag.dirty) !== 0;
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
    this.#slots = bySlot(counted);
    const links = [...this.#slots].map(([slot, scans]) => this.#scansOf(slot, scans));
    try {
      if (links.length > 0) await store.saveScans(links, "owner");
      for (const [at, [slot, [first]]] of [...this.#slots].entries()) {
        table.markSaved(slot, first!.key, links[at]!.count);
      }
      for (const { decided, resolve } of batch) resolve(decided);
    } catch (cause) {
      // Whether they are in the store is not known; the link is read again before it is next served.
      for (const { slot, key } of counted) {
        if (table.takeBackScan(slot, key)) table.markStale(slot);
      }
      for (const { resolve } of batch) resolve(verdict.unavailable);
      onFailure(cause);
    } finally {
      this.#slots = new Map();
    }
  }

  #scansOf(slot: number, scans: readonly Decided[]): LinkScans {
    const { table, projects, clock } = this.#options;
    const hour = clock.now() - (clock.now() % hourMs);
    const isOn = (table.flags(slot) & flag.analytics) !== 0;
    return {
      slug: slugOfKey(scans[0]!.key),
      count: table.count(slot),
      owner: projects.owner(table.project(slot)),
      seen: isOn ? scans.map(({ word, referer }) => seenOnce(word, referer, hour)) : [],
      off: isOn ? 0 : scans.length,
      otherwise: isOn ? hour : null,
    };
  }
}

function seenOnce(word: number, referer: string, hour: number): SeenScans {
  return { ...seenBy(word, hour, 1), referrer: referer === "" ? "direct" : referrerHost(referer) };
}

function bySlot(scans: readonly Decided[]): Map<number, Decided[]> {
  const found = new Map<number, Decided[]>();
  for (const scan of scans) {
    const others = found.get(scan.slot);
    if (others === undefined) found.set(scan.slot, [scan]);
    else others.push(scan);
  }
  return found;
}
