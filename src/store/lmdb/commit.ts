/**
 * The writing half of the LMDB store: what a batch does to documents and indexes.
 *
 * Preparing (validation, encoding, the new index entries) happens before the transaction begins, because the
 * library's writer waits while the transaction's function runs. Inside it only the difference between old and
 * new index entries is written, so a document whose lists do not change costs one write; a code that is at hand
 * as it is committed is not read again for that.
 */

import { type Collection, type Collections, UniqueViolation, type Write } from "../store.ts";
import type { DocumentCoding } from "./documents.ts";
import type { Environment } from "./environment.ts";
import { type IndexEntry, indexEntries, usableId } from "./lmdb-index.ts";

export interface PreparedWrite {
  collection: Collection;
  id: string;
  /** Null for a removal. */
  bytes: Uint8Array | null;
  entries: IndexEntry[];
  /** Then there is nothing that it replaces. */
  isNew: boolean;
}

export function prepare(write: Write, coding: DocumentCoding): PreparedWrite {
  const { collection } = write;
  if ("remove" in write) return { collection, id: write.remove, bytes: null, entries: [], isNew: false };
  const { put, isNew = false } = write;
  const bytes = coding.encode(collection, put);
  if (!usableId(put.id)) throw new RangeError(`${collection} id "${put.id}" cannot be a key`);
  return { collection, id: put.id, bytes, entries: indexEntries(collection, put), isNew };
}

/** The document as it is committed, or null. */
export type Committed = <C extends Collection>(collection: C, id: string) => Collections[C] | null;

/** Runs inside a transaction. Entries that go are removed for the whole batch first: a slug may move within it. */
export function apply(
  writes: readonly PreparedWrite[],
  { documents, indexes }: Environment,
  committed: Committed,
): void {
  const added: IndexEntry[] = [];
  for (const { collection, id, bytes, entries, isNew } of writes) {
    const replaced = isNew ? null : committed(collection, id);
    if (replaced === null) {
      if (bytes === null) continue;
      added.push(...entries);
    } else {
      const before = indexEntries(collection, replaced);
      for (const entry of before) {
        if (!entries.some((other) => sameKey(entry, other))) indexes[entry.index].remove(entry.key);
      }
      for (const entry of entries) {
        const kept = before.find((other) => sameKey(entry, other));
        if (kept === undefined) added.push(entry);
        else if (kept.value !== entry.value) indexes[entry.index].put(entry.key, entry.value);
      }
    }
    if (bytes === null) documents[collection].remove(id);
    else documents[collection].put(id, bytes);
  }
  for (const entry of added) {
    if (entry.unique && indexes[entry.index].doesExist(entry.key)) {
      throw new UniqueViolation(`A document with this ${entry.unique} is already stored.`);
    }
    indexes[entry.index].put(entry.key, entry.value);
  }
}

function sameKey(a: IndexEntry, b: IndexEntry): boolean {
  return a.index === b.index && a.key === b.key;
}
