import assert from "node:assert/strict";
import { test } from "node:test";
import { Reach } from "../../src/cluster/reach.ts";
import { leaseRenewMs, reachMs } from "../../src/limits.ts";

function watched() {
  let now = 0;
  const reach = new Reach(() => now);
  /** With answers, as often as a lease is renewed, or without. */
  const pass = (ms: number, isAnswered: boolean) => {
    for (const end = now + ms; now < end; now += leaseRenewMs) if (isAnswered) reach.answered(now);
  };
  return { reach, pass };
}

test("it is lost after a while without an answer, and steady after a while with all of them", () => {
  const { reach, pass } = watched();
  assert.ok(reach.isLost && !reach.isSteady, "nothing was answered yet");
  pass(leaseRenewMs, true);
  assert.ok(!reach.isLost && !reach.isSteady);
  pass(reachMs, true);
  assert.ok(reach.isSteady);
  pass(reachMs - 2 * leaseRenewMs, false);
  assert.ok(!reach.isLost && reach.isSteady, "some answers that are missing are no loss");
  pass(leaseRenewMs, false);
  assert.ok(reach.isLost && !reach.isSteady);
  pass(leaseRenewMs, true);
  assert.ok(!reach.isLost && !reach.isSteady, "it begins anew");
  pass(reachMs, true);
  assert.ok(reach.isSteady);
});

test("answers that come in another order than they were asked for change nothing", () => {
  const { reach, pass } = watched();
  pass(2 * reachMs, true);
  reach.answered(0);
  assert.ok(reach.isSteady);
});
