/**
 * A replica set of three whose primary is killed or paused while a writer works the way an account's actor
 * does: it keeps the account in memory, and after a failed commit reads the truth again.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { assertDocument } from "../../../src/schema/validators.ts";
import { nextEpoch } from "../../../src/store/mongo/epochs.ts";
import { openMongoStore } from "../../../src/store/mongo/mongo-store.ts";
import { type Store, StoreUnavailable } from "../../../src/store/store.ts";
import { numbered, putAccount, putCode, sampleAccount, sampleCode } from "../../fakes/sample-documents.ts";
import { connectForTest } from "../../support/mongod/connection.ts";
import { noMongod, type ReplicaSet, startReplicaSet } from "../../support/mongod/mongod.ts";

const rounds = Number(process.env.FAULT_ROUNDS ?? 2);
const answerMsMax = 6_000;
const set = await startReplicaSet(3);
after(() => set?.stop());

interface Writer {
  acknowledged: string[];
  refused: number;
  slowestMs: number;
  stop(): Promise<void>;
}

function startWriter(store: Store): Writer {
  let running = true;
  let next = 0;
  const writer: Writer = { acknowledged: [], refused: 0, slowestMs: 0, stop: () => Promise.resolve() };

  async function create(activeCodes: number | null): Promise<number | null> {
    const known = activeCodes ?? (await store.get("accounts", "acc_1"))?.active_codes ?? 0;
    const id = numbered("qr", next);
    next += 1;
    await store.commit([putCode(sampleCode({ id })), putAccount(sampleAccount({ active_codes: known + 1 }))]);
    writer.acknowledged.push(id);
    return known + 1;
  }

  async function work(): Promise<void> {
    let activeCodes: number | null = null;
    while (running) {
      const began = performance.now();
      try {
        activeCodes = await create(activeCodes);
      } catch (error) {
        assert.ok(error instanceof StoreUnavailable, `${error}`);
        activeCodes = null;
        writer.refused += 1;
        await pause(20);
      }
      writer.slowestMs = Math.max(writer.slowestMs, performance.now() - began);
    }
  }

  const done = work();
  writer.stop = () => {
    running = false;
    return done;
  };
  return writer;
}

async function killPrimary(members: ReplicaSet): Promise<void> {
  const primary = await members.primary();
  await primary.kill();
  await pause(4_000);
  await primary.start();
}

async function pausePrimary(members: ReplicaSet): Promise<void> {
  const primary = await members.primary();
  primary.pause();
  await pause(4_000);
  primary.resume();
}

test("no acknowledged write is lost and none is doubled when the primary goes", {
  skip: set ? false : noMongod,
}, async () => {
  const connection = await connectForTest(set!.url);
  const epoch = await nextEpoch(connection);
  const ownership = {
    epoch: () => epoch,
    member: () => epoch,
    lost: () => assert.fail("nobody else took over"),
    mayServe: () => true,
  };
  const store = await openMongoStore({ connection, assertDocument, ownership });
  const writer = startWriter(store);
  for (let round = 0; round < rounds; round += 1) {
    await pause(300 + Math.random() * 500);
    await (round % 2 === 0 ? killPrimary : pausePrimary)(set!);
  }
  const before = writer.acknowledged.length;
  for (let waited = 0; waited < 100 && writer.acknowledged.length < before + 20; waited += 1)
    await pause(100);
  await writer.stop();
  assert.ok(writer.acknowledged.length >= before + 20, "it goes on without a restart");

  const stored = (await store.walk("codes", null, 100_000)).map((code) => code.id);
  assert.deepEqual(
    writer.acknowledged.filter((id) => !stored.includes(id)),
    [],
    "lost",
  );
  assert.equal((await store.get("accounts", "acc_1"))?.active_codes, stored.length, "the count is exact");
  assert.ok(stored.length - writer.acknowledged.length <= writer.refused);
  assert.ok(writer.slowestMs < answerMsMax, `an answer took ${writer.slowestMs} ms`);
});
