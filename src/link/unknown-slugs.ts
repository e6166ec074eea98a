/**
 * Slugs that the store does not know, remembered briefly, so that guessing does not reach the database. At the bound
 * the oldest makes room. A filter over all slugs there are would need no life time, and to be told of every code.
 */
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock, Millis } from "../runtime/clock.ts";
import type { SlugKey } from "./slug.ts";

export class UnknownSlugs {
  readonly #clock: Clock;
  readonly #lifeMs: number;
  readonly #until: BoundedMap<SlugKey, Millis>;

  constructor(clock: Clock, slugsMax: number, lifeMs: number) {
    this.#clock = clock;
    this.#until = new BoundedMap(slugsMax);
    this.#lifeMs = lifeMs;
  }

  get size(): number {
    return this.#until.size;
  }

  has(key: SlugKey): boolean {
    const until = this.#until.get(key);
    if (until === undefined) return false;
    if (this.#clock.now() < until) return true;
    this.#until.delete(key);
    return false;
  }

  add(key: SlugKey): void {
    this.#until.set(key, this.#clock.now() + this.#lifeMs);
  }

  delete(key: SlugKey): void {
    this.#until.delete(key);
  }

  clear(): void {
    this.#until.clear();
  }
}
