/** Long walks share one part of every turn of the event loop, however many there are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { loopShareMs, loopWalksMax } from "../../../src/limits.ts";
import { LoopShare, type Step } from "../../../src/store/lmdb/loop-share.ts";
import { Cancelled, StoreUnavailable } from "../../../src/store/store.ts";

/** Uses up its time, `steps` times. */
function busy(steps: number, did: () => void = () => {}): Step {
  return (end) => {
    while (performance.now() < end);
    did();
    steps -= 1;
    return steps <= 0;
  };
}

test("a hundred walks that use all their time take one step in a turn together", async () => {
  const share = new LoopShare();
  let steps = 0;
  let isRunning = true;
  const stepsPerTurn: number[] = [];
  const beat = () => {
    stepsPerTurn.push(steps);
    steps = 0;
    if (isRunning) setImmediate(beat);
  };
  setImmediate(beat);
  await Promise.all(
    Array.from({ length: 100 }, () =>
      share.walk(
        busy(2, () => {
          steps += 1;
        }),
      ),
    ),
  );
  isRunning = false;
  await nextTurn();
  assert.equal(
    stepsPerTurn.reduce((sum, count) => sum + count),
    200,
  );
  assert.ok(Math.max(...stepsPerTurn) <= 1, `${Math.max(...stepsPerTurn)} steps in a turn`);
});

test("walks that need little time pass many in a turn", async () => {
  const share = new LoopShare();
  let turns = 0;
  const walks = Promise.all(Array.from({ length: 200 }, () => share.walk(() => true)));
  let isRunning = true;
  const beat = () => {
    turns += 1;
    if (isRunning) setImmediate(beat);
  };
  setImmediate(beat);
  await walks;
  isRunning = false;
  assert.ok(turns < 50, `${turns} turns`);
});

test("a short walk waits for one step of each long one, not for their end", async () => {
  const share = new LoopShare();
  const order: string[] = [];
  const long = (name: string) => share.walk(busy(20, () => order.push(name)));
  const walks = [long("a"), long("b"), share.walk(busy(1, () => order.push("short")))];
  await Promise.all(walks);
  assert.deepEqual(order.slice(0, 5), ["a", "b", "short", "a", "b"]);
});

test("a step is given no more than the share of a turn", async () => {
  const share = new LoopShare();
  let given = 0;
  await share.walk((end) => {
    given = end - performance.now();
    return true;
  });
  assert.ok(given <= loopShareMs && loopShareMs <= 1);
});

test("a walk that nobody wants takes no further step", async () => {
  const share = new LoopShare();
  const controller = new AbortController();
  let steps = 0;
  const walk = share.walk(() => {
    steps += 1;
    if (steps === 3) controller.abort();
    return false;
  }, controller.signal);
  await assert.rejects(walk, Cancelled);
  assert.equal(steps, 3);
  await assert.rejects(
    share.walk(() => true, AbortSignal.abort()),
    Cancelled,
  );
});

test("a step that throws ends its own walk only", async () => {
  const share = new LoopShare();
  const [failed, fine] = await Promise.allSettled([
    share.walk(() => {
      throw new Error("broken");
    }),
    share.walk(busy(3)),
  ]);
  assert.match(String(failed.status === "rejected" && failed.reason), /broken/);
  assert.equal(fine.status, "fulfilled");
});

test("walks above the bound are refused, and room is made by those that end", async () => {
  const share = new LoopShare();
  const walks = Array.from({ length: loopWalksMax }, () => share.walk(() => true));
  await assert.rejects(
    share.walk(() => true),
    StoreUnavailable,
  );
  await Promise.all(walks);
  await share.walk(() => true);
});
