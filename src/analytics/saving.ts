/**
 * Adds what is counted to the stored hours, in steps. A step that failed is taken up again by the next run. When it was
 * the write that failed, it may have happened all the same; the very same documents are then written again, because
 * merging a second time would count twice.
 */
import type { Count, ScanHourDoc } from "../domain/documents.ts";
import { hourReferrersMax, hoursPerSave } from "../limits.ts";
import { slugOfKey } from "../link/slug.ts";
import type { Store } from "../store/store.ts";
import type { Analytics, CodeCounts } from "./hour-tables.ts";

const rest = "other";

export class AnalyticsSaving {
  readonly #analytics: Analytics;
  readonly #store: Store;
  #hour = 0;
  #codes: Iterator<CodeCounts> | null = null;
  #step: CodeCounts[] = [];
  #merged: ScanHourDoc[] | null = null;

  constructor(analytics: Analytics, store: Store) {
    this.#analytics = analytics;
    this.#store = store;
  }

  /** Until nothing is left. */
  async run(): Promise<void> {
    while (this.#step.length > 0 || this.#fillStep()) {
      this.#merged ??= await this.#merge();
      await this.#store.saveScans([], this.#merged);
      this.#merged = null;
      this.#step = [];
    }
  }

  #fillStep(): boolean {
    while (this.#step.length < hoursPerSave) {
      if (this.#codes === null) {
        if (this.#step.length > 0) return true;
        const table = this.#analytics.take();
        if (table === null) return false;
        this.#hour = table.hour;
        this.#codes = table.codes();
      }
      const next = this.#codes.next();
      if (next.done) this.#codes = null;
      else this.#step.push(next.value);
    }
    return true;
  }

  async #merge(): Promise<ScanHourDoc[]> {
    const hour = this.#hour;
    return Promise.all(this.#step.map((counts) => mergedHour(this.#store, hour, counts)));
  }
}

async function mergedHour(store: Store, hour: number, counts: CodeCounts): Promise<ScanHourDoc> {
  const id = `${slugOfKey(counts.key)}/${hour}`;
  const stored = await store.scanHour(id);
  const people = stored?.people ?? null;
  return {
    id,
    people: {
      total: (people?.total ?? 0) + counts.total,
      countries: merged(people?.countries, counts.countries),
      devices: merged(people?.devices, counts.devices),
      referrers: merged(people?.referrers, counts.referrers),
    },
    robots: stored?.robots ?? null,
  };
}

function merged(
  stored: Record<string, Count> | undefined,
  added: Map<string, number>,
): Record<string, Count> {
  const sums = new Map(Object.entries(stored ?? {}));
  for (const [key, scans] of added) {
    const known = sums.has(key) || sums.size < hourReferrersMax ? key : rest;
    sums.set(known, (sums.get(known) ?? 0) + scans);
  }
  return Object.fromEntries(sums);
}
