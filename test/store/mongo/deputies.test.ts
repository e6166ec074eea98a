/** Members that own under numbers which the holder of the lease gave them, on a real MongoDB. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertDocument } from "../../../src/schema/validators.ts";
import { nextEpoch } from "../../../src/store/mongo/epochs.ts";
import { openMongoStore } from "../../../src/store/mongo/mongo-store.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { putAccount, sampleAccount } from "../../fakes/sample-documents.ts";
import { connectForTest, patiently } from "../../support/mongod/connection.ts";
import { databaseForTests } from "../../support/mongod/mongod.ts";

const { url, admin, skip } = await databaseForTests("deputies");

/** On an empty database. */
const afresh = (run: () => Promise<void>) =>
  patiently(async () => {
    for (const collection of await admin.db().collections()) await collection.deleteMany({});
    await run();
  });

/** A process that counts under one number, and owns under another. */
async function join() {
  const connection = await connectForTest(url);
  const member = await nextEpoch(connection);
  const owning = { epoch: null as number | null, isDeputy: false };
  const store = await openMongoStore({
    connection,
    assertDocument,
    ownership: {
      epoch: () => owning.epoch,
      isDeputy: () => owning.isDeputy,
      member: () => member,
      lost: () => undefined,
      mayServe: () => true,
    },
  });
  const keep = async () => {
    Object.assign(owning, { epoch: await nextEpoch(connection, 0, false), isDeputy: false });
    await store.ping();
  };
  const deputise = (epoch: number) => void Object.assign(owning, { epoch, isDeputy: true });
  const write = (id: string) => store.commit([putAccount(sampleAccount({ id }))]);
  return { store, keep, deputise, write };
}

test(
  "a keeper and its deputies write at the same time, each under its own number",
  { skip },
  afresh(async () => {
    const [keeper, one, two] = [await join(), await join(), await join()];
    await keeper.keep();
    one.deputise(await keeper.store.deputies.appoint());
    two.deputise(await keeper.store.deputies.appoint());
    await Promise.all([keeper.write("acc_1"), one.write("acc_2"), two.write("acc_3")]);
    await keeper.write("acc_4");
    await one.write("acc_5");
    for (const id of ["acc_1", "acc_2", "acc_3", "acc_4", "acc_5"]) {
      assert.ok(await two.store.get("accounts", id), id);
    }
  }),
);

test(
  "a deputy that is dismissed writes nothing any more, and others go on",
  { skip },
  afresh(async () => {
    const [keeper, one, two] = [await join(), await join(), await join()];
    await keeper.keep();
    const number = await keeper.store.deputies.appoint();
    one.deputise(number);
    two.deputise(await keeper.store.deputies.appoint());
    await one.write("acc_1");
    await keeper.store.deputies.dismiss(number);
    await keeper.store.deputies.dismiss(number);
    await assert.rejects(one.write("acc_2"), StoreUnavailable);
    assert.equal(await keeper.store.get("accounts", "acc_2"), null);
    await two.write("acc_3");
    await keeper.write("acc_4");
    one.deputise(await keeper.store.deputies.appoint());
    await one.write("acc_5");
  }),
);

test(
  "whoever keeps next shuts out all deputies of the one before, which can give no more",
  {
    skip,
  },
  afresh(async () => {
    const [keeper, deputy, next] = [await join(), await join(), await join()];
    await keeper.keep();
    // Its number is later than that of who keeps next, or earlier.
    deputy.deputise(await keeper.store.deputies.appoint());
    await deputy.write("acc_1");
    await next.keep();
    const late = keeper.store.deputies.appoint();
    await assert.rejects(late, StoreUnavailable);
    await assert.rejects(deputy.write("acc_2"), StoreUnavailable);
    await assert.rejects(keeper.write("acc_3"), StoreUnavailable);
    deputy.deputise(await next.store.deputies.appoint());
    await deputy.write("acc_4");
  }),
);

test(
  "who holds no lease appoints nobody",
  { skip },
  afresh(async () => {
    const { store } = await join();
    await assert.rejects(store.deputies.appoint(), StoreUnavailable);
  }),
);
