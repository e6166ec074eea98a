/** MongoDB keeps the count at which each epoch left a link exactly as the pure rules say. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closedEpochsMax } from "../../src/limits.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { connect } from "../../src/store/mongo/client.ts";
import { openMongoStore } from "../../src/store/mongo/mongo-store.ts";
import { foldAll, type OrphanedCount } from "../../src/store/orphaned-counts.ts";
import { Database } from "../fakes/database.ts";
import { savedCount } from "../fakes/sample-documents.ts";
import { databaseUrl, mongodForTests, noMongod } from "../support/mongod/mongod.ts";

const server = await mongodForTests();
const skip = server ? false : noMongod;
const url = databaseUrl(server?.url ?? "mongodb://none/", `qrelay_left_${process.pid}`);
const slugs = ["qr-aaaaaaaaaa", "qr-bbbbbbbbbb", "qr-cccccccccc"];

after(async () => {
  if (server) {
    const { client, db } = await connect(url);
    await db.dropDatabase();
    await client.close();
  }
  await server?.stop();
});

async function openFor(epoch: number | null) {
  const connection = await connect(url);
  return openMongoStore({
    connection,
    assertDocument,
    ownership: { epoch: () => epoch, lost: () => undefined, mayServe: () => true },
  });
}

const orphanOf = (slug: string, epoch: number, count: number): OrphanedCount => {
  return { slug, epoch, count, hour: null, seen: [], off: 0 };
};

test("mongo: counts of many owners and their orphaned counts", { skip }, async () => {
  const model = new Database();
  let random = 1;
  const below = (n: number) => {
    random = (Math.imul(random, 48_271) >>> 0) % 2_147_483_647;
    return random % n;
  };
  for (let epoch = 1; epoch <= closedEpochsMax + 4; epoch++) {
    const [owner, standby] = [await openFor(epoch), await openFor(null)];
    for (let step = 0; step < 4; step++) {
      const counts = slugs
        .filter(() => below(2) === 0)
        .map((slug) => savedCount(slug, 10 * epoch + below(9), { otherwise: 0 }));
      await owner.saveScans(counts);
      model.saveScans(counts, epoch);
      const found = slugs
        .filter(() => epoch > 1 && below(2) === 0)
        .map((slug) => orphanOf(slug, 1 + below(epoch - 1), 10 * epoch + below(20)));
      if (found.length > 0) await standby.owners.orphans.add(found);
      model.addOrphaned(found);
      assert.equal((await owner.owners.orphans.waiting(10)).length, model.orphaned(10).length);
      await foldAll(owner.owners.orphans, 0);
      model.foldOrphaned(model.orphaned(10), epoch, 0);
      for (const slug of slugs) assert.equal(await owner.scanCount(slug), model.scanCount(slug), slug);
    }
    await Promise.all([owner.close(), standby.close()]);
  }
});

test("mongo: a process that owns nothing can put orphaned counts down and not add them up", {
  skip,
}, async () => {
  const standby = await openFor(null);
  assert.equal(standby.owners.epoch, 0);
  await standby.owners.orphans.add([orphanOf("qr-dddddddddd", 1, 3)]);
  await assert.rejects(foldAll(standby.owners.orphans, 0), /own/);
  await standby.close();
  const owner = await openFor(99);
  await foldAll(owner.owners.orphans, 0);
  assert.equal(await owner.scanCount("qr-dddddddddd"), 3);
  await owner.close();
});
