/**
 * The writing half of the LMDB store: what a batch does to documents and indexes.
 *
 * All of it is known before anything is written, so that the library's own thread can write it without asking; a
 * function that runs within the transaction would do the writing on the event loop. Of index entries only the difference
 * between old and new is written, so a document whose lists do not change costs one write; a code that is at hand
 * as it is committed is not read again for that. No other batch may be under way meanwhile.
 */

import { type Collection, type Collections, UniqueViolation, type Write } from "../store.ts";
import type { DocumentCoding } from "./documents.ts";
import type { Change, Environment } from "./environment.ts";
import { type IndexEntry, indexEntries, usableId, usableKey } from "./lmdb-index.ts";

export interface PreparedWrite {
  collection: Collection;
  id: string;
  /** Null for a removal. */
  bytes: Uint8Array | null;
  entries: IndexEntry[];
}

export function prepare(write: Write, coding: DocumentCoding): PreparedWrite {
  const { collection } = write;
  if ("remove" in write) return { collection, id: write.remove, bytes: null, entries: [] };
  const { put } = write;
  const bytes = coding.encode(collection, put);
  if (!usableId(put.id)) throw new RangeError(`${collection} id "${put.id}" cannot be a key`);
  return { collection, id: put.id, bytes, entries: indexEntries(collection, put) };
}

/** The document as it is committed, or null. */
export type Committed = <C extends Collection>(collection: C, id: string) => Collections[C] | null;

/** What is written, in this order: entries that go, the documents, entries that come. A slug may move within a batch. */
export function changesOf(
  writes: readonly PreparedWrite[],
  { documents, indexes }: Environment,
  committed: Committed,
): Change[] {
  const gone: IndexEntry[] = [];
  const come: IndexEntry[] = [];
  const changed: Change[] = [];
  for (const { collection, id, bytes, entries } of writes) {
    const replaced = committed(collection, id);
    if (replaced === null) {
      if (bytes === null) continue;
      come.push(...entries);
    } else {
      const before = indexEntries(collection, replaced);
      for (const entry of before) {
        if (!entries.some((other) => sameKey(entry, other))) gone.push(entry);
      }
      for (const entry of entries) {
        const kept = before.find((other) => sameKey(entry, other));
        if (kept === undefined) come.push(entry);
        else if (kept.value !== entry.value) changed.push(entryChange(entry, entry.value));
      }
    }
    changed.push({ to: documents[collection], key: id, value: bytes });
  }
  requireUnique(come, gone, indexes);
  return [
    ...gone.map((entry) => entryChange(entry, null)),
    ...changed,
    ...come.map((entry) => entryChange(entry, entry.value)),
  ];

  function entryChange({ index, key }: IndexEntry, value: string | null): Change {
    if (!usableKey(key)) throw new RangeError(`${index} "${key}" cannot be a key`);
    return { to: indexes[index], key, value };
  }
}

function requireUnique(
  come: readonly IndexEntry[],
  gone: readonly IndexEntry[],
  indexes: Environment["indexes"],
): void {
  const taken = new Set<string>();
  for (const entry of come) {
    if (entry.unique === undefined) continue;
    const isFree = gone.some((other) => sameKey(entry, other)) || !indexes[entry.index].doesExist(entry.key);
    const name = `${entry.index} ${entry.key}`;
    if (!isFree || taken.has(name)) {
      throw new UniqueViolation(`A document with this ${entry.unique} is already stored.`);
    }
    taken.add(name);
  }
}

function sameKey(a: IndexEntry, b: IndexEntry): boolean {
  return a.index === b.index && a.key === b.key;
}
