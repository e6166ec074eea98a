import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOfWords, noSlug, type SlugKey, slugOfKey } from "../../src/link/slug.ts";
import { inSlugOrder } from "../../src/scan/slug-order.ts";
import { dice } from "../support/dice.ts";

function randomKeys(count: number): SlugKey[] {
  const { below } = dice(5, 0);
  return Array.from({ length: count }, () => keyOfWords(below(2 ** 25), below(2 ** 25)));
}

test("every slot comes as often as it was given, in the order of the slugs' first five letters", async () => {
  const keys = randomKeys(60_000);
  const slots = [...keys.keys(), 17, 17, 59_999];
  const ordered = await inSlugOrder(slots, (slot) => keys[slot]!);
  assert.deepEqual([...ordered].sort(ascending), [...slots].sort(ascending));
  const letters = [...ordered].map((slot) => slugOfKey(keys[slot]!).slice(0, "qr-".length + 5));
  assert.deepEqual(letters, [...letters].sort());
});

test("the greatest slot and slug come back, and so does a slot whose link was let go", async () => {
  const greatest = 2 ** 24 - 3;
  const keys = new Map([
    [greatest, keyOfWords(2 ** 25 - 1, 2 ** 25 - 1)],
    [3, noSlug],
    [0, keyOfWords(1, 0)],
  ]);
  assert.deepEqual([...(await inSlugOrder([...keys.keys()], (slot) => keys.get(slot)!))], [3, 0, greatest]);
  assert.deepEqual([...(await inSlugOrder([], () => noSlug))], []);
});

test("a few wait for no turn", async () => {
  const keys = randomKeys(1_024);
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  await inSlugOrder([...keys.keys()], (slot) => keys[slot]!);
  assert.equal(hasTurned, false);
});

test("others have their turns while many are put in order", async () => {
  const keys = randomKeys(200_000);
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await inSlugOrder([...keys.keys()], (slot) => keys[slot]!);
  isDone = true;
  assert.ok(turns >= 40, `${turns} turns`);
});

function ascending(one: number, other: number): number {
  return one - other;
}
