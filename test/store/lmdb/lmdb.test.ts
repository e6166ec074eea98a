import assert from "node:assert/strict";
import { test } from "node:test";
import { codeStatuses } from "../../../src/domain/documents.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openEnvironment } from "../../../src/store/lmdb/environment.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import {
  numbered,
  putCode,
  putFile,
  sampleCode,
  sampleFile,
  sampleRender,
} from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { storeConformance } from "../conformance.ts";
import { assertIndexesAgree } from "./consistency.ts";

storeConformance("lmdb", async () => {
  const path = temporaryFolder();
  let store = await openLmdbStore({ path, assertDocument });
  return {
    store,
    async reopen() {
      await store.close();
      store = await openLmdbStore({ path, assertDocument });
      return store;
    },
    async tamper(collection, id, changes) {
      const environment = openEnvironment(path);
      const documents = environment.documents[collection];
      const stored = Buffer.from(documents.get(id)!).toString();
      const { v, ...fields } = { v: stored.charCodeAt(0), ...JSON.parse(stored.slice(1)), ...changes };
      await documents.put(id, Buffer.from(String.fromCharCode(v) + JSON.stringify(fields)));
      await environment.close();
    },
    dispose: () => store.close(),
  };
});

test("lmdb: the map grows with the data", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument, mapSize: 256 * 1024 });
  const bytes = new Uint8Array(50_000);
  for (let n = 0; n < 100; n += 1) {
    await store.commit([
      putCode(sampleCode({ id: numbered("qr", n) })),
      putFile(sampleFile({ id: `${n}`, bytes })),
    ]);
  }
  assert.equal((await store.walk("files", null, 1_000)).length, 100);
  await store.close();
  await assertIndexesAgree(path);
});

/** How often others had a turn while the work went on. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isRunning = false;
  return turns;
}

test("lmdb: walks over many documents let other work run in between", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const ids = Array.from({ length: 20_000 }, (_, n) => numbered("qr", n));
  const render = sampleRender("pending");
  await store.commit(ids.map((id) => putCode(sampleCode({ id, render }))));
  const walks: Record<string, () => Promise<void>> = {
    async search() {
      const filters = { project_id: null, statuses: codeStatuses, type: null, label_contains: "nowhere" };
      const page = await store.listCodes({ account_id: "acc_1", ...filters, before: null, limit: 100 });
      assert.deepEqual(page, { items: [], more: false });
    },
    async walk() {
      const codes = await store.walk("codes", ids[99]!, 2_000);
      assert.deepEqual(
        codes.map(({ id }) => id),
        ids.slice(100, 2_100),
      );
    },
    async pendingRenders() {
      const codes = await store.pendingRenders(ids[99]!, 2_000);
      assert.deepEqual(
        codes.map(({ id }) => id),
        ids.slice(100, 2_100),
      );
    },
  };
  for (const [name, walk] of Object.entries(walks)) {
    const turns = await turnsDuring(walk);
    assert.ok(turns > 5, `${name}: ${turns} turns of the event loop`);
  }
  await store.close();
});

test("lmdb: a folder of another layout is refused", async () => {
  const path = temporaryFolder();
  const environment = openEnvironment(path);
  await environment.layout.put("version", "6");
  await environment.close();
  await assert.rejects(openLmdbStore({ path, assertDocument }), /layout 6/);
});

test("lmdb: a folder that cannot be used is unavailable", () =>
  assert.rejects(openLmdbStore({ path: "/dev/null/store", assertDocument }), StoreUnavailable));
