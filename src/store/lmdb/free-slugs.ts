/**
 * Which slugs no code has, for who makes codes and for the commits that store them.
 *
 * Slugs of creates that are under way together begin alike (see `slug-reservations.ts`). When some that begin so were asked
 * for one after the other, all stored ones that do are read at once, if they are few, and each commit adds its own: those
 * that follow cost no look at the index, neither as they are made nor as they are stored. Of a stored one a mark is kept, at a
 * place that its hash says; a slug whose place is marked is looked for. A `Set` of them would be shorter, and be left to the
 * collection of all memory with every beginning.
 *
 * All documents are changed by the store that this belongs to, one commit after the other.
 */
import { freeSlugsAsked, slugBeginningChars, slugsBesideMax } from "../../limits.ts";
import type { Write } from "../store.ts";
import type { Texts } from "./environment.ts";

/** Behind all characters of a slug. */
const last = "\u{10ffff}";
/** Leaves the bits of a hash that are a place: of the most that are read not even one in sixteen is marked. */
const placeShift = Math.clz32(16 * slugsBesideMax - 1);
const places = 2 ** (32 - placeShift);

export class FreeSlugs {
  readonly #index: Pick<Texts, "doesExist" | "getKeys">;
  #beginning = "";
  #asked = 0;
  /** Of those that begin so whether one is stored whose hash says this place; perhaps it is stored no more. */
  readonly #isStored = new Uint8Array(places);
  #hasLooked = false;

  constructor(index: Pick<Texts, "doesExist" | "getKeys">) {
    this.#index = index;
  }

  /** The same as `isFree`, for who makes a code and will ask for more that begin alike. */
  ask(slug: string): boolean {
    if (this.#asked === 0 || !slug.startsWith(this.#beginning))
      this.#begin(slug.slice(0, slugBeginningChars));
    if (++this.#asked === freeSlugsAsked) this.#look();
    return this.isFree(slug);
  }

  /** Holds until the next commit. */
  isFree(slug: string): boolean {
    return this.#isKnownFree(slug) || !this.#index.doesExist(slug);
  }

  /** By a commit that is over, whatever became of it. */
  written(writes: readonly Write[]): void {
    if (!this.#hasLooked) return;
    for (const write of writes) {
      if (write.collection !== "codes" || !("put" in write)) continue;
      const { slug } = write.put;
      if (slug.startsWith(this.#beginning)) this.#isStored[placeOf(slug)] = 1;
    }
  }

  #isKnownFree(slug: string): boolean {
    return this.#hasLooked && slug.startsWith(this.#beginning) && this.#isStored[placeOf(slug)] === 0;
  }

  #begin(beginning: string): void {
    this.#beginning = beginning;
    this.#asked = 0;
    this.#hasLooked = false;
  }

  #look(): void {
    this.#isStored.fill(0);
    const range = { start: this.#beginning, end: this.#beginning + last, limit: slugsBesideMax + 1 };
    let stored = 0;
    for (const slug of this.#index.getKeys(range)) {
      this.#isStored[placeOf(slug)] = 1;
      stored++;
    }
    this.#hasLooked = stored <= slugsBesideMax;
  }
}

/** Of what comes behind the beginning. */
function placeOf(slug: string): number {
  let hash = 0;
  for (let at = slugBeginningChars; at < slug.length; at++)
    hash = Math.imul(hash ^ slug.charCodeAt(at), 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> placeShift;
}
