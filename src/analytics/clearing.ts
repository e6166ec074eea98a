/**
 * Clears away what is too old to be kept, slice by slice: hours become days, and days go after years.
 *
 * Who reads hours and days one after the other may find the same scans in both, or in neither, when they are moved in
 * between. So a reader asks before and after whether anything of the one it reads about was moved, and reads again if so.
 * A snapshot of both would spare that and hold the store's pages for as long as the slowest reader takes.
 *
 * What a slice that failed has moved is not known, nor whether it still will: whoever asks has that settled first, and
 * then anything may have been moved.
 */
import { daysKeptSince, hoursKeptSince } from "../domain/analytics/range.ts";
import { clearedOwnersKept } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ClearedScans, Store } from "../store/store.ts";

export class Clearing {
  readonly #store: Pick<Store, "clearScans" | "ping">;
  readonly #clock: Clock;
  /** Those whose hours became days lately, and in which slice. */
  readonly #moved = new BoundedMap<string, number>(clearedOwnersKept);
  #slices = 0;
  /** The last slice of which nobody knows what it moved; and the last of those that can move nothing any more. */
  #unknown = 0;
  #settled = 0;
  #slice: Promise<ClearedScans> | null = null;
  #isStopped = false;

  constructor(store: Pick<Store, "clearScans" | "ping">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Until nothing is left, or it is stopped. */
  async run(): Promise<void> {
    const now = this.#clock.now();
    const since = { hours: hoursKeptSince(now), days: daysKeptSince(now) };
    for (let next: string | null = null; !this.#isStopped; ) {
      this.#slice = this.#store.clearScans(since, next);
      try {
        const cleared = await this.#slice;
        this.#slices++;
        for (const of of cleared.of) this.#moved.set(of, this.#slices);
        next = cleared.next;
      } catch (cause) {
        this.#unknown = ++this.#slices;
        throw cause;
      } finally {
        this.#slice = null;
      }
      if (next === null) return;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Another number than before says that hours of one of these links, projects or accounts became days in between. */
  async movesOf(of: readonly string[]): Promise<number> {
    // What a slice has moved is known when it is over; `run` waits for the same promise, and came first.
    await this.#slice?.catch(() => {});
    while (this.#settled < this.#unknown) {
      const unknown = this.#unknown;
      await this.#store.ping();
      this.#settled = unknown;
    }
    return of.reduce((latest, owner) => Math.max(latest, this.#moved.get(owner) ?? 0), this.#unknown);
  }
}
