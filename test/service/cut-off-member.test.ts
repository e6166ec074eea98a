/** A member that alone cannot reach the database: others decide in its place, and whoever spreads requests passes it over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { allReady, scan, sharedOut, threeMembers, until } from "../support/members/three-members.ts";
import { call } from "../support/wire/call.ts";

test("the accounts of a member that cannot reach the database are the keeper's, until it can again", async () => {
  const cutOff = 1;
  const { cluster, members, apis, admin } = await threeMembers(cutOff);
  const { slug, qr_id } = await apis[0]!.createRendered();
  for (const member of members) assert.equal((await scan(member, slug)).status, 302);
  const change = async (at: number, redirect_url: string) =>
    (await apis[at]!.patch(`/v1/qr-codes/${qr_id}`, { redirect_url })).status === 200;

  cluster.awayFor.add(cutOff);
  await until("a change", () => change(0, "https://example.com/meanwhile"));
  const readiness = await until("the end of its readiness", async () => {
    const answer = await call(`${members[cutOff].address}/readyz`);
    return answer.status === 503 && answer;
  });
  assert.match(readiness.body, /store: MongoDB does not answer this process/);
  const answers = await Promise.all(members.map((member) => scan(member, slug)));
  assert.deepEqual(
    answers.map(({ headers }) => headers.location ?? null),
    ["https://example.com/meanwhile", null, "https://example.com/meanwhile"],
    "it does not know the new target, and leads to none",
  );

  cluster.awayFor.clear();
  await allReady(members);
  await sharedOut(admin, members.length);
  assert.ok(await change(cutOff, "https://example.com/again"));
  for (const member of members) {
    assert.equal((await scan(member, slug)).headers.location, "https://example.com/again");
  }
});
