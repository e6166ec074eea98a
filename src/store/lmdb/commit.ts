/**
 * The writing half of the LMDB store: what a batch of writes does to documents and indexes.
 *
 * All that takes thought happens before the library is given anything: validation and encoding, then what the batch
 * changes in the indexes, read from what is committed. The library's own thread then only puts and removes, while the
 * event loop goes on. A document whose lists do not change costs one write, and a code that is at hand as it is
 * committed is not read again.
 */

import { asBinary } from "lmdb";
import { type Collection, type Collections, UniqueViolation, type Write } from "../store.ts";
import type { DocumentCoding } from "./documents.ts";
import type { Environment } from "./environment.ts";
import type { FreeSlugs } from "./free-slugs.ts";
import {
  type IndexEntry,
  type IndexName,
  indexEntries,
  isIndexed,
  usableId,
  usableKey,
} from "./lmdb-index.ts";

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
  const entries = indexEntries(collection, put);
  for (const { index, key } of entries) {
    if (!usableKey(key))
      throw new RangeError(`${collection} "${put.id}": "${key}" cannot be a key of ${index}`);
  }
  return { collection, id: put.id, bytes, entries, isNew };
}

/** What a batch changes in the indexes. */
export interface EntryChanges {
  gone: IndexEntry[];
  put: IndexEntry[];
}

/** The document as it is committed, or null. */
export type Committed = <C extends Collection>(collection: C, id: string) => Collections[C] | null;

type KeysOf = Partial<Record<IndexName, Set<string>>>;

/**
 * Holds until the next commit. A slug may move within the batch. From `undrawnFrom` on it is found without an entry that a
 * new code is to be drawn (see `undrawn.ts`).
 */
export function entryChanges(
  writes: readonly PreparedWrite[],
  { indexes }: Pick<Environment, "indexes">,
  committed: Committed,
  undrawnFrom: string,
  freeSlugs: Pick<FreeSlugs, "isFree">,
): EntryChanges {
  const gone: IndexEntry[] = [];
  const put: IndexEntry[] = [];
  const added: IndexEntry[] = [];
  const freed: KeysOf = {};
  const taken: KeysOf = {};
  for (const { collection, id, entries, isNew } of writes) {
    const replaced = isNew || !isIndexed(collection) ? null : committed(collection, id);
    if (replaced === null) {
      const isUnlisted = isNew && id >= undrawnFrom;
      for (const entry of entries) if (!isUnlisted || entry.index !== "code_rendering") added.push(entry);
      continue;
    }
    const before = indexEntries(collection, replaced);
    for (const entry of before) {
      if (entries.some((other) => isSame(entry, other))) continue;
      gone.push(entry);
      if (entry.unique !== undefined) note(freed, entry);
    }
    for (const entry of entries) {
      const kept = before.find((other) => isSame(entry, other));
      if (kept === undefined) added.push(entry);
      else if (kept.value !== entry.value) put.push(entry);
    }
  }
  for (const entry of added) {
    if (entry.unique !== undefined) {
      const { index, key } = entry;
      const isStored = index === "code_slug" ? !freeSlugs.isFree(key) : indexes[index].doesExist(key);
      if ((isStored && !freed[index]?.has(key)) || taken[index]?.has(key)) {
        throw new UniqueViolation(`A document with this ${entry.unique} is already stored.`);
      }
      note(taken, entry);
    }
    put.push(entry);
  }
  return { gone, put };
}

function note(keys: KeysOf, { index, key }: IndexEntry): void {
  keys[index] ??= new Set();
  keys[index].add(key);
}

/** Hands a batch to the library's thread, entries that go before those that come. */
export function hand(
  writes: readonly PreparedWrite[],
  { gone, put }: EntryChanges,
  { documents, indexes }: Pick<Environment, "documents" | "indexes">,
): void {
  for (const { index, key } of gone) indexes[index].remove(key);
  for (const { collection, id, bytes } of writes) {
    if (bytes !== null) documents[collection].put(id, bytes);
    else if (usableId(id)) documents[collection].remove(id);
  }
  let text: string | null = null;
  let value = "";
  for (const entry of put) {
    if (entry.value !== text) {
      text = entry.value;
      value = binaryText(text);
    }
    indexes[entry.index].put(entry.key, value);
  }
}

/** As the library takes bytes where it expects a text, which it would make them of with every put. */
function binaryText(text: string): string {
  return asBinary(Buffer.from(text)) as unknown as string;
}

function isSame(a: IndexEntry, b: IndexEntry): boolean {
  return a.index === b.index && a.key === b.key;
}
