/** Whatever is added, removed, taken and evicted in whatever order: nobody is lost, and turns stay fair. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fairLanes } from "../../src/render/fair-lanes.ts";

interface Item {
  account_id: string;
  seat: number;
  n: number;
}

const step = fc.oneof(
  fc.record({ do: fc.constant("add" as const), account: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ do: fc.constant("remove" as const), which: fc.nat(1_000) }),
  fc.record({ do: fc.constant("take" as const) }),
  fc.record({ do: fc.constant("evict" as const), account: fc.integer({ min: 0, max: 5 }) }),
);

test("lanes behave like plain lists that take turns", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
      const lanes = fairLanes<Item>();
      // The model: accounts in the order of their turns, each with its items.
      const model: { account: string; items: Item[] }[] = [];
      const drop = (item: Item): void => {
        const lane = model.find(({ account }) => account === item.account_id)!;
        lane.items.splice(lane.items.indexOf(item), 1);
        if (lane.items.length === 0) model.splice(model.indexOf(lane), 1);
      };
      steps.forEach((step, n) => {
        if (step.do === "add") {
          const item = { account_id: `a${step.account}`, seat: -1, n };
          lanes.add(item);
          const lane = model.find(({ account }) => account === item.account_id);
          if (lane === undefined) model.push({ account: item.account_id, items: [item] });
          else lane.items.push(item);
        } else if (step.do === "remove") {
          const all = model.flatMap(({ items }) => items);
          const item = all[step.which % Math.max(1, all.length)];
          if (item === undefined) return;
          lanes.remove(item);
          lanes.remove(item);
          drop(item);
        } else if (step.do === "take") {
          const expected = model[0]?.items[0] ?? null;
          assert.equal(lanes.take(), expected);
          if (expected === null) return;
          model.push(model.shift()!);
          drop(expected);
        } else {
          const own = model.find(({ account }) => account === `a${step.account}`)?.items.length ?? 0;
          const evicted = lanes.evictFor(`a${step.account}`);
          const total = model.reduce((sum, { items }) => sum + items.length, 0);
          assert.equal(evicted === null, total <= (own + 1) * model.length);
          if (evicted === null) return;
          const lane = model.find(({ account }) => account === evicted.account_id)!;
          assert.ok(lane.items.length >= own + 2);
          assert.equal(evicted, lane.items.at(-1));
          drop(evicted);
        }
        assert.equal(lanes.accounts(), model.length);
        for (const { account, items } of model) assert.equal(lanes.count(account), items.length);
      });
    }),
    { numRuns: 200, seed: 4 },
  );
});
