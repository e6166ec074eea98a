/** MongoDB keeps the parts of members as the model does, and takes databases of the version before them over. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { LinkScans } from "../../../src/domain/analytics/link-scans.ts";
import { dayMs, hourMs } from "../../../src/domain/analytics/zone.ts";
import { journalKeptDays } from "../../../src/limits.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { nextEpoch } from "../../../src/store/mongo/epochs.ts";
import { openMongoStore } from "../../../src/store/mongo/mongo-store.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { Database } from "../../fakes/database.ts";
import { putAccount, sampleAccount, savedCount } from "../../fakes/sample-documents.ts";
import { seededRandom } from "../../simulation/seeded-random.ts";
import { connectForTest } from "../../support/mongod/connection.ts";
import { databaseForTests } from "../../support/mongod/mongod.ts";

const { url, admin, skip } = await databaseForTests("parts");
const slugs = ["qr-aaaaaaaaaa", "qr-bbbbbbbbbb", "qr-cccccccccc"];
const ever = { from: 0, to: 8e15 };

beforeEach(async () => {
  if (skip) return;
  for (const collection of await admin.db().collections()) await collection.deleteMany({});
});

async function open(epoch: number | null, owns: boolean) {
  return openMongoStore({
    connection: await connectForTest(url),
    assertDocument,
    ownership: {
      epoch: () => (owns ? epoch : null),
      member: () => epoch,
      lost: () => undefined,
      mayServe: () => true,
    },
  });
}

async function join(owns: boolean) {
  const { client, db } = await connectForTest(url);
  const epoch = await nextEpoch({ client, db });
  await client.close();
  return { epoch, store: await open(epoch, owns) };
}

function scansOf(slug: string, count: number): LinkScans {
  const owner = { project_id: "prj_1", account_id: "acc_1" };
  return savedCount(slug, count, { owner, otherwise: 1_760_000_400_000 - (1_760_000_400_000 % hourMs) });
}

test("mongo: parts of many members, their journals again and again, and folding", { skip }, async () => {
  const model = new Database();
  const { below } = seededRandom(1);
  const gone: number[] = [];
  for (let life = 0; life < 8; life++) {
    const { epoch, store: owner } = await join(true);
    const standby = await open(null, false);
    await owner.ping();
    for (let step = 0; step < 4; step++) {
      const counts = slugs.filter(() => below(2) === 0).map((slug) => scansOf(slug, below(30)));
      await owner.saveScans(counts);
      model.saveScans(counts, epoch);
      const of = gone[below(Math.max(1, gone.length))];
      if (of !== undefined) {
        const found = slugs.filter(() => below(2) === 0).map((slug) => scansOf(slug, below(40)));
        assert.deepEqual(await standby.parts.stored(of, slugs), model.partsOf(of, slugs));
        if (model.partsOf(of, slugs) !== null) await standby.parts.save(of, found);
        model.saveScans(found, of);
        if (below(3) === 0) {
          await standby.parts.finish(of);
          model.finish(of);
        }
      }
      if (below(2) === 0) {
        await owner.parts.fold(0, () => {});
        model.fold();
      }
      for (const slug of slugs) {
        assert.deepEqual(await owner.countedBy(slug), model.countedBy(slug, epoch), slug);
      }
      for (const of of [...slugs, "prj_1", "acc_1"]) {
        assert.deepEqual(await owner.scanHours(of, ever, 9), model.scanHours(of, ever, 9), of);
      }
    }
    gone.push(epoch);
    await Promise.all([owner.close(), standby.close()]);
  }
  const { store } = await join(true);
  assert.deepEqual(
    await store.walkScanCounts(null, 2),
    slugs.slice(0, 2).map((slug) => ({ slug, count: model.scanCount(slug) })),
  );
  await store.close();
});

test("mongo: a member that owns no more can save what it counted, and nothing else", { skip }, async () => {
  const first = await join(true);
  await first.store.saveScans([scansOf(slugs[0]!, 3)]);
  const next = await join(true);
  await next.store.ping();
  await assert.rejects(
    first.store.commit([putAccount(sampleAccount({ name: "too late" }))]),
    StoreUnavailable,
  );
  await assert.rejects(first.store.saveScans([scansOf(slugs[0]!, 9)], "owner"), StoreUnavailable);
  await first.store.saveScans([scansOf(slugs[0]!, 5)]);
  assert.equal(await next.store.scanCount(slugs[0]!), 5);
  assert.deepEqual(await next.store.parts.left([next.epoch]), { toFold: 0, awaited: 1 });
  await next.store.parts.finish(first.epoch);
  assert.deepEqual(await next.store.parts.left([next.epoch]), { toFold: 1, awaited: 0 });
  await assert.rejects(first.store.saveScans([scansOf(slugs[0]!, 7)]), StoreUnavailable);
  await next.store.parts.fold(0, () => {});
  await assert.rejects(first.store.saveScans([scansOf(slugs[0]!, 7)]), StoreUnavailable);
  assert.equal(await next.store.scanCount(slugs[0]!), 5);
  await Promise.all([first.store.close(), next.store.close()]);
});

test("mongo: what a member counted is taken from its journal also where nobody has ever owned", {
  skip,
}, async () => {
  const [slug] = slugs as [string];
  const first = await join(false);
  await first.store.close();
  const next = await join(false);
  assert.deepEqual(await next.store.parts.stored(first.epoch, [slug]), [0]);
  await next.store.parts.save(first.epoch, [scansOf(slug, 3)]);
  await next.store.parts.finish(first.epoch);
  const { store: owner } = await join(true);
  await owner.parts.fold(0, () => {});
  assert.equal(await owner.scanCount(slug), 3);
  await Promise.all([next.store.close(), owner.close()]);
});

test("mongo: whoever is silent for long is declared finished", { skip }, async () => {
  const first = await join(true);
  await first.store.saveScans([scansOf(slugs[0]!, 3)]);
  const next = await join(true);
  await next.store.parts.fold(0, () => {});
  assert.deepEqual(await next.store.parts.stored(first.epoch, [slugs[0]!]), [3]);
  // Who asked what of it is stored moved its fence on: it finds out, and goes on.
  await assert.rejects(first.store.saveScans([scansOf(slugs[0]!, 4)]), StoreUnavailable);
  await first.store.saveScans([scansOf(slugs[0]!, 4)]);
  const later = (journalKeptDays + 1) * dayMs;
  await next.store.parts.fold(later, () => {});
  assert.deepEqual(await next.store.parts.stored(first.epoch, [slugs[0]!]), [4], "it was heard of since");
  await next.store.parts.fold(2 * later, () => {});
  assert.equal(await next.store.parts.stored(first.epoch, [slugs[0]!]), null);
  assert.equal(await next.store.scanCount(slugs[0]!), 4);
  await Promise.all([first.store.close(), next.store.close()]);
});

test("mongo: a database of the version before is taken over, and closed to its processes", {
  skip,
}, async () => {
  const { client, db } = await connectForTest(url);
  const ownership = db.collection<{ _id: string; epoch: number; seq?: number }>("ownership");
  await ownership.insertOne({ _id: "fence", epoch: 5, seq: 70 });
  await db.collection<{ _id: string }>("scan_counts").insertOne({
    _id: slugs[0]!,
    ...{ count: 12, epoch: 5, closed: [{ epoch: 4, count: 10, found: 0 }] },
  } as { _id: string });
  await db.collection<{ _id: string }>("left_scans").insertOne({
    _id: `${slugs[0]!}/4`,
    ...{ slug: slugs[0]!, epoch: 4, count: 11, hour: null, seen: [], off: 0 },
  } as { _id: string });

  const standby = await open(null, false);
  await assert.rejects(standby.parts.stored(5, [slugs[0]!]), StoreUnavailable, "nobody took over yet");
  const { epoch, store: owner } = await join(true);
  assert.equal(epoch, 6, "behind all of that version");
  await owner.ping();
  assert.equal(await owner.scanCount(slugs[0]!), 12);
  const { matchedCount } = await ownership.updateOne(
    { _id: "fence", epoch: { $lte: 1e9 } },
    { $inc: { seq: 1 } },
  );
  assert.equal(matchedCount, 0, "no epoch of that version reaches it");

  await owner.parts.fold(0, () => {});
  assert.equal(await owner.scanCount(slugs[0]!), 13, "what had been left to the owner");
  assert.deepEqual(await standby.parts.stored(5, [slugs[0]!]), [12]);
  assert.deepEqual(await standby.parts.stored(4, [slugs[0]!]), [11]);
  for (let times = 0; times < 2; times++) {
    await standby.parts.save(5, [scansOf(slugs[0]!, 15)]);
    await standby.parts.save(4, [scansOf(slugs[0]!, 12)]);
    await standby.parts.finish(5);
    await owner.parts.fold(0, () => {});
  }
  await owner.saveScans([scansOf(slugs[0]!, 2)]);
  assert.equal(await owner.scanCount(slugs[0]!), 12 + 2 + 3 + 2);
  await Promise.all([owner.close(), standby.close(), client.close()]);
});
