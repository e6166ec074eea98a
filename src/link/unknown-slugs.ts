/**
 * Slugs that the store does not know, remembered briefly, so that guessing does not reach the database. At the bound
 * the oldest makes room. A filter over all slugs there are would need no life time, and to be told of every code.
 */
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock, Millis } from "../runtime/clock.ts";
import type { SlugKey } from "./slug.ts";

export type UnknownSlugs = ReturnType<typeof unknownSlugs>;

export function unknownSlugs(clock: Clock, slugsMax: number, lifeMs: number) {
  const until = new BoundedMap<SlugKey, Millis>(slugsMax);
  return {
    get size(): number {
      return until.size;
    },
    has(key: SlugKey): boolean {
      const end = until.get(key);
      if (end === undefined || clock.now() < end) return end !== undefined;
      until.delete(key);
      return false;
    },
    add: (key: SlugKey) => void until.set(key, clock.now() + lifeMs),
    delete: (key: SlugKey) => void until.delete(key),
    clear: () => until.clear(),
  };
}
