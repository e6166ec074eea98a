import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Refused, type Talk } from "../../../src/cluster/bus/talk.ts";
import { Deputyship } from "../../../src/cluster/sharing/deputyship.ts";

/** Nothing is asked of a talk here: it is told from others by being itself. */
const aTalk = () => ({}) as Talk;

function begun(epoch: number, under = 1, talk = aTalk()) {
  let changes = 0;
  const deputyship = new Deputyship(() => {
    changes++;
  });
  return { deputyship, talk, begun: deputyship.begin(talk, { epoch, under }), changes: () => changes };
}

test("a keeper is answered when this process decides under the number that it gave, and by no earlier one", async () => {
  const { deputyship, begun: earlier } = begun(5);
  const refused = assert.rejects(earlier, Refused);
  const talk = aTalk();
  let isAnswered = false;
  const later = deputyship.begin(talk, { epoch: 7, under: 6 }).then(() => {
    isAnswered = true;
  });
  await refused;
  // What was opening for the keeper before is there now.
  deputyship.opened(5);
  await turn();
  assert.ok(!isAnswered);
  deputyship.opened(7);
  await later;
  assert.deepEqual([deputyship.epoch, deputyship.talk], [7, talk]);
});

test("it ends with its talk and no other", async () => {
  const { deputyship, talk, begun: answered, changes } = begun(5);
  deputyship.opened(5);
  await answered;
  deputyship.closed(aTalk());
  assert.equal(deputyship.epoch, 5);
  deputyship.closed(talk);
  assert.deepEqual([deputyship.epoch, deputyship.talk, changes()], [null, null, 2]);
  deputyship.end();
  assert.equal(changes(), 2, "once");
});

test("it ends when its keeper keeps under another epoch, or keeps no more", async () => {
  for (const under of [9, null]) {
    const { deputyship, talk, begun: answered } = begun(5, 4);
    deputyship.opened(5);
    await answered;
    deputyship.heard(talk, 4);
    deputyship.heard(aTalk(), under);
    assert.equal(deputyship.epoch, 5);
    deputyship.heard(talk, under);
    assert.equal(deputyship.epoch, null);
  }
});

test("a keeper that takes it away before it is there is refused", async () => {
  const { deputyship, talk, begun: answered } = begun(5);
  deputyship.closed(talk);
  await assert.rejects(answered, Refused);
});
