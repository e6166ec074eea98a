import assert from "node:assert/strict";
import { test } from "node:test";
import { Directory } from "../../src/account/directory.ts";
import { GroupCommit } from "../../src/account/group-commit.ts";
import { ownedStore } from "../../src/cluster/owned-store.ts";
import { newAccount, updateAccount } from "../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import { StoreUnavailable, type Write } from "../../src/store/store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryStore } from "../fakes/memory-store.ts";

/** The answers to this method come when `letGo` is called. */
function holding(store: MemoryStore, method: string) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    store.beforeAnswer = (asked) => {
      if (asked !== method) return;
      resolve();
      return held;
    };
  });
  return { letGo, reached };
}

test("what was stored in an ownership that is over is not published, though it was stored in time", async () => {
  const store = new MemoryStore();
  const clock = new ManualClock();
  let epoch = 1;
  const owned = ownedStore(store, () => epoch === 1);
  const durable: Write[] = [];
  const uncertain: Write[] = [];
  const directory = new Directory({
    ...{ store: owned, clock, plans: builtInPlans },
    commits: new GroupCommit(owned, { committed() {}, failed() {} }),
    changes: { durable: (write) => durable.push(write), uncertain: (write) => uncertain.push(write) },
  });
  const { account, writes } = newAccount({ name: "a", plan: "agency" }, builtInPlans, 0, systemRandom);
  await directory.create(writes);
  const { letGo, reached } = holding(store, "commit");
  const late = directory.run(account.id, updateAccount({ timezone: "Asia/Tokyo" }, builtInPlans));
  await reached;
  // The talk ended and the process was appointed anew; others have decided in between.
  epoch = 2;
  letGo();
  await assert.rejects(late, (cause) => cause instanceof ApiError && cause.code === "unavailable");
  assert.deepEqual([durable.length, uncertain.length], [0, 1]);
  assert.equal((await store.get("accounts", account.id))!.timezone, "Asia/Tokyo");
});

test("what was read in an ownership that is over is not taken in", async () => {
  const store = new MemoryStore();
  let isOurs = true;
  const owned = ownedStore(store, () => isOurs);
  const { letGo, reached } = holding(store, "get");
  const late = owned.get("accounts", "acc_1");
  await reached;
  isOurs = false;
  letGo();
  await assert.rejects(late, StoreUnavailable);
  await assert.rejects(owned.get("accounts", "acc_1"), StoreUnavailable);
});
