/**
 * Slugs that somebody asked for just now and no code had: who makes one asks first, and the commit that stores it must be sure
 * of the same, so it need not look again.
 *
 * All documents are changed by the store that this belongs to, one commit after the other. What one stores is out of here when
 * it is over: whoever asked for the slug while it was under way was still told that no code has it.
 */
import { freeSlugsMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { Write } from "../store.ts";

export class FreeSlugs {
  readonly #slugs = new BoundedMap<string, true>(freeSlugsMax);

  add(slug: string): void {
    this.#slugs.set(slug, true);
  }

  has(slug: string): boolean {
    return this.#slugs.has(slug);
  }

  /** By a commit that is over, whatever became of it. */
  written(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection === "codes" && "put" in write) this.#slugs.delete(write.put.slug);
    }
  }
}
