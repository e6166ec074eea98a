import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Gates } from "../../../src/cluster/sharing/gates.ts";
import { gateMsMax } from "../../../src/limits.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";

test("a gate that closes lets nobody in, and is closed when whoever was inside has left", async () => {
  const gates = new Gates(new ManualClock());
  assert.ok(!gates.enter(7));
  gates.open([7, 8]);
  assert.equal(gates.size, 2);
  assert.ok(gates.enter(7));
  let isClosed = false;
  const closed = gates.close([7]).then((isEmpty) => {
    isClosed = isEmpty;
  });
  assert.ok(!gates.enter(7));
  assert.ok(gates.isHere(7), "who is inside goes on");
  assert.ok(gates.enter(8), "no other gate is closed");
  await turn();
  assert.ok(!isClosed);
  gates.leave(7);
  await closed;
  assert.ok(isClosed);
  gates.shut([7]);
  assert.ok(!gates.isHere(7));
});

test("all gates can be closed at once, and whoever is inside goes on until they are shut", () => {
  const gates = new Gates(new ManualClock());
  gates.open([7, 8]);
  assert.ok(gates.enter(7));
  gates.closeAll();
  assert.ok(!gates.enter(7) && !gates.enter(8));
  assert.deepEqual([gates.isHere(7), gates.isHere(9)], [true, false]);
  gates.shutAll();
  assert.ok(!gates.isHere(7));
});

test("a gate that does not empty in time is open again", async () => {
  const clock = new ManualClock();
  const gates = new Gates(clock);
  gates.open([7]);
  assert.ok(gates.enter(7));
  const closed = gates.close([7]);
  clock.advance(gateMsMax);
  assert.equal(await closed, false);
  assert.ok(gates.enter(7));
});

test("a partition that comes is told from one that was here all along", async () => {
  const gates = new Gates(new ManualClock());
  gates.open([7]);
  const taken = gates.taken(7);
  gates.open([7]);
  assert.equal(gates.taken(7), taken);
  assert.ok(await gates.close([7]));
  gates.shut([7]);
  gates.open([7]);
  assert.notEqual(gates.taken(7), taken);
});

test("what is shut at once stays shut when its gate empties", async () => {
  const gates = new Gates(new ManualClock());
  gates.open([7]);
  assert.ok(gates.enter(7));
  const closed = gates.close([7]);
  gates.shutAll();
  gates.leave(7);
  await closed;
  assert.ok(!gates.isHere(7));
});
