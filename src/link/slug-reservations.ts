/**
 * Slugs that are given out but not stored yet. A slug is free when neither the store nor a create in flight has it;
 * the store's own uniqueness check remains the last word, but a create that fails there is lost work.
 */
import type { Random } from "../runtime/random.ts";
import type { Store } from "../store/store.ts";
import { newSlug } from "./slug.ts";

export class SlugReservations {
  readonly #store: Pick<Store, "codeBySlug">;
  readonly #random: Random;
  readonly #reserved = new Set<string>();

  constructor(store: Pick<Store, "codeBySlug">, random: Random) {
    this.#store = store;
    this.#random = random;
  }

  async reserve(): Promise<string> {
    for (;;) {
      const slug = newSlug(this.#random);
      if (this.#reserved.has(slug)) continue;
      this.#reserved.add(slug);
      const taken = await this.#store.codeBySlug(slug).catch((cause) => {
        this.#reserved.delete(slug);
        throw cause;
      });
      if (taken === null) return slug;
      this.#reserved.delete(slug);
    }
  }

  release(slug: string): void {
    this.#reserved.delete(slug);
  }
}
