import assert from "node:assert/strict";
import { test } from "node:test";
import { openSessions, putSession } from "../../src/people/sessions.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { putUser, sampleUser } from "../fakes/sample-documents.ts";

const store = new MemoryStore();
const clock = new ManualClock();
const opened = (adminToken: string, secret = new Uint8Array(32)) =>
  openSessions({ store, clock, random: systemRandom, adminToken, secret });

test("the operator's session lasts as long as the token that it was opened with", async () => {
  const { secret, session } = opened("first token").ofOperator();
  await store.commit([putSession(session)]);
  assert.equal((await opened("first token").holder(secret))?.kind, "operator");
  assert.equal(await opened("second token").holder(secret), null);
  assert.equal(await opened("first token", new Uint8Array(32).fill(1)).holder(secret), null);
  assert.ok(!JSON.stringify(session).includes(secret));
});

test("a user's session lasts as long as the user, the account and the credential", async () => {
  const sessions = opened("token");
  const user = sampleUser();
  const { secret, session } = sessions.of(user);
  await store.commit([putUser(user), putSession(session)]);
  assert.deepEqual(await sessions.holder(secret), { kind: "user", session, user });
  for (const changes of [{ credential: "second" }, { account_id: "acc_2" }]) {
    await store.commit([putUser({ ...user, ...changes })]);
    assert.equal(await sessions.holder(secret), null);
  }
  await store.commit([putUser(user)]);
  assert.notEqual(await sessions.holder(secret), null);
  await store.commit([{ collection: "users", remove: user.id }]);
  assert.equal(await sessions.holder(secret), null);
});

test("what has not the form of a secret is not even looked up", async () => {
  const before = store.calls.get("get") ?? 0;
  for (const odd of ["", "x", `${"A".repeat(42)}!`, "A".repeat(44), "é".repeat(43)]) {
    assert.equal(await opened("token").holder(odd), null);
  }
  assert.equal(store.calls.get("get") ?? 0, before);
});
