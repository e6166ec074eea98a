/** Standbys that are connected with the owner promise it not to take over: so links go on while MongoDB is away for all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createLease, type Lease, type LeaseOptions, type LeaseRecord } from "../../src/cluster/lease.ts";
import { type Moment, RightToServe } from "../../src/cluster/right-to-serve.ts";
import {
  handOverYieldMs,
  holdMsMax,
  leaseGapMs,
  leaseLookMs,
  leaseMs,
  leaseRenewMs,
  promiseStillMsMax,
  rightMs,
  watchedRenewals,
} from "../../src/limits.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { LeaseDocument, memoryLease } from "../fakes/memory-lease.ts";

class Member {
  readonly lease: Lease;
  readonly right: RightToServe;
  isCutOff = false;
  /** The next attempt to take over is done, and its answer lost. */
  losesAnswer = false;
  promisedAt: Moment | null = null;
  /** Before this the answer to a look does not come. */
  answers: Promise<void> = Promise.resolve();

  constructor(world: World, options: Partial<LeaseOptions> = {}) {
    const { clock } = world;
    const record = memoryLease(world.document);
    const fails = () => Promise.reject(new StoreUnavailable("cut off"));
    const guarded = Object.fromEntries(
      Object.entries(record).map(([name, run]) => [
        name,
        (...given: never[]) => (this.isCutOff ? fails() : (run as (...given: never[]) => unknown)(...given)),
      ]),
    ) as unknown as LeaseRecord;
    const { replace } = guarded;
    guarded.replace = async (seen, next) => {
      if (!this.losesAnswer) return replace(seen, next);
      return fails();
    };
    const { read } = guarded;
    guarded.read = async () => {
      const found = await read();
      await this.answers;
      return found;
    };
    this.right = new RightToServe({ steady: () => clock.now(), wall: () => clock.now() });
    this.lease = createLease({
      ...{ record: guarded, clock, right: this.right, changed() {} },
      holder: `member ${++world.members}`,
      bus: `member-${world.members}:1`,
      ...options,
    });
  }
}

class World {
  readonly clock = new ManualClock();
  readonly document = new LeaseDocument();
  members = 0;

  async pass(ms: number, each = () => {}): Promise<void> {
    for (let passed = 0; passed < ms; passed += leaseLookMs / 2) {
      each();
      this.clock.advance(leaseLookMs / 2);
      for (let at = 0; at < 10; at++) await turn();
    }
  }
}

/** An owner and a standby that is asked for its promise several times a second. */
async function connected() {
  const world = new World();
  let promisedAt: Moment | null = null;
  const owner = new Member(world, { promisedSince: () => promisedAt });
  await owner.lease.start();
  const standby = new Member(world);
  await standby.lease.start();
  const ask = () => {
    const asked = owner.right.now();
    promisedAt = standby.lease.promise() === rightMs ? asked : null;
  };
  await world.pass(watchedRenewals * leaseRenewMs + leaseMs, ask);
  return {
    world,
    owner,
    standby,
    ask,
    lost: () => {
      promisedAt = null;
    },
  };
}

test("while the database is away for both the owner goes on, and for as long as it is asked to", async () => {
  const { world, owner, standby, ask, lost } = await connected();
  owner.isCutOff = true;
  standby.isCutOff = true;
  await world.pass(60_000, ask);
  assert.ok(owner.lease.mayServe());
  lost();
  owner.lease.mayBeWatched();
  await world.pass(rightMs);
  assert.ok(!owner.lease.mayServe(), "one who left may watch");
  owner.isCutOff = false;
  standby.isCutOff = false;
  await world.pass(leaseRenewMs, ask);
  assert.ok(owner.lease.mayServe());
});

test("an owner that alone is cut off is followed, and serves no more before anybody could take over", async () => {
  const { world, owner, standby, ask } = await connected();
  owner.isCutOff = true;
  let served = 0;
  const began = world.clock.now();
  while (standby.lease.state() === "standby") {
    if (owner.lease.mayServe()) served = world.clock.now() - began;
    await world.pass(leaseLookMs / 2, ask);
    assert.ok(world.clock.now() - began < 3 * leaseMs);
  }
  assert.ok(!owner.lease.mayServe());
  assert.ok(served <= promiseStillMsMax + rightMs + leaseLookMs, `${served} ms`);
  assert.ok(standby.lease.hasEvicted());
});

test("a standby that keeps a promise takes nothing over, however long renewals stand still", async () => {
  const world = new World();
  const owner = new Member(world);
  await owner.lease.start();
  owner.isCutOff = true;
  const standby = new Member(world, { patienceMs: 0 });
  assert.equal(standby.lease.promise(), rightMs);
  await standby.lease.start();
  await world.pass(rightMs - leaseLookMs);
  assert.equal(standby.lease.state(), "standby");
  assert.equal(standby.lease.promise(), 0, "it sees them stand still");
  await world.pass(2 * leaseLookMs);
  assert.equal(standby.lease.state(), "owner");
});

test("no promise while it is not known what became of an attempt to take over", async () => {
  const world = new World();
  const owner = new Member(world);
  await owner.lease.start();
  owner.isCutOff = true;
  const standby = new Member(world);
  standby.losesAnswer = true;
  await standby.lease.start();
  await world.pass(leaseMs + 2 * leaseLookMs);
  standby.isCutOff = true;
  await world.pass(2 * leaseLookMs);
  assert.equal(standby.lease.promise(), 0);
  standby.isCutOff = false;
  owner.isCutOff = false;
  await world.pass(2 * leaseRenewMs);
  assert.equal(standby.lease.promise(), rightMs, "the count has moved: the attempt cannot be done any more");
});

test("a member that is known is missed for a minute: until then an owner serves no longer than its right", async () => {
  for (const bus of [null, "member.example:1"]) {
    const world = new World();
    const owner = new Member(world, { bus, promisedSince: (now) => now });
    await owner.lease.start();
    for (const missed of ["at its start", "later"]) {
      await world.pass((watchedRenewals - 2) * leaseRenewMs);
      owner.isCutOff = true;
      await world.pass(rightMs);
      assert.ok(!owner.lease.mayServe(), `${missed}: who was there may watch`);
      owner.isCutOff = false;
      await world.pass(4 * leaseRenewMs);
      owner.isCutOff = true;
      await world.pass(60_000);
      assert.ok(owner.lease.mayServe(), `${missed}: nobody came`);
      owner.isCutOff = false;
      await world.pass(leaseRenewMs);
      owner.lease.mayBeWatched();
    }
  }
});

test("a look whose answer comes after a long pause says nothing of now", async () => {
  const world = new World();
  const owner = new Member(world);
  await owner.lease.start();
  owner.isCutOff = true;
  const standby = new Member(world);
  await standby.lease.start();
  await world.pass(leaseMs - 2 * leaseLookMs);
  let answered = () => {};
  standby.answers = new Promise((resolve) => {
    answered = resolve;
  });
  await world.pass(leaseLookMs);
  world.clock.advance(leaseGapMs);
  answered();
  await world.pass(leaseLookMs);
  assert.equal(standby.lease.state(), "standby");
  await world.pass(leaseMs + leaseLookMs);
  assert.equal(standby.lease.state(), "owner");
});

test("a lease that is handed over is taken at once by who is to own, and left to it by all others", async () => {
  const world = new World();
  const owner = new Member(world);
  await owner.lease.start();
  const [next, other] = [new Member(world), new Member(world)];
  await next.lease.start();
  await other.lease.start();
  await owner.lease.release(["member 3"]);
  other.lease.handedOver(false);
  await world.pass(leaseLookMs / 2);
  assert.equal(other.lease.state(), "standby");
  next.lease.handedOver(true);
  for (let at = 0; at < 10; at++) await turn();
  assert.equal(next.lease.state(), "owner");
  assert.ok(!next.lease.hasEvicted());
  assert.deepEqual(next.lease.inherited(), ["member 3"]);
});

test("a lease that is handed over and not taken is taken by another one while requests are held", async () => {
  const world = new World();
  const owner = new Member(world);
  await owner.lease.start();
  const other = new Member(world);
  await other.lease.start();
  await owner.lease.release(["member 2"]);
  other.lease.handedOver(false);
  await world.pass(handOverYieldMs - leaseLookMs);
  assert.equal(other.lease.state(), "standby");
  await world.pass(holdMsMax - handOverYieldMs + leaseLookMs);
  assert.equal(other.lease.state(), "owner");
});
