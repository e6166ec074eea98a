/**
 * A page of codes, from the code list index: newest first, at most as many as asked for.
 *
 * A search in labels may pass many entries before the page is full, so the page is gathered in steps. Each step
 * opens cursors of its own and begins behind the last entry of the step before: a cursor that lived on would hold
 * its snapshot, and with it every page freed meanwhile. A document is read in the step that found its entry, so
 * what is listed matched when it was read.
 */
import type { CodeDoc } from "../../domain/documents.ts";
import type { CodeQuery, Page } from "../store.ts";
import type { Texts } from "./environment.ts";
import { ListedElsewhere } from "./listed-elsewhere.ts";
import { type CodeListRange, codeListRange, labelIn, slugListed } from "./lmdb-index.ts";
import type { Step } from "./loop-share.ts";

/** Reading the clock costs as much as looking at an entry, reading a document a hundred times as much. */
const entriesPerLook = 64;

/**
 * The page, when all of its codes are at hand, as those of the first pages of a list mostly are; otherwise null. Costs a
 * key an item and no more, so it needs no steps. A code at hand may be older than the index for the moment that a
 * commit takes to be heard of; one that does not fit the list is not taken.
 */
export function pageOfRecent(
  list: Texts,
  query: CodeQuery,
  recent: (id: string) => CodeDoc | undefined,
): Page<CodeDoc> | null {
  const { before, limit } = query;
  const ids: string[] = [];
  const statuses = new Set(query.statuses);
  for (const status of statuses) {
    const { from, to } = codeListRange(query, status).range;
    const start = before === null ? to : from + before;
    const keys = list.getKeys({ start, end: from, reverse: true, exclusiveStart: true, limit: limit + 1 });
    for (const key of keys) ids.push(key.slice(from.length));
  }
  if (statuses.size > 1) ids.sort(newestFirst);
  const items: CodeDoc[] = [];
  for (const id of ids) {
    if (items.length === limit) break;
    const code = recent(id);
    if (code === undefined || !fits(code, query)) return null;
    items.push(code);
  }
  return { items, more: ids.length > limit };
}

function newestFirst(a: string, b: string): number {
  return a < b ? 1 : -1;
}

function fits(code: CodeDoc, { statuses, project_id, type }: CodeQuery): boolean {
  return (
    statuses.includes(code.status) &&
    (project_id === null || code.project_id === project_id) &&
    (type === null || code.type === type)
  );
}

/** Fills the page, one step after the other. */
export function pageOfCodes<Code>(
  list: Texts,
  query: CodeQuery,
  load: (id: string, slug: string | null) => Code,
): { page: Page<Code>; step: Step } {
  const items: Code[] = [];
  const page: Page<Code> = { items, more: false };
  const needle = query.label_contains?.toLowerCase() ?? "";
  const statuses = [...new Set(query.statuses)];
  let { before } = query;

  function step(end: number): boolean {
    const ranges = statuses.map((status) => new ReverseRange(list, codeListRange(query, status), before));
    let looked = 0;
    try {
      for (;;) {
        const range = newest(ranges);
        if (range === null) return true;
        const others = newest(ranges.filter((other) => other !== range));
        const floor = others === null ? "" : range.keyOf(others.id);
        for (; range.key > floor; range.advance()) {
          const isMatch = !range.isElsewhere && (needle === "" || labelIn(range.listed).includes(needle));
          if (isMatch) {
            page.more = items.length === query.limit;
            if (page.more) return true;
            items.push(load(range.id, slugListed(range.listed)));
          }
          looked += 1;
          if ((isMatch || looked % entriesPerLook === 0) && performance.now() >= end) {
            before = range.id;
            return false;
          }
        }
      }
    } finally {
      for (const range of ranges) range.close();
    }
  }

  return { page, step };
}

/** The entries of one status from the newest on, one at a time. */
class ReverseRange {
  /** Of the present entry; empty when there is none. */
  key = "";
  listed = "";
  readonly #prefix: string;
  readonly #entries: Iterator<{ key: string; value: string }>;
  readonly #elsewhere: ListedElsewhere;

  constructor(list: Texts, { range: { from, to }, without }: CodeListRange, before: string | null) {
    this.#elsewhere = new ListedElsewhere(list, without, before, true);
    this.#prefix = from;
    const start = before === null ? to : this.keyOf(before);
    this.#entries = list
      .getRange({ start, end: from, reverse: true, exclusiveStart: true })
      [Symbol.iterator]();
    this.advance();
  }

  get id(): string {
    return this.key.slice(this.#prefix.length);
  }

  /** Then it is none of the list. */
  get isElsewhere(): boolean {
    return this.#elsewhere.has(this.id);
  }

  /** The key that an entry of this id has or would have here. */
  keyOf(id: string): string {
    return this.#prefix + id;
  }

  advance(): void {
    const { done, value } = this.#entries.next();
    this.key = done ? "" : value.key;
    this.listed = done ? "" : value.value;
  }

  close(): void {
    this.#elsewhere.close();
    this.#entries.return?.();
  }
}

function newest(ranges: readonly ReverseRange[]): ReverseRange | null {
  let found: ReverseRange | null = null;
  for (const range of ranges) {
    if (range.key !== "" && (found === null || range.id > found.id)) found = range;
  }
  return found;
}
