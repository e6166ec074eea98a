/** Requests are begun for a part of each turn of the loop, and what is left waits for the next one. */
import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { RequestTurns } from "../../src/door/request-turns.ts";

/** Holds the loop. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** How many of `count` requests have been begun behind each turn; all of them came at once. */
async function begunByTurn(turns: RequestTurns, count: number, request: () => void): Promise<number[]> {
  const order: number[] = [];
  for (let number = 0; number < count; number++) {
    turns.begin(() => {
      order.push(number);
      request();
    });
  }
  const byTurn = [order.length];
  while (order.length < count) {
    await nextTurn();
    byTurn.push(order.length);
  }
  assert.deepEqual(
    order,
    Array.from({ length: count }, (_, number) => number),
    "in the order in which they came",
  );
  return byTurn;
}

test("what fits a turn is begun as it comes", async () => {
  assert.deepEqual(await begunByTurn(new RequestTurns(1_000), 50, () => {}), [50]);
});

test("what does not fit waits, and each turn begins at least one", async () => {
  const byTurn = await begunByTurn(new RequestTurns(5), 6, () => work(6));
  assert.equal(byTurn[0], 1);
  // A turn that has begun some as they came begins none of those that wait.
  assert.deepEqual(
    byTurn.slice(1).filter((begun, at) => begun > (byTurn[at] ?? 0) + 1),
    [],
    String(byTurn),
  );
  assert.ok(byTurn.length <= 2 * 6, String(byTurn));
});

test("what a request does in microtasks counts too", async () => {
  const turns = new RequestTurns(20);
  const request = async () => {
    await null;
    await null;
    work(15);
  };
  const first = await begunByTurn(turns, 1, () => void request());
  assert.deepEqual(first, [1]);
  await nextTurn();
  turns.begin(() => work(25));
  const byTurn = await begunByTurn(turns, 6, () => void request());
  for (const [at, begun] of byTurn.entries()) assert.ok(begun <= 2 * at, `too many in a turn: ${byTurn}`);
});

test("others have their turn in between, and no time that has passed counts for who comes later", async () => {
  const turns = new RequestTurns(100);
  const heard: string[] = [];
  for (const name of ["a", "b", "c"]) {
    turns.begin(() => {
      heard.push(name);
      work(110);
    });
  }
  const others = setInterval(() => heard.push("other"), 1);
  while (!heard.includes("c")) await nextTurn();
  clearInterval(others);
  assert.match(heard.join(" "), /^a other .*b other .*c/);
  await nextTurn();
  await nextTurn();
  work(120);
  assert.deepEqual(await begunByTurn(turns, 2, () => {}), [2]);
});
