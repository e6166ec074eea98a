/** What owners change of people and keys: it holds at once, and an account keeps an owner. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, Client, type Json } from "../support/client.ts";
import { PageClient } from "../support/pages/page-client.ts";
import { makePeople, useLink } from "../support/pages/people-world.ts";

const world = await makePeople();
const usersPath = `/admin/v1/accounts/${world.server.account.id}/users`;

test("whoever is made a member is none but that at once, and the last owner cannot be", async () => {
  const made = (await world.owner.post("/users", { email: "second@example.com", role: "owner" }, 201)).body;
  const page = new PageClient(world.server.url);
  await useLink(page, made);
  await page.get("/keys", 200);
  const role = async (by: PageClient, id: string, role: string) =>
    (await by.patch(`/users/${id}`, { role }, 200)).body.role;

  assert.equal(await role(world.owner, made.user_id, "member"), "member");
  assertRefused(await page.get("/keys"), 403, "forbidden");
  assertRefused(await page.patch(`/users/${made.user_id}`, { role: "owner" }), 403, "forbidden");
  assert.equal((await page.get("/session", 200)).body.user.role, "member");
  assertRefused(await world.owner.patch(`/users/${world.ownerId}`, { role: "member" }), 409, "last_owner");
  assert.equal(await role(world.owner, world.ownerId, "owner"), "owner");

  assert.equal(await role(world.owner, made.user_id, "owner"), "owner");
  await page.get("/keys", 200);
  assert.equal(await role(page, made.user_id, "member"), "member", "one's own, where there is another owner");
  assertRefused(
    await world.owner.patch(`/users/${made.user_id}`, { role: "boss" }),
    400,
    "invalid_request",
    /^role/,
  );
  const others = await world.owner.patch("/users/usr_00000000000000000000zz", { role: "owner" });
  assertRefused(others, 404, "user_not_found");

  const path = `${usersPath}/${world.ownerId}`;
  assert.equal((await world.operator.patch(path, { role: "member" }, 200)).body.role, "member");
  assertRefused(await world.owner.get("/users"), 403, "forbidden");
  assert.equal((await world.operator.patch(path, { role: "owner" }, 200)).body.role, "owner");
  await world.owner.delete(`/users/${made.user_id}`, 200);
});

test("of two owners who make each other members at the same moment one stays", async () => {
  const made = (await world.owner.post("/users", { email: "rival@example.com", role: "owner" }, 201)).body;
  const rival = new PageClient(world.server.url);
  await useLink(rival, made);
  const answers = await Promise.all([
    world.owner.patch(`/users/${made.user_id}`, { role: "member" }),
    rival.patch(`/users/${world.ownerId}`, { role: "member" }),
  ]);
  const { items } = (await world.operator.get(usersPath, 200)).body;
  assert.equal(items.filter(({ role }: Json) => role === "owner").length, 1);
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  await world.operator.patch(`${usersPath}/${world.ownerId}`, { role: "owner" }, 200);
  await world.operator.delete(`${usersPath}/${made.user_id}`, 200);
});

test("a key has another name at once, and stays what it was", async () => {
  const made = (await world.owner.post("/keys", { name: "till" }, 201)).body;
  const { name, key_id, last4 } = (await world.owner.patch(`/keys/${made.key_id}`, { name: "door" }, 200))
    .body;
  assert.deepEqual([name, key_id, last4], ["door", made.key_id, made.last4]);
  const { items } = (await world.owner.get("/keys", 200)).body;
  assert.equal(items.find((key: Json) => key.key_id === key_id).name, "door");
  assertRefused(await world.owner.patch(`/keys/${key_id}`, { name: "" }), 400, "invalid_request", /^name/);
  const others = await world.owner.patch("/keys/key_00000000000000000000zz", { name: "x" });
  assertRefused(others, 404, "key_not_found");
  await new Client(world.server.url, { "x-api-key": made.key }).get("/v1/projects", 200);
  await world.owner.delete(`/keys/${key_id}`, 200);
});
