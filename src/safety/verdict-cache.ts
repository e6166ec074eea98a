import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock, Millis } from "../runtime/clock.ts";

/** Verdicts until they expire; when it is full, the one that was not asked for the longest goes. */
export class VerdictCache {
  readonly #clock: Clock;
  readonly #entries: BoundedMap<string, { verdict: "safe" | "unsafe"; until: Millis }>;

  constructor(clock: Clock, entriesMax: number) {
    this.#clock = clock;
    this.#entries = new BoundedMap(entriesMax);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(url: string): "safe" | "unsafe" | null {
    const entry = this.#entries.get(url);
    if (entry === undefined) return null;
    if (entry.until <= this.#clock.now()) {
      this.#entries.delete(url);
      return null;
    }
    this.#entries.set(url, entry);
    return entry.verdict;
  }

  set(url: string, verdict: "safe" | "unsafe", ms: number): void {
    this.#entries.set(url, { verdict, until: this.#clock.now() + ms });
  }
}
