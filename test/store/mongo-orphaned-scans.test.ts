/** MongoDB keeps the count at which each epoch left a link exactly as the pure rules say. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertDocument } from "../../src/schema/validators.ts";
import { connect } from "../../src/store/mongo/client.ts";
import { openMongoStore } from "../../src/store/mongo/mongo-store.ts";
import { closedEpochsMax, foldAll } from "../../src/store/orphaned-scans.ts";
import { Database } from "../fakes/database.ts";
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
    ownership: { epoch: () => epoch, lost: () => undefined },
  });
}

test("mongo: counts of many owners and their left journals", { skip }, async () => {
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
        .map((slug) => ({ slug, count: 10 * epoch + below(9) }));
      await owner.saveScans(counts, []);
      model.saveScans(counts, [], epoch);
      const left = slugs
        .filter(() => epoch > 1 && below(2) === 0)
        .map((slug) => ({ slug, epoch: 1 + below(epoch - 1), count: 10 * epoch + below(20) }));
      if (left.length > 0) await standby.left!.leave(left);
      model.leaveScans(left);
      assert.equal((await owner.left!.waiting(10)).length, model.leftScans(10).length);
      await foldAll(owner.left!);
      model.foldScans(model.leftScans(10), epoch);
      for (const slug of slugs) assert.equal(await owner.scanCount(slug), model.scanCount(slug), slug);
    }
    await Promise.all([owner.close(), standby.close()]);
  }
});

test("mongo: a process that owns nothing can leave scans and not add them up", { skip }, async () => {
  const standby = await openFor(null);
  assert.equal(standby.left!.epoch, 0);
  await standby.left!.leave([{ slug: "qr-dddddddddd", epoch: 1, count: 3 }]);
  await assert.rejects(foldAll(standby.left!), /own/);
  await standby.close();
  const owner = await openFor(99);
  await foldAll(owner.left!);
  assert.equal(await owner.scanCount("qr-dddddddddd"), 3);
  await owner.close();
});
