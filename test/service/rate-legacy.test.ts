import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { HandedKeyMeter } from "../../src/domain/account/rate-window.ts";
import { nextSecond } from "../../src/runtime/clock.ts";
import { RateLegacy } from "../../src/service/cluster/rate-legacy.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

const window = { start: 0, used: 1 };
const meterOf = (of: string): HandedKeyMeter => ({
  ...{ account: "acc_1", of, until: 1 },
  meter: { second: window, minute: window, day: window, covered: 0 },
});
const used = { keys: [meterOf("key_1")], sessions: [meterOf("session")] };

function legacy(lease: { epoch: number | null; givenBy: number | null }) {
  const clock = new ManualClock();
  const rates = new RateLegacy(
    () => ({ epoch: () => lease.epoch, givenBy: () => lease.givenBy }),
    () => nextSecond(clock),
  );
  return { clock, rates };
}

test("who took the lease from the one that told goes on at once", async () => {
  const { rates } = legacy({ epoch: 5, givenBy: 3 });
  rates.told({ from: 3, ...used });
  assert.deepEqual((await rates.inherited()).keys, used.keys);
});

for (const [name, from] of [
  ["nothing was told", null],
  ["it was told by another one", 2],
] as const) {
  test(`where ${name} the second goes by first`, async () => {
    const { clock, rates } = legacy({ epoch: 5, givenBy: 3 });
    if (from !== null) rates.told({ from, ...used });
    let isOver = false;
    const inherited = rates.inherited().finally(() => {
      isOver = true;
    });
    await turn();
    assert.ok(!isOver);
    clock.advance(1_000);
    assert.deepEqual(await inherited, { keys: [], sessions: [] });
  });
}

test("who took the lease from one that did not give it back has waited already", async () => {
  const { rates } = legacy({ epoch: 5, givenBy: null });
  rates.told({ from: 3, ...used });
  assert.deepEqual(await rates.inherited(), { keys: [], sessions: [] });
});

test("what deputies gave back and what was decided here is told together, by who holds the lease", async () => {
  const lease = { epoch: 5 as number | null, givenBy: null };
  const { rates } = legacy(lease);
  rates.gotBack([meterOf("key_2")]);
  rates.leaves(used);
  assert.deepEqual(rates.toTell, {
    from: 5,
    keys: [meterOf("key_2"), meterOf("key_1")],
    sessions: used.sessions,
  });
  lease.epoch = null;
  assert.equal(rates.toTell, null);
  lease.epoch = 9;
  await rates.inherited();
  assert.deepEqual(rates.toTell, { from: 9, keys: [], sessions: [] }, "what was before is another's by now");
});
