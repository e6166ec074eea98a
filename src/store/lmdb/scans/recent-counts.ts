/**
 * Counts of scans that were asked for lately.
 *
 * Whoever reads a code is told how often it was scanned. Most codes that are read have not been scanned since the start,
 * and to look their count up in a large tree was the longest single step of such an answer.
 *
 * What is here is what is committed: a count goes when a change of it is durable, or when nobody knows whether it is.
 * There is no other writer, so nothing else can make an entry old.
 */
import { recentCountsMax } from "../../../limits.ts";
import { BoundedMap } from "../../../runtime/bounded-map.ts";

export class RecentCounts {
  readonly #counts = new BoundedMap<string, number>(recentCountsMax);
  readonly #committed: (slug: string) => number;

  constructor(committed: (slug: string) => number) {
    this.#committed = committed;
  }

  of(slug: string): number {
    const known = this.#counts.get(slug);
    if (known !== undefined) return known;
    const count = this.#committed(slug);
    this.#counts.set(slug, count);
    return count;
  }

  changed(links: readonly { slug: string }[]): void {
    for (const { slug } of links) this.#counts.delete(slug);
  }
}
