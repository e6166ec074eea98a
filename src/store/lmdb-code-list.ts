/** Finding a page of codes in the code list index, without reading a document. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { loopHoldMsMax } from "../limits.ts";
import type { Texts } from "./lmdb-environment.ts";
import { codeListRange, idOfKey } from "./lmdb-index.ts";
import type { CodeQuery } from "./store.ts";

/** Reading the clock costs more than looking at an entry. */
const entriesPerLook = 64;

interface Found {
  id: string;
  label: string;
}

/** Ids that match, newest first: at most one more than the limit, which says that more follow. */
export async function findCodes(list: Texts, query: CodeQuery): Promise<string[]> {
  const wanted = query.limit + 1;
  const needle = query.label_contains?.toLowerCase() ?? "";
  if (needle === "") return Array.from(entries(list, query, query.before, wanted), ({ id }) => id);

  const ids: string[] = [];
  let before = query.before;
  for (;;) {
    const step = searchStep(list, { ...query, before }, needle, wanted - ids.length);
    ids.push(...step.ids);
    if (step.resumeBefore === null || ids.length === wanted) return ids;
    before = step.resumeBefore;
    // A cursor would hold its snapshot, and with it every page freed meanwhile: the next step opens its own.
    await nextTurn();
  }
}

function searchStep(list: Texts, query: CodeQuery, needle: string, wanted: number) {
  const ids: string[] = [];
  const end = performance.now() + loopHoldMsMax / 2;
  let looked = 0;
  for (const { id, label } of entries(list, query, query.before, Number.POSITIVE_INFINITY)) {
    if (label.includes(needle)) ids.push(id);
    looked += 1;
    const pause = ids.length === wanted || (looked % entriesPerLook === 0 && performance.now() >= end);
    if (pause) return { ids, resumeBefore: id };
  }
  return { ids, resumeBefore: null };
}

/** The ranges of all asked statuses, merged in the order of ids, newest first. */
function* entries(list: Texts, query: CodeQuery, before: string | null, limit: number): Generator<Found> {
  const ranges = [...new Set(query.statuses)].map((status) => {
    const { from, to } = codeListRange(query, status);
    return list
      .getRange({
        start: before === null ? to : from + before,
        end: from,
        reverse: true,
        exclusiveStart: true,
        ...(Number.isFinite(limit) ? { limit } : {}),
      })
      [Symbol.iterator]();
  });
  const heads: (Found | null)[] = ranges.map(nextOf);
  try {
    for (let count = 0; count < limit; count += 1) {
      const newest = indexOfNewest(heads);
      if (newest === -1) return;
      yield heads[newest]!;
      heads[newest] = nextOf(ranges[newest]!);
    }
  } finally {
    for (const range of ranges) range.return?.();
  }
}

function nextOf(range: Iterator<{ key: string; value: string }>): Found | null {
  const next = range.next();
  return next.done ? null : { id: idOfKey(next.value.key), label: next.value.value };
}

function indexOfNewest(heads: (Found | null)[]): number {
  let newest = -1;
  for (let i = 0; i < heads.length; i += 1) {
    const head = heads[i];
    if (head && (newest === -1 || head.id > heads[newest]!.id)) newest = i;
  }
  return newest;
}
