import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "../../src/runtime/bounded-map.ts";

test("a full map forgets what was set first, and only that", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("c", 3);
  assert.deepEqual([map.get("a"), map.get("b"), map.get("c"), map.size], [undefined, 2, 3, 2]);
});

test("what is set again is the youngest, and takes nobody's place", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  assert.deepEqual([map.get("a"), map.get("b"), map.size], [3, 2, 2]);
  map.set("c", 4);
  assert.deepEqual([map.get("a"), map.get("b"), map.get("c")], [3, undefined, 4]);
});

test("an entry that is deleted makes room", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.delete("b");
  map.set("c", 3);
  assert.deepEqual([map.get("a"), map.get("b"), map.get("c")], [1, undefined, 3]);
});
