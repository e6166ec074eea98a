/** Rate windows over the lives of actors: what was used stays used, to the last request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LeftMeters } from "../../src/account/left-meters.ts";
import { dayMs, meterOf, minuteMs, noWindow, secondMs } from "../../src/domain/account/rate-window.ts";
import { leftMetersMax } from "../../src/limits.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { openActors } from "../support/actors.ts";

const actors = await openActors();

/** How many of so many requests pass, and which window refuses the others. */
async function pass(key: string, requests: number): Promise<{ passed: number; refusals: string[] }> {
  let passed = 0;
  const refusals = new Set<string>();
  for (let n = 0; n < requests; n++) {
    try {
      const { refusal, wayOut } = await actors.directory.admit(key);
      await wayOut.pass(() => null, "request");
      if (refusal === null) passed++;
      else refusals.add(refusal.code);
    } catch (cause) {
      assert.match(String(cause), /did not take the request/);
    }
  }
  return { passed, refusals: [...refusals] };
}

function beginMinute(): void {
  actors.clock.advance(minuteMs - (actors.clock.now() % minuteMs));
}

test("after a commit that failed a window has neither more nor less than its limit", async () => {
  const limits = { burst: 1_000, per_minute: 50, per_day: 10_000 };
  const { key } = await actors.newAccount({ limits });
  beginMinute();
  assert.equal((await pass(key, 40)).passed, 40);
  // The store has two more by now than were used: what was reserved.
  actors.store.faults = ["before"];
  const { passed } = await pass(key, 3);
  // One of them found the commit that fails.
  assert.equal(passed, 2);
  assert.deepEqual(await pass(key, 20), { passed: 50 - 43, refusals: ["rate_limit_minute"] });
});

test("an actor that is loaded again within a second goes on with the second", async () => {
  const limits = { burst: 5, per_minute: 50, per_day: 10_000 };
  const { key } = await actors.newAccount({ limits });
  beginMinute();
  assert.equal((await pass(key, 3)).passed, 3);
  actors.store.faults = ["before"];
  assert.equal((await pass(key, 1)).passed, 0);
  assert.deepEqual(await pass(key, 5), { passed: 1, refusals: ["rate_limited"] });
  actors.clock.advance(secondMs);
  assert.equal((await pass(key, 5)).passed, 5);
});

function left() {
  const clock = new ManualClock();
  clock.advance(dayMs - (clock.now() % dayMs));
  const meters = new LeftMeters(clock);
  const meterOfNow = (used: number) => {
    const start = clock.now();
    const meter = meterOf({ minute: { start, used }, day: { start, used } });
    return { ...meter, second: { start, used }, covered: 7 };
  };
  return { clock, meters, meterOfNow };
}

test("what is stored exactly is kept for the second, anything else for the day", () => {
  const { clock, meters, meterOfNow } = left();
  meters.put("acc_1", "stored", meterOfNow(3), true);
  meters.put("acc_1", "unknown", meterOfNow(4), false);
  clock.advance(secondMs);
  assert.equal(meters.take("stored"), null);
  const { minute, covered } = meters.take("unknown")!;
  assert.equal(minute.used, 4);
  assert.equal(covered, 0, "whether a reservation is stored is not known");
  assert.equal(meters.take("unknown"), null, "it is the actor's now");
  meters.put("acc_1", "unknown", meterOfNow(4), false);
  clock.advance(dayMs);
  assert.equal(meters.take("unknown"), null);
});

test("meters go with their accounts, over as many members as it takes", () => {
  const { clock, meters, meterOfNow } = left();
  meters.put("acc_1", "key_1", meterOfNow(3), true);
  meters.put("acc_2", "key_2", meterOfNow(4), true);
  const handed = meters.handOver((account) => account === "acc_1");
  assert.deepEqual(
    handed.map(({ of }) => of),
    ["key_1"],
  );
  assert.equal(meters.take("key_1"), null);
  assert.equal(meters.take("key_2")!.second.used, 4);
  const [second, third] = [new LeftMeters(clock), new LeftMeters(clock)];
  second.receive(handed);
  third.receive(second.handOver(() => true));
  assert.equal(third.take("key_1")!.second.used, 3);
  second.receive(handed);
  clock.advance(secondMs);
  assert.deepEqual(
    second.handOver(() => true),
    [],
    "nobody needs them any more",
  );
});

test("there are never more than may be kept, and those that are over go", () => {
  const { clock, meters, meterOfNow } = left();
  for (let n = 0; n <= leftMetersMax; n++) meters.put("acc_1", `key_${n}`, meterOfNow(1), true);
  assert.equal(meters.take("key_0"), null);
  assert.notEqual(meters.take(`key_${leftMetersMax}`), null);
  clock.advance(secondMs);
  meters.clear();
  assert.deepEqual(
    meters.handOver(() => true),
    [],
  );
  meters.put("acc_1", "idle", { ...meterOfNow(0), second: noWindow }, true);
  assert.equal(meters.take("idle"), null);
});
