import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commitMsMax } from "../../../src/limits.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openMongoStore } from "../../../src/store/mongo/mongo-store.ts";
import { connectForTest } from "../../support/mongod/connection.ts";
import { noMongod, startReplicaSet } from "../../support/mongod/mongod.ts";

const set = await startReplicaSet(1, () => ["--setParameter", "enableTestCommands=1"]);
after(() => set?.stop());

test("an index that takes longer to build than a connection waits is waited for, and that is told", {
  skip: set ? false : noMongod,
}, async () => {
  const connection = await connectForTest(set!.url);
  await connection.client.db("admin").command({
    configureFailPoint: "failCommand",
    mode: { times: 1 },
    data: { failCommands: ["createIndexes"], blockConnection: true, blockTimeMS: 3 * commitMsMax },
  });
  const ownership = { epoch: () => 1, member: () => 1, lost: () => undefined, mayServe: () => true };
  const told: string[] = [];
  const preparedAgain = ({ message }: Error) => told.push(message);
  await openMongoStore({ connection, assertDocument, ownership, preparedAgain });
  const { name } = (await connection.db.collection("codes").indexes()).find(({ unique }) => unique)!;
  assert.equal(name, "slug");
  assert.equal(told.length, 1);
  assert.match(told[0]!, /^MongoDB failed: .*timed out/);
});
