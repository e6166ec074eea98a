import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { listKeys, readAccount, updateAccount } from "../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import { createProject, updateProject } from "../../src/domain/account/project-commands.ts";
import type { Command } from "../../src/domain/command.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { actorIdleMs, mailboxCommandsMax, passivationStepMs } from "../../src/limits.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import { openActors } from "../support/actors.ts";

const actors = await openActors();

const rename = (name: string) => updateAccount({ name }, builtInPlans);
const newProject = (name: string) => createProject({ name }, systemRandom);
const unavailable = (cause: unknown) => cause instanceof ApiError && cause.code === "unavailable";

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  return (await Promise.race([promise.catch(() => {}), "pending"])) === "pending";
}

test("an answer waits until its write is durable, and so does a read that saw it", async () => {
  const { id } = await actors.newAccount();
  actors.store.hold();
  const write = actors.directory.run(id, rename("gated"));
  const read = actors.directory.run(id, readAccount());
  assert.equal(await isPending(write), true);
  assert.equal(await isPending(read), true);
  actors.store.release();
  assert.equal((await write).name, "gated");
  assert.equal((await read).name, "gated");
});

test("a refusal that was decided on a write in flight waits for it too", async () => {
  const { id } = await actors.newAccount();
  actors.store.hold();
  const write = actors.directory.run(id, rename("x"));
  const refused = actors.directory.run(id, updateProject("prj_none", { name: "y" }));
  assert.equal(await isPending(refused), true);
  actors.store.release();
  await write;
  await assert.rejects(refused, (cause) => cause instanceof ApiError && cause.code === "project_not_found");
});

for (const fault of ["before", "after"] as const) {
  test(`after a commit that failed ${fault} writing, answers are 503 and the stored truth is read again`, async () => {
    const { id } = await actors.newAccount({ name: "old" });
    actors.store.faults.push(fault);
    const first = actors.directory.run(id, rename("new"));
    const second = actors.directory.run(id, newProject("doomed"));
    await assert.rejects(first, unavailable);
    await assert.rejects(second, unavailable);
    const account = await actors.directory.run(id, readAccount());
    assert.equal(account.name, fault === "before" ? "old" : "new");
    const stored = await actors.store.listProjects(id, { before: null, limit: 10 });
    assert.equal(stored.items.length, fault === "before" ? 1 : 2);
  });
}

test("writes behind a failed commit are dropped, and derived state is told to forget", async () => {
  const { id } = await actors.newAccount();
  actors.store.hold();
  const first = actors.directory.run(id, rename("first"));
  while (actors.store.commits === 0) await nextTurn();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  const second = actors.directory.run(id, rename("second"));
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  actors.store.faults.push("before");
  const uncertainBefore = actors.uncertain.length;
  actors.store.release();
  await assert.rejects(first, unavailable);
  await assert.rejects(second, unavailable);
  assert.equal(actors.uncertain.length, uncertainBefore + 2);
  const account = await actors.directory.run(id, readAccount());
  assert.equal(account.name, "a");
});

test("durable changes are announced before the answer leaves", async () => {
  const { id } = await actors.newAccount();
  const before = actors.durable.length;
  await actors.directory.run(id, rename("announced"));
  assert.equal(actors.durable.length, before + 1);
});

test("a full mailbox refuses at the door", async () => {
  const { id } = await actors.newAccount();
  actors.store.hold();
  const commands = Array.from({ length: mailboxCommandsMax }, () => actors.directory.run(id, rename("x")));
  await nextTurn();
  await assert.rejects(actors.directory.run(id, rename("one too many")), unavailable);
  actors.store.release();
  await Promise.all(commands);
  await actors.directory.run(id, rename("room again"));
});

test("a command's fault is its own: nothing is written and the actor goes on", async () => {
  const { id } = await actors.newAccount({ name: "kept" });
  const broken: Command<void> = {
    needs: () => [],
    apply() {
      throw new TypeError("a fault of ours");
    },
  };
  await assert.rejects(actors.directory.run(id, broken), TypeError);
  assert.equal((await actors.directory.run(id, readAccount())).name, "kept");
});

test("an account is loaded once however many ask, and an idle one is passivated and comes back", async () => {
  const { id, key } = await actors.newAccount();
  actors.forgetEverything();
  const gets = actors.store.gets;
  await Promise.all(Array.from({ length: 20 }, () => actors.directory.run(id, listKeys())));
  assert.equal(actors.store.gets, gets + 1);
  assert.equal(actors.directory.liveActors, 1);

  for (let request = 0; request < 5; request++)
    await (await actors.directory.admit(key)).wayOut.pass(() => null, "request");
  await nextTurn();
  actors.clock.advance(actorIdleMs + 2 * passivationStepMs);
  while (actors.directory.liveActors > 0) await nextTurn();
  actors.clock.advance(-(actorIdleMs + 2 * passivationStepMs));
  assert.equal((await actors.directory.usage(id)).minute, 5);
});

test("an account that does not exist is told apart from one that cannot be read", async () => {
  await assert.rejects(
    actors.directory.run("acc_none", listKeys()),
    (cause) => cause instanceof ApiError && cause.code === "account_not_found",
  );
});
