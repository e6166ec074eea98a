/** What is asked of an owner waits while the accounts pass to another one, on a clock that the test moves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Unanswered } from "../../../src/cluster/bus/talk.ts";
import { Holding } from "../../../src/cluster/sharing/holding.ts";
import { heldMax, holdMsMax, holdTickMs } from "../../../src/limits.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";

class World {
  readonly clock = new ManualClock();
  readonly holding = new Holding(this.clock);
  /** Who answers; null while nobody does. */
  owner: string | null = "old";
  asked = 0;

  readonly ask = async (): Promise<string> => {
    this.asked++;
    if (this.owner === null) throw new Unanswered("refused", true);
    return this.owner;
  };

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += holdTickMs) {
      this.clock.advance(holdTickMs);
      for (let n = 0; n < 5; n++) await turn();
    }
  }
}

test("nothing is held while nothing moves, and what is refused then is refused", async () => {
  const { holding, ask, ...world } = new World();
  assert.equal(await holding.pass(ask), "old");
  assert.ok(!holding.isOn);
  const refused = async () => Promise.reject(new Unanswered("no owner", true));
  await assert.rejects(holding.pass(refused), Unanswered);
  assert.equal(world.owner, "old");
});

test("what comes meanwhile gets its answer from the next owner, and one at a time tries until then", async () => {
  const world = new World();
  const { holding } = world;
  holding.begin();
  world.owner = null;
  const answers = Array.from({ length: 100 }, () => holding.pass(world.ask));
  await world.pass(10 * holdTickMs);
  assert.equal(world.asked, 10);
  assert.equal(holding.size, 100);
  world.owner = "new";
  await world.pass(holdTickMs);
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(["new"]));
  assert.equal(world.asked, 110);
  assert.equal(await holding.pass(world.ask), "new", "whoever comes later does not wait");
});

test("what was refused meanwhile is held; what may have been done is not asked again", async () => {
  const world = new World();
  const { holding } = world;
  let refuse = (_cause: Unanswered) => {};
  const underWay = () =>
    new Promise<string>((_, reject) => {
      refuse = reject;
    });
  let tries = 0;
  const first = holding.pass(() => (tries++ === 0 ? underWay() : world.ask()));
  holding.begin();
  refuse(new Unanswered("it goes", true));
  await turn();
  await world.pass(holdTickMs);
  assert.equal(await first, "old");
  const second = holding.pass(underWay);
  await turn();
  holding.begin();
  refuse(new Unanswered("the connection was closed", false));
  await assert.rejects(second, ({ isUndone }: Unanswered) => !isUndone);
});

test("nobody waits for longer than its time, nor in a queue that is full", async () => {
  const world = new World();
  const { holding } = world;
  world.owner = null;
  holding.begin();
  const all = Array.from({ length: heldMax + 1 }, () =>
    holding.pass(world.ask).catch((cause: Unanswered) => cause.message),
  );
  assert.match(await all.at(-1)!, /in time/);
  assert.equal(holding.size, heldMax);
  // Signs that it goes on do not prolong it for who has waited.
  await world.pass(holdMsMax / 2);
  holding.begin();
  await world.pass(holdMsMax / 2 + holdTickMs);
  assert.equal(holding.size, 0);
  await Promise.all(all);
  assert.ok(holding.isOn);
  await world.pass(holdMsMax);
  assert.ok(!holding.isOn);
});
