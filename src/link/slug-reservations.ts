/**
 * Slugs that are given out but not stored yet. A slug is free when neither the store nor a create in flight has it;
 * the store's own uniqueness check remains the last word, but a create that fails there is lost work.
 *
 * Slugs of creates that are under way together begin alike, so what a commit adds to the store's index of slugs lies on a
 * page or two of it, and not on one page each. Whoever knows one of them still finds another no sooner than any slug of a
 * service with `slugsAlikeMax` × 1,024 codes.
 */
import { slugsAlikeMax } from "../limits.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Random } from "../runtime/random.ts";
import type { Store } from "../store/store.ts";
import { newSlug, slugBeside } from "./slug.ts";

export class SlugReservations {
  readonly #store: Pick<Store, "isSlugFree">;
  readonly #random: Random;
  readonly #reserved = new Set<string>();
  /** Like which others begin, and how many do. */
  #first = "";
  #alike = 0;

  constructor(store: Pick<Store, "isSlugFree">, random: Random) {
    this.#store = store;
    this.#random = random;
  }

  /** At once where the store answers at once. */
  reserve(): AtOnce<string> {
    const slug = this.#unreserved();
    this.#reserved.add(slug);
    try {
      const isFree = this.#store.isSlugFree(slug);
      if (!(isFree instanceof Promise)) return this.#reservedIf(isFree, slug);
      return isFree.then(
        (isFree) => this.#reservedIf(isFree, slug),
        (cause: unknown) => this.#giveUp(slug, cause),
      );
    } catch (cause) {
      return this.#giveUp(slug, cause);
    }
  }

  #unreserved(): string {
    for (;;) {
      const slug = this.#next();
      if (!this.#reserved.has(slug)) return slug;
    }
  }

  #next(): string {
    if (this.#reserved.size > 0 && this.#alike < slugsAlikeMax) {
      this.#alike++;
      return slugBeside(this.#first, this.#random);
    }
    this.#first = newSlug(this.#random);
    this.#alike = 1;
    return this.#first;
  }

  #reservedIf(isFree: boolean, slug: string): AtOnce<string> {
    if (isFree) return slug;
    this.release(slug);
    return this.reserve();
  }

  #giveUp(slug: string, cause: unknown): never {
    this.release(slug);
    throw cause;
  }

  release(slug: string): void {
    this.#reserved.delete(slug);
  }
}
