import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "../../src/runtime/bounded-map.ts";
import { seededRandom } from "../simulation/seeded-random.ts";

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

test("with anything set, set again, deleted and cleared, the first to be set is the first to go", () => {
  const { below } = seededRandom(7);
  for (let entriesMax = 1; entriesMax <= 6; entriesMax++) {
    const map = new BoundedMap<number, number>(entriesMax);
    let model: [number, number][] = [];
    for (let step = 0; step < 20_000; step++) {
      const key = below(12);
      const kind = below(1_000);
      if (kind < 2) {
        map.clear();
        model = [];
      } else if (kind < 300) {
        assert.equal(
          map.delete(key),
          model.some(([known]) => known === key),
        );
        model = model.filter(([known]) => known !== key);
      } else {
        map.set(key, step);
        model = [...model.filter(([known]) => known !== key), [key, step]];
        if (model.length > entriesMax) model.shift();
      }
      assert.deepEqual([...map], model);
    }
  }
});
