import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Chore, oneAtATime, repeat } from "../../src/runtime/chores.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

/** Work that ends when the test says so. */
function heldWork() {
  const ends: { good(): void; bad(cause: Error): void }[] = [];
  const work = () => new Promise<void>((good, bad) => ends.push({ good, bad }));
  return { ends, work };
}

function choreOf(work: () => Promise<void>) {
  const clock = new ManualClock(1_000_000);
  const lines: string[] = [];
  const log = {
    info: (_detail: object, line: string) => lines.push(`info: ${line}`),
    error: (_detail: object, line: string) => lines.push(`error: ${line}`),
  };
  return { clock, lines, chore: new Chore("saving", 500, clock, log, work) };
}

test("a chore is due a pause after it was last done, or thirty times as long as it took", async () => {
  const { ends, work } = heldWork();
  const { clock, chore } = choreOf(work);
  clock.advance(499);
  assert.equal(chore.isDue, false);
  clock.advance(1);
  assert.equal(chore.isDue, true);

  const began = clock.now();
  const run = chore.run();
  clock.advance(20);
  ends[0]!.good();
  assert.equal(await run, true);
  assert.equal(chore.doneAt, began);
  clock.advance(599);
  assert.equal(chore.isDue, false);
  clock.advance(1);
  assert.equal(chore.isDue, true);
});

test("a chore in which the machine slept for a day rests ten pauses", async () => {
  const { ends, work } = heldWork();
  const { clock, chore } = choreOf(work);
  const run = chore.run();
  clock.advance(86_400_000);
  ends[0]!.good();
  await run;
  clock.advance(4_999);
  assert.equal(chore.isDue, false);
  clock.advance(1);
  assert.equal(chore.isDue, true);
});

test("a chore that fails stays due and is logged once, and once more when it works again", async () => {
  let works = false;
  const { clock, lines, chore } = choreOf(async () => {
    if (!works) throw new Error("no disk");
  });
  const doneAt = chore.doneAt;
  clock.advance(500);
  assert.deepEqual([await chore.run(), await chore.run()], [false, false]);
  assert.equal(chore.isDue, true);
  assert.equal(chore.doneAt, doneAt);
  assert.deepEqual(lines, ["error: saving failed"]);
  works = true;
  assert.deepEqual([await chore.run(), await chore.run()], [true, true]);
  assert.deepEqual(lines, ["error: saving failed", "info: saving works again"]);
});

test("all who ask during a run share the next one, which begins after the first has ended", async () => {
  const { ends, work } = heldWork();
  const run = oneAtATime(work);
  const first = run();
  const second = run();
  const third = run();
  await nextTurn();
  assert.equal(ends.length, 1);
  ends[0]!.good();
  await first;
  await nextTurn();
  assert.equal(ends.length, 2);
  ends[1]!.good();
  await Promise.all([second, third]);
  const fourth = run();
  assert.equal(ends.length, 3);
  ends[2]!.good();
  await fourth;
});

test("a run that failed tells who began it, and the next one begins all the same", async () => {
  const { ends, work } = heldWork();
  const run = oneAtATime(work);
  const first = run();
  const second = run();
  ends[0]!.bad(new Error("no disk"));
  await assert.rejects(first, /no disk/);
  await nextTurn();
  assert.equal(ends.length, 2);
  ends[1]!.good();
  await second;
});

test("repeated work comes back after its end, until it is stopped", async () => {
  const { ends, work } = heldWork();
  const clock = new ManualClock();
  const stop = repeat(clock, 100, work);
  clock.advance(99);
  assert.equal(ends.length, 0);
  clock.advance(1);
  clock.advance(1_000);
  assert.equal(ends.length, 1);
  ends[0]!.good();
  await nextTurn();
  clock.advance(100);
  assert.equal(ends.length, 2);
  stop();
  ends[1]!.good();
  await nextTurn();
  clock.advance(1_000);
  assert.equal(ends.length, 2);
  const stopAtOnce = repeat(clock, 100, work);
  stopAtOnce();
  clock.advance(1_000);
  assert.equal(ends.length, 2);
});

test("who asks as a run ends, with another one due, does not begin one beside it", async () => {
  let running = 0;
  let most = 0;
  const run = oneAtATime(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
  });
  const first = run();
  const second = run();
  const third = first.then(() => run());
  await Promise.all([first, second, third]);
  assert.equal(most, 1);
});
