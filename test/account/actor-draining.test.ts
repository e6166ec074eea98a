import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readAccount, updateAccount } from "../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import type { Command } from "../../src/domain/command.ts";
import { actorIdleMs, passivationStepMs } from "../../src/limits.ts";
import { openActors } from "../support/actors.ts";

const actors = await openActors();

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

test("a command that comes while its actor saves and leaves waits for it, then meets the stored truth", async () => {
  const { id, key } = await actors.newAccount({ name: "before" });
  // At an even number of some dozens the stored windows run ahead, so that leaving has something to save.
  for (let request = 0; request < 40; request++)
    await (await actors.directory.admit(key)).wayOut.pass(() => null, "request");
  await nextTurn();
  actors.store.hold();
  actors.clock.advance(actorIdleMs + passivationStepMs);
  await turns();
  assert.equal(actors.directory.liveActors, 1);
  const renamed = actors.directory.run(id, updateAccount({ name: "after" }, builtInPlans));
  await turns();
  const gets = actors.store.gets;
  actors.store.release();
  assert.equal((await renamed).name, "after");
  assert.equal(actors.store.gets, gets + 1);
  assert.equal((await actors.directory.run(id, readAccount())).name, "after");
});

test("a command may look only at what it named in its needs", async () => {
  const { id, projectId } = await actors.newAccount();
  const curious: Command<unknown> = {
    needs: () => [],
    apply: (view) => ({ answer: view.project(projectId), writes: [] }),
  };
  await assert.rejects(actors.directory.run(id, curious), /^Error: projects\/.* was not named in needs$/);
  assert.equal((await actors.directory.run(id, readAccount())).id, id);
});
