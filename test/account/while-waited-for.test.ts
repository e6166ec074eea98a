import assert from "node:assert/strict";
import { test } from "node:test";
import { whileWaitedFor } from "../../src/account/while-waited-for.ts";
import { readAccount, updateAccount } from "../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { openActors } from "../support/actors.ts";

const actors = await openActors();
const rename = (name: string) => updateAccount({ name }, builtInPlans);
const unavailable = (cause: unknown) => cause instanceof ApiError && cause.code === "unavailable";

test("whether somebody waits is looked at when a command is decided, not when it comes", async () => {
  const { id } = await actors.newAccount();
  await actors.directory.run(id, rename("before"));
  // The account has to be read first.
  actors.forgetEverything();
  let isWaitedFor = true;
  const directory = whileWaitedFor(actors.directory, () => isWaitedFor);
  const late = directory.run(id, rename("late"));
  isWaitedFor = false;
  await assert.rejects(late, unavailable);
  assert.equal((await actors.directory.run(id, readAccount())).name, "before");
  isWaitedFor = true;
  await directory.run(id, rename("in time"));
  assert.equal((await actors.directory.run(id, readAccount())).name, "in time");
});

test("documents of a new account are not stored when nobody waits for them", async () => {
  const { id } = await actors.newAccount();
  const account = await actors.directory.run(id, readAccount());
  const directory = whileWaitedFor(actors.directory, () => false);
  const other = { ...account, id: "acc_other" };
  await assert.rejects(directory.create([{ collection: "accounts", put: other }]), unavailable);
  assert.equal(await actors.store.get("accounts", other.id), null);
});

test("all else is that of the directory", async () => {
  const { id, key } = await actors.newAccount();
  const directory = whileWaitedFor(actors.directory, () => false);
  assert.equal((await directory.admit(key)).accountId, id);
  const admitted = directory.admitAtOnce(key);
  assert.ok(admitted !== null && !(admitted instanceof ApiError));
  assert.equal(admitted.accountId, id);
  assert.equal((await directory.look(id, readAccount())).id, id);
  assert.deepEqual(await directory.account(id), await actors.directory.account(id));
  assert.deepEqual(await directory.usage(id), await actors.directory.usage(id));
  assert.deepEqual(await directory.keyUsage(id), await actors.directory.keyUsage(id));
});
