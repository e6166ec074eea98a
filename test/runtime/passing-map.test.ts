import assert from "node:assert/strict";
import { test } from "node:test";
import { PassingMap } from "../../src/runtime/passing-map.ts";
import { ageAll, OldMemory } from "../support/old-memory.ts";

test("it keeps the newest value of a key until the key is deleted", () => {
  const map = new PassingMap<string, number>();
  map.set("one", 1);
  map.set("two", 2);
  map.set("one", 3);
  assert.deepEqual([map.get("one"), map.get("two"), map.get("three")], [3, 2, null]);
  assert.deepEqual([map.has("one"), map.has("three"), map.size], [true, false, 2]);
  map.delete("one");
  map.delete("three");
  assert.deepEqual([map.get("one"), map.has("one"), [...map.values()]], [null, false, [2]]);
  map.clear();
  assert.deepEqual([map.size, map.get("two"), [...map.values()]], [0, null, []]);
});

test("a value may be deleted while all are walked through", () => {
  const map = new PassingMap<number, number>();
  for (let key = 0; key < 100; key++) map.set(key, key);
  let seen = 0;
  for (const value of map.values()) {
    seen++;
    map.delete(value);
    map.delete(value + 1);
  }
  assert.deepEqual([seen, map.size], [50, 0]);
});

test("values that are deleted are forgotten at once, not when all memory is next collected", () => {
  const map = new PassingMap<number, number[]>();
  for (let key = 0; key < 64; key++) map.set(key, []);
  ageAll();
  const old = new OldMemory();
  for (let key = 64; key < 100_000; key++) {
    map.set(key, new Array(100).fill(key));
    map.delete(key - 64);
    if (key % 1_000 === 0) old.look();
  }
  // The values are 80 MB, the tables and boxes that stay 8.
  assert.ok(old.grownBytes < 20e6, `${old.grownBytes} bytes were kept`);
});
