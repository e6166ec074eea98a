/** A code that nobody styled is stored without its looks, and read with them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultMetadata, normaliseMetadata } from "../../../src/domain/looks/render-metadata.ts";
import { documentText } from "../../../src/schema/texts.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openEnvironment } from "../../../src/store/lmdb/environment.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { putCode, sampleCode } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const plain = sampleCode({ id: "qr_1", slug: "qr-0000000001", metadata: defaultMetadata });
const dotted = sampleCode({
  id: "qr_2",
  slug: "qr-0000000002",
  metadata: normaliseMetadata("looks", { dot_style: "dots" }, null),
});

async function storedTexts(path: string): Promise<Map<string, string>> {
  const environment = openEnvironment(path);
  const { codes } = environment.documents;
  const texts = [...codes.getRange({})].map(({ key, value }) => [key, String(value)] as const);
  await environment.close();
  return new Map(texts);
}

test("codes with and without looks of their own come back as they were", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument, documentText });
  await store.commit([putCode(plain), putCode(dotted)]);
  await store.close();
  const texts = await storedTexts(path);
  assert.doesNotMatch(texts.get("qr_1")!, /metadata/);
  assert.match(texts.get("qr_2")!, /"dot_style":"dots"/);

  const again = await openLmdbStore({ path, assertDocument, documentText });
  const read = await again.get("codes", "qr_1");
  assert.deepEqual(read, plain);
  assert.equal(read?.metadata, defaultMetadata, "it is known again as one that nobody styled");
  assert.deepEqual(await again.get("codes", "qr_2"), dotted);
  await again.close();
});

test("a code that an earlier version stored with the looks that nobody asked for is read as it is", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  await store.commit([putCode(plain)]);
  await store.close();
  const environment = openEnvironment(path);
  const { codes } = environment.documents;
  const bytes = Buffer.from(codes.get("qr_1")!);
  assert.match(bytes.toString(), /"metadata":/);
  bytes[0] = 6;
  await codes.put("qr_1", bytes);
  await environment.close();

  const again = await openLmdbStore({ path, assertDocument, documentText });
  assert.deepEqual(await again.get("codes", "qr_1"), plain);
  await again.close();
});
