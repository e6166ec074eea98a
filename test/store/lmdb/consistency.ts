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
  for (const [name, documents] of Object.entries(environment.documents)) {
    const collection = name as Collection;
    for (const { key, value } of documents.getRange()) {
      const entries = indexEntries(collection, coding.decode(collection, key, value));
      for (const entry of entries) expected.push(`${entry.index}: ${entry.key} = ${entry.value}`);
    }
  }
  const found: string[] = [];
  for (const [name, index] of Object.entries(environment.indexes)) {
    for (const { key, value } of index.getRange()) found.push(`${name}: ${key} = ${value}`);
  }
  await environment.close();
  assert.deepEqual(found.sort(), expected.sort());
}
