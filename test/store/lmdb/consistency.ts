/** Compares every index entry in an LMDB store with what its documents say. */
import assert from "node:assert/strict";
import type { Collection } from "../../../src/domain/documents.ts";
import { documentText } from "../../../src/schema/texts.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { documentCoding } from "../../../src/store/lmdb/documents.ts";
import { openEnvironment } from "../../../src/store/lmdb/environment.ts";
import { indexEntries } from "../../../src/store/lmdb/lmdb-index.ts";

export async function assertIndexesAgree(path: string): Promise<void> {
  const environment = openEnvironment(path);
  const coding = documentCoding(assertDocument, documentText);
  const expected: string[] = [];
  const undrawnFrom = environment.layout.get("undrawn_from") ?? "~";
  const listed = new Set(environment.indexes.code_rendering.getKeys());
  for (const [name, documents] of Object.entries(environment.documents)) {
    const collection = name as Collection;
    for (const { key, value } of documents.getRange()) {
      const entries = indexEntries(collection, coding.decode(collection, key, value));
      for (const entry of entries) {
        // A new code may do without this one (see `undrawn.ts`).
        const isOwed = entry.index !== "code_rendering" || key < undrawnFrom || listed.has(key);
        if (isOwed) expected.push(`${entry.index}: ${entry.key} = ${entry.value}`);
      }
    }
  }
  const found: string[] = [];
  for (const [name, index] of Object.entries(environment.indexes)) {
    for (const { key, value } of index.getRange()) found.push(`${name}: ${key} = ${value}`);
  }
  await environment.close();
  assert.deepEqual(found.sort(), expected.sort());
}
