import assert from "node:assert/strict";
import { test } from "node:test";
import { assertDocument } from "../../../src/schema/validators.ts";
import { connect } from "../../../src/store/mongo/client.ts";
import type { Stored } from "../../../src/store/mongo/documents.ts";
import { nextEpoch } from "../../../src/store/mongo/epochs.ts";
import { openFence } from "../../../src/store/mongo/fence.ts";
import { openMongoStore } from "../../../src/store/mongo/mongo-store.ts";
import type { Ownership } from "../../../src/store/ownership.ts";
import { connectForTest } from "../../support/mongod/connection.ts";
import { databaseForTests } from "../../support/mongod/mongod.ts";
import { storeConformance } from "../conformance.ts";

async function openStore(url: string) {
  const connection = await connectForTest(url);
  const ownership = ownerOf(await nextEpoch(connection));
  return openMongoStore({ connection, assertDocument, ownership });
}

function ownerOf(epoch: number): Ownership {
  return { epoch: () => epoch, member: () => epoch, lost: () => undefined, mayServe: () => true };
}

const { url, admin, skip } = await databaseForTests("test");

test("mongo: a transaction that its process left open does not hold up the next owner", {
  skip,
}, async () => {
  const [dead, next] = [await connectForTest(url), await connectForTest(url)];
  const left = openFence(dead, ownerOf(await nextEpoch(dead)));
  await left.settled();
  await new Promise<void>((inTransaction) => {
    const forEver = () => new Promise<void>(() => inTransaction());
    left.transaction("documents", forEver).catch(() => undefined);
  });
  const fence = openFence(next, ownerOf(await nextEpoch(next)));
  await fence.settled();
  await fence.transaction("documents", async () => undefined);
  await Promise.all([dead.client.close(), next.client.close()]);
  for (const collection of await admin.db().collections()) await collection.deleteMany({});
});

storeConformance(
  "mongo",
  async () => {
    let store = await openStore(url);
    return {
      store,
      async reopen() {
        await store.close();
        store = await openStore(url);
        return store;
      },
      async tamper(collection, id, changes) {
        const fields = Object.entries(changes);
        const $set = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
        const gone = fields.filter(([, value]) => value === undefined);
        const $unset = Object.fromEntries(gone.map(([field]) => [field, true] as const));
        await admin.db().collection<Stored>(collection).updateOne({ _id: id }, { $set, $unset });
      },
      async dispose() {
        await store.close();
        // Emptied, not dropped: making the indexes anew takes longer than most tests.
        for (const collection of await admin.db().collections()) await collection.deleteMany({});
      },
    };
  },
  skip,
);

test("mongo: no error shows the password", async () => {
  for (const url of ["mongodb://me:s3cr3t@", "mongodb://me:s3cr3t@127.0.0.1:1/db", "http://me:s3cr3t@host"]) {
    await assert.rejects(
      connect(url),
      (error: Error) => !`${error.message}${error.stack}`.includes("s3cr3t"),
    );
  }
});
