/**
 * Whether a code of the list is in one of some other ranges as well. All ranges are in the order of ids: whoever walks the
 * list takes this along, which has its place in each of them and never goes back.
 */
import type { Texts } from "./environment.ts";
import type { KeyRange } from "./lmdb-index.ts";

export class ListedElsewhere {
  readonly #walks: Walk[];
  readonly #newestFirst: boolean;

  /** Behind the code of that id, or from the beginning. */
  constructor(list: Texts, ranges: readonly KeyRange[], behind: string | null, newestFirst: boolean) {
    this.#newestFirst = newestFirst;
    const walks = ranges.map((range) => new Walk(list, range, behind, newestFirst));
    // Most accounts have nothing in most of them.
    this.#walks = walks.filter((walk) => walk.id !== "");
  }

  /** Asked in the order of the walk. */
  has(id: string): boolean {
    for (const walk of this.#walks) {
      while (walk.id !== "" && (this.#newestFirst ? walk.id > id : walk.id < id)) walk.advance();
      if (walk.id === id) return true;
    }
    return false;
  }

  close(): void {
    for (const walk of this.#walks) walk.close();
  }
}

class Walk {
  /** Empty at the end. */
  id = "";
  readonly #prefix: string;
  readonly #keys: Iterator<string>;

  constructor(list: Texts, { from, to }: KeyRange, behind: string | null, reverse: boolean) {
    this.#prefix = from;
    const [begin, end] = reverse ? [to, from] : [from, to];
    const start = behind === null ? begin : from + behind;
    this.#keys = list.getKeys({ start, end, reverse, exclusiveStart: true })[Symbol.iterator]();
    this.advance();
  }

  advance(): void {
    const { done, value } = this.#keys.next();
    this.id = done ? "" : value.slice(this.#prefix.length);
  }

  close(): void {
    this.#keys.return?.();
  }
}
