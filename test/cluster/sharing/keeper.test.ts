import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type Talk, Unanswered } from "../../../src/cluster/bus/talk.ts";
import { allPartitions } from "../../../src/cluster/sharing/gates.ts";
import { Keeper } from "../../../src/cluster/sharing/keeper.ts";
import type { HandedKeyMeter } from "../../../src/domain/account/rate-window.ts";
import { moveLookMs, partitionMovesMax, partitionsMax } from "../../../src/limits.ts";
import { nextSecond } from "../../../src/runtime/clock.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";

const window = { start: 0, used: 1 };
const meterOf = (of: string): HandedKeyMeter => ({
  ...{ account: "acc_1", of, until: 1 },
  meter: { second: window, minute: window, day: window, covered: 0 },
});

/** The other end of a talk: a member that does what it is told, and has what it was given. */
class Deputy {
  readonly has = new Set<number>();
  /** What came with what it was given last. */
  meters: readonly HandedKeyMeter[] = [];
  refuses = false;
  /** Whether it reaches the database. */
  reaches = true;
  isOpen = true;
  closed: (talk: Talk) => void = () => {};
  readonly talk = this as unknown as Talk;

  async ask(
    kind: string,
    { partitions = [], meters = [] }: { partitions?: number[]; meters?: readonly HandedKeyMeter[] },
  ): Promise<{ said: object }> {
    if (!this.isOpen) throw new Unanswered("closed", true);
    if (kind === "release" && this.refuses) throw new Unanswered("requests take long", true);
    for (const partition of partitions) {
      if (kind === "take") this.has.add(partition);
      if (kind === "release") this.has.delete(partition);
    }
    if (kind === "depose") this.has.clear();
    if (kind === "take" && meters.length > 0) this.meters = meters;
    return { said: kind === "release" ? { meters: [meterOf("a deputy's")] } : {} };
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.closed(this.talk);
  }
}

function kept(...deputies: Deputy[]) {
  const clock = new ManualClock();
  const own = new Set(allPartitions);
  const events: string[] = [];
  const reach = { isSteady: true };
  let last = 10;
  const keeper = new Keeper({
    clock,
    epoch: 1,
    own: {
      async release(partitions) {
        for (const partition of partitions) own.delete(partition);
        return [meterOf("the keeper's")];
      },
      take(partitions) {
        events.push(`take ${partitions.length}`);
        for (const partition of partitions) own.add(partition);
      },
    },
    deputies: {
      appoint: async () => ++last,
      dismiss: async (epoch) => void events.push(`dismiss ${epoch}`),
    },
    reach,
    followers: {
      reachable: (asked = true) =>
        deputies.filter(({ isOpen, reaches }) => isOpen && reaches === asked).map(({ talk }) => talk),
    },
    nextSecond: () => nextSecond(clock),
    dropAll: async () => void events.push("drop all"),
  });
  for (const deputy of deputies) deputy.closed = (talk) => keeper.closed(talk);
  keeper.start();
  const pass = async (looks: number) => {
    for (let n = 0; n < looks; n++) {
      clock.advance(moveLookMs);
      for (let turns = 0; turns < 2 * partitionsMax; turns++) await turn();
    }
  };
  return { keeper, own, events, pass, reach };
}

function sharesOf(own: ReadonlySet<number>, ...deputies: Deputy[]): number[] {
  return [own, ...deputies.map(({ has }) => has)].map(({ size }) => size);
}

test("each member gets its share, and every partition has one owner", async () => {
  const [one, two] = [new Deputy(), new Deputy()];
  const { keeper, own, pass } = kept(one, two);
  await pass(2);
  const shares = sharesOf(own, one, two);
  assert.equal(
    shares.reduce((sum, share) => sum + share),
    partitionsMax,
  );
  assert.ok(Math.min(...shares) > partitionsMax / 6, String(shares));
  for (const partition of allPartitions) {
    const owner = keeper.ownerOf(partition);
    const has = owner === "self" ? own : owner === one.talk ? one.has : two.has;
    assert.ok(has.has(partition));
  }
});

test("what a deputy had that is lost is the keeper's when that one is shut out and nobody has copies", async () => {
  const deputy = new Deputy();
  const { own, events, pass } = kept(deputy);
  await pass(2);
  const lost = deputy.has.size;
  assert.ok(lost > partitionMovesMax);
  deputy.close();
  await pass(1);
  assert.deepEqual(events, ["dismiss 11", "drop all"]);
  // Nobody knows what it let through of the second.
  await pass(1_000 / moveLookMs);
  assert.deepEqual(events, ["dismiss 11", "drop all", `take ${lost}`]);
  assert.equal(own.size, partitionsMax);
});

test("a deputy that cannot reach the database owns nothing, if the keeper can, until it reaches it again", async () => {
  const deputy = new Deputy();
  const { own, events, pass, reach } = kept(deputy);
  await pass(2);
  const lost = deputy.has.size;
  reach.isSteady = false;
  deputy.reaches = false;
  await pass(2);
  assert.equal(deputy.has.size, lost, "it is away for all");
  reach.isSteady = true;
  await pass(2 + 1_000 / moveLookMs);
  assert.deepEqual(events, ["dismiss 11", "drop all", `take ${lost}`]);
  assert.ok(deputy.isOpen, "it goes on as a member");
  assert.deepEqual(sharesOf(own, deputy), [partitionsMax, 0]);
  deputy.reaches = true;
  await pass(2);
  assert.ok(deputy.has.size > partitionMovesMax);
});

test("a deputy that resigns has nothing when it is answered, and can write nothing", async () => {
  const [one, two] = [new Deputy(), new Deputy()];
  const { keeper, own, events, pass } = kept(one, two);
  await pass(2);
  const resigned = keeper.resign(one.talk);
  await pass(1);
  await resigned;
  assert.equal(one.has.size, 0);
  assert.equal(own.size + two.has.size, partitionsMax);
  assert.equal(events.at(-1), "dismiss 11");
  await pass(2);
  assert.equal(one.has.size, 0, "nor is it given anything again");
});

test("what is used of rate windows goes with the partitions, and back to who keeps", async () => {
  const [one, two] = [new Deputy(), new Deputy()];
  const { keeper, pass } = kept(one, two);
  await pass(2);
  assert.deepEqual(one.meters, [meterOf("the keeper's")]);
  const resigned = keeper.resign(one.talk);
  await pass(1);
  await resigned;
  assert.deepEqual(two.meters, [meterOf("a deputy's")]);
  assert.deepEqual(await keeper.recall(), [meterOf("a deputy's")]);
});

test("who cannot let go keeps what it has", async () => {
  const deputy = new Deputy();
  const { keeper, pass } = kept(deputy);
  await pass(2);
  const before = deputy.has.size;
  deputy.refuses = true;
  void keeper.resign(deputy.talk);
  await pass(1);
  assert.equal(deputy.has.size, before);
  const [partition] = deputy.has;
  assert.equal(keeper.ownerOf(partition!), deputy.talk);
});

test("a deputy that gives nothing back is cut off and waited for: nobody knows what it let through", async () => {
  for (const isLost of [true, false]) {
    const [one, two] = [new Deputy(), new Deputy()];
    const { keeper, events, pass } = kept(one, two);
    await pass(2);
    if (isLost) one.isOpen = false;
    else one.refuses = true;
    let told: readonly HandedKeyMeter[] | null = null;
    const recalled = keeper.recall().then((meters) => {
      told = meters;
    });
    await pass(1);
    assert.ok(!one.isOpen);
    // Whoever keeps next shuts both out.
    assert.deepEqual([events, told], [["drop all"], null]);
    await pass(1_000 / moveLookMs);
    await recalled;
    assert.deepEqual(told, [meterOf("a deputy's")]);
  }
});
