import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeLimit } from "../../src/door/time-limit.ts";
import { handlerMsMax } from "../../src/limits.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { ageAll, OldMemory } from "../support/old-memory.ts";

const look = handlerMsMax / 10;

test("a request that is not answered in time is told once, within one look", () => {
  const clock = new ManualClock();
  const limit = new TimeLimit(clock);
  let late = 0;
  limit.begin(() => late++);
  clock.advance(handlerMsMax - 1);
  assert.equal(late, 0);
  clock.advance(look);
  assert.equal(late, 1);
  clock.advance(10 * handlerMsMax);
  assert.equal(late, 1);
});

test("a request that was answered is never late", () => {
  const clock = new ManualClock();
  const limit = new TimeLimit(clock);
  let late = 0;
  const answered = limit.begin(() => late++);
  clock.advance(handlerMsMax / 2);
  limit.end(answered);
  clock.advance(2 * handlerMsMax);
  assert.equal(late, 0);
});

test("requests run out in their order, each by its own beginning", () => {
  const clock = new ManualClock();
  const limit = new TimeLimit(clock);
  const late: string[] = [];
  limit.begin(() => late.push("first"));
  clock.advance(3_000);
  limit.begin(() => late.push("second"));
  clock.advance(handlerMsMax - 3_000 + look);
  assert.deepEqual(late, ["first"]);
  clock.advance(3_000);
  assert.deepEqual(late, ["first", "second"]);
});

test("one timer serves all, and none is left when nothing is under way", () => {
  let timers = 0;
  const inner = new ManualClock();
  const clock = {
    now: () => inner.now(),
    after(ms: number, run: () => void) {
      timers++;
      return inner.after(ms, () => {
        timers--;
        run();
      });
    },
  };
  const limit = new TimeLimit(clock);
  const all = Array.from({ length: 1_000 }, () => limit.begin(() => {}));
  assert.equal(timers, 1);
  for (const timed of all) limit.end(timed);
  inner.advance(look);
  assert.equal(timers, 0);
  limit.begin(() => {});
  assert.equal(timers, 1);
});

test("what a late request sets off may begin another", () => {
  const clock = new ManualClock();
  const limit = new TimeLimit(clock);
  let late = 0;
  limit.begin(() => {
    late++;
    limit.begin(() => late++);
  });
  clock.advance(handlerMsMax + look);
  assert.equal(late, 1);
  clock.advance(handlerMsMax + look);
  assert.equal(late, 2);
});

test("a request that is over is forgotten at once, not when all memory is next collected", () => {
  const limit = new TimeLimit(new ManualClock());
  const underWay = Array.from({ length: 64 }, () => limit.begin(() => {}));
  ageAll();
  const old = new OldMemory();
  for (let request = 0; request < 100_000; request++) {
    limit.end(underWay[request % underWay.length]!);
    const answer = new Array(100).fill(request);
    underWay[request % underWay.length] = limit.begin(() => answer.at(-1));
    if (request % 1_000 === 0) old.look();
  }
  assert.ok(old.grownBytes < 5e6, `${old.grownBytes} bytes were kept`);
});
