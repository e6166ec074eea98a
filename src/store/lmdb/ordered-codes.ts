/**
 * A page of codes in another order than the index has.
 *
 * Every entry that the query matches is looked at, in steps, and the best so far are kept, one more than the page
 * holds. That costs what the account is large, as a search in labels does, and only people who look at lists ask for
 * it; an index for each order would cost every create. Documents are read at the end: one that has left the list
 * meanwhile is left out.
 */
import type { CodeDoc } from "../../domain/documents.ts";
import { type CodeOrder, type CodeQuery, type Page, placeOf } from "../store.ts";
import type { Texts } from "./environment.ts";
import { ListedElsewhere } from "./listed-elsewhere.ts";
import { codeListRange, labelIn } from "./lmdb-index.ts";
import type { Step } from "./loop-share.ts";

interface Entry {
  id: string;
  label: string;
}

const entriesPerLook = 64;

const inOrder: Record<Exclude<CodeOrder, "newest">, (a: Entry, b: Entry) => number> = {
  oldest: (a, b) => compare(a.id, b.id),
  label: (a, b) => compare(a.label, b.label) || compare(a.id, b.id),
};

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export function pageInOrder(
  list: Texts,
  query: CodeQuery & { order: Exclude<CodeOrder, "newest"> },
  load: (id: string) => CodeDoc | null,
): { page: Page<CodeDoc>; step: Step } {
  const items: CodeDoc[] = [];
  const page: Page<CodeDoc> = { items, more: false };
  const before = inOrder[query.order];
  const place = query.before === null ? null : placeOf(query.order, query.before);
  const needle = query.label_contains?.toLowerCase() ?? "";
  const best: Entry[] = [];
  const ranges = [...new Set(query.statuses)].map((status) => codeListRange(query, status));
  let listed = ranges.shift();
  /** Behind it the walk goes on. */
  let last: string | null = null;

  function take(entry: Entry): void {
    if (!entry.label.includes(needle) || (place !== null && before(entry, place) <= 0)) return;
    if (best.length > query.limit && before(entry, best.at(-1)!) >= 0) return;
    let at = best.length;
    while (at > 0 && before(entry, best[at - 1]!) < 0) at--;
    best.splice(at, 0, entry);
    if (best.length > query.limit + 1) best.pop();
  }

  function walk(end: number): boolean {
    let looked = 0;
    for (; listed !== undefined; listed = ranges.shift()) {
      const { range, without } = listed;
      const elsewhere = new ListedElsewhere(list, without, last, false);
      try {
        const start = range.from + (last ?? "");
        for (const { key, value } of list.getRange({ start, end: range.to, exclusiveStart: true })) {
          const id = key.slice(range.from.length);
          if (!elsewhere.has(id)) take({ id, label: labelIn(value) });
          last = id;
          looked += 1;
          if (looked % entriesPerLook === 0 && performance.now() >= end) return false;
        }
      } finally {
        elsewhere.close();
      }
      last = null;
    }
    return true;
  }

  function read(end: number): boolean {
    for (;;) {
      const entry = best.shift();
      if (entry === undefined) return true;
      const code = load(entry.id);
      if (code !== null && query.statuses.includes(code.status)) items.push(code);
      if (performance.now() >= end) return best.length === 0;
    }
  }

  return {
    page,
    step(end) {
      if (listed !== undefined) {
        if (!walk(end)) return false;
        page.more = best.length > query.limit;
        if (page.more) best.pop();
      }
      return read(end);
    },
  };
}
