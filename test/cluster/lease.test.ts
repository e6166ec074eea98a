import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { createLease, type LeaseState } from "../../src/cluster/lease.ts";
import { leaseLookMs, leaseMs } from "../../src/limits.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { connect } from "../../src/store/mongo/client.ts";
import { openMongoStore } from "../../src/store/mongo/mongo-store.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { putAccount, sampleAccount } from "../fakes/sample-documents.ts";
import { databaseUrl, mongodForTests, noMongod } from "../support/mongod/mongod.ts";

/** Moves on only when the step that was due has done its work on the server. */
class SteppedClock extends ManualClock {
  #stepping = false;

  override after(ms: number, run: () => void): () => void {
    this.#stepping = false;
    return super.after(ms, () => {
      this.#stepping = true;
      run();
    });
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += leaseLookMs) {
      this.advance(leaseLookMs);
      while (this.#stepping) await pause(1);
    }
  }
}

const server = await mongodForTests();
const skip = server === null ? noMongod : false;
const url = databaseUrl(server?.url ?? "mongodb://none/", `qrelay_lease_${process.pid}`);
const admin = new MongoClient(url);

after(async () => {
  if (server) await admin.db().dropDatabase();
  await admin.close();
  await server?.stop();
});

let processes = 0;

/** What a process of the service has of all this. */
async function startProcess() {
  processes += 1;
  const holder = `process ${processes}`;
  const connection = await connect(url);
  const clock = new SteppedClock();
  const states: LeaseState[] = [];
  const lease = createLease({ connection, clock, holder, changed: (state) => states.push(state) });
  const store = await openMongoStore({ connection, assertDocument, ownership: lease });
  await lease.start();
  const end = async () => {
    await lease.release();
    await store.close();
  };
  return { clock, lease, store, states, end };
}

async function emptyDatabase(): Promise<void> {
  for (const collection of await admin.db().collections()) await collection.deleteMany({});
}

const named = (name: string) => putAccount(sampleAccount({ name }));

test("a standby waits while the owner renews, and cannot write", { skip }, async () => {
  await emptyDatabase();
  const owner = await startProcess();
  const standby = await startProcess();
  assert.equal(owner.lease.state(), "owner");
  await owner.store.commit([named("by the owner")]);
  for (let round = 0; round < 4; round += 1) {
    await owner.clock.pass(leaseMs / 2);
    await standby.clock.pass(leaseMs / 2);
  }
  assert.equal(standby.lease.state(), "standby");
  assert.equal(standby.lease.epoch(), null);
  await assert.rejects(standby.store.commit([named("by the standby")]), StoreUnavailable);
  assert.equal((await standby.store.get("accounts", "acc_1"))?.name, "by the owner");
  await Promise.all([owner.end(), standby.end()]);
});

test("a paused owner is followed within 15 s, cannot write any more and steps down", { skip }, async () => {
  await emptyDatabase();
  const paused = await startProcess();
  await paused.store.commit([named("before the pause")]);
  const next = await startProcess();
  await next.clock.pass(15_000 - leaseLookMs);
  assert.equal(next.lease.state(), "owner");
  assert.equal(paused.lease.state(), "owner", "it cannot know yet");
  await next.store.commit([named("by the next owner")]);
  await assert.rejects(paused.store.commit([named("after the pause")]), StoreUnavailable);
  await assert.rejects(paused.store.saveScans([{ slug: "a", count: 9 }], []), StoreUnavailable);
  assert.equal(paused.lease.state(), "standby");
  assert.deepEqual(paused.states, ["owner", "standby"]);
  assert.equal((await next.store.get("accounts", "acc_1"))?.name, "by the next owner");
  assert.equal(await next.store.scanCount("a"), 0);
  await Promise.all([paused.end(), next.end()]);
});

test("an owner that wakes up late finds out by renewing", { skip }, async () => {
  await emptyDatabase();
  const paused = await startProcess();
  const next = await startProcess();
  await next.clock.pass(15_000);
  paused.clock.advance(leaseMs);
  await paused.clock.pass(2_000);
  assert.equal(paused.lease.state(), "standby");
  assert.equal(next.lease.state(), "owner");
  await Promise.all([paused.end(), next.end()]);
});

test("a released lease is taken at the next look, with a higher epoch", { skip }, async () => {
  await emptyDatabase();
  const owner = await startProcess();
  const standby = await startProcess();
  const epoch = owner.lease.epoch()!;
  await owner.store.commit([named("last words")]);
  await owner.end();
  await standby.clock.pass(leaseLookMs);
  assert.ok(standby.lease.epoch()! > epoch);
  await standby.store.commit([named("first words")]);
  assert.equal((await standby.store.get("accounts", "acc_1"))?.name, "first words");
  await standby.end();
});

test("of many processes that start at once exactly one is owner", { skip }, async () => {
  await emptyDatabase();
  const all = await Promise.all(Array.from({ length: 5 }, startProcess));
  const owners = all.filter(({ lease }) => lease.state() === "owner").length;
  await Promise.all(all.map(({ end }) => end()));
  assert.equal(owners, 1);
});
