/** Sessions: what the browser is given, how long it is good, and what ends it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { oneTimeLinkMs, sessionLimits, sessionMs } from "../../src/limits.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { assertRefused } from "../support/client.ts";
import { PageClient } from "../support/pages/page-client.ts";
import { adminToken, invite, makePeople, password, tokenOf, useLink } from "../support/pages/people-world.ts";
import { startServer } from "../support/server.ts";

const clock = new ManualClock();
const world = await makePeople({ clock });

const signIn = { email: "member@example.com", password };

async function freshMember(): Promise<PageClient> {
  const page = new PageClient(world.server.url);
  await page.post("/session", signIn, 200);
  return page;
}

test("on localhost the cookie has a plain name; no script sees it, no other site sends it", async () => {
  const answer = await new PageClient(world.server.url).post("/session", signIn, 200);
  assert.match(
    answer.headers.get("set-cookie")!,
    /^qrelay=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  assert.ok(!answer.text.includes(answer.headers.get("set-cookie")!.slice(7, 50)));
});

test("elsewhere it is bound to the host", async () => {
  const publicUrl = "https://qr.example.com";
  const server = await startServer({ env: { PUBLIC_URL: publicUrl, ADMIN_TOKEN: adminToken } });
  const page = new PageClient(server.url, { origin: publicUrl });
  const answer = await page.post("/session", { admin_token: adminToken }, 200);
  assert.match(
    answer.headers.get("set-cookie")!,
    /^__Host-qrelay=[\w-]{43}; Path=\/; .*; Secure; SameSite=Strict$/,
  );
  assert.equal((await page.get("/session", 200)).body.kind, "operator");
  const made = await invite(server, server.account.id, "a@example.com", "owner");
  assert.match(made.one_time_link, /^https:\/\/qr\.example\.com\/dashboard\/set-password#usr_/);
  const local = new PageClient(server.url);
  assertRefused(await local.post("/session", { admin_token: adminToken }), 403, "forbidden");
});

test("without TLS nobody signs in from elsewhere, and is told why", async () => {
  const publicUrl = "http://qr.example.com";
  const server = await startServer({ env: { PUBLIC_URL: publicUrl, ADMIN_TOKEN: adminToken } });
  const page = new PageClient(server.url, { origin: publicUrl });
  const answer = await page.post("/session", { admin_token: adminToken });
  assertRefused(answer, 403, "forbidden", /https, and on http:\/\/localhost/);
});

test("a session is over after its time", async () => {
  const page = await freshMember();
  clock.advance(sessionMs - 1);
  await page.get("/session", 200);
  clock.advance(1);
  assertRefused(await page.get("/session"), 401, "unauthorized");
  assertRefused(
    await page.post("/v1/qr-codes", { redirect_url: "https://example.com/" }),
    401,
    "unauthorized",
  );
  for (const client of [world.owner, world.operator])
    assertRefused(await client.get("/session"), 401, "unauthorized");
  await world.owner.post("/session", { email: "owner@example.com", password }, 200);
  await world.operator.post("/session", { admin_token: adminToken }, 200);
});

test("signing out ends the session, not only the cookie", async () => {
  const page = await freshMember();
  const kept = page.cookie;
  const answer = await page.delete("/session", 200);
  assert.match(answer.headers.get("set-cookie")!, /^qrelay=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/);
  page.cookie = kept;
  assertRefused(await page.get("/session"), 401, "unauthorized");
  await page.delete("/session", 200);
});

test("who signs in again leaves the session before", async () => {
  const page = await freshMember();
  const kept = page.cookie;
  await page.post("/session", signIn, 200);
  assert.notEqual(page.cookie, kept);
  page.cookie = kept;
  assertRefused(await page.get("/session"), 401, "unauthorized");
});

test("another password ends all sessions but the one that it comes with", async () => {
  const [page, other] = [await freshMember(), await freshMember()];
  const next = { current_password: password, password: "another horse, better battery" };
  assertRefused(await page.patch("/password", { ...next, current_password: "not this" }), 403, "forbidden");
  assertRefused(
    await page.patch("/password", { ...next, password: "short" }),
    400,
    "invalid_request",
    /^password must /,
  );
  const before = page.cookie;
  await page.patch("/password", next, 200);
  await page.get("/session", 200);
  assertRefused(await other.get("/session"), 401, "unauthorized");
  page.cookie = before;
  assertRefused(await page.get("/session"), 401, "unauthorized");
  assertRefused(await page.post("/session", signIn), 401, "unauthorized");
  await page.post("/session", { ...signIn, password: next.password }, 200);
  await page.patch("/password", { current_password: next.password, password }, 200);
});

test("whoever is removed is out at once, and the last owner cannot be", async () => {
  const made = (await world.owner.post("/users", { email: "leaving@example.com" }, 201)).body;
  assert.equal(made.role, "member");
  const page = new PageClient(world.server.url);
  await useLink(page, made);
  await page.get("/v1/projects", 200);
  const removed = (await world.owner.delete(`/users/${made.user_id}`, 200)).body;
  assert.equal(removed.email, "leaving@example.com");
  assertRefused(await page.get("/v1/projects"), 401, "unauthorized");
  assertRefused(await page.post("/session", { email: "leaving@example.com", password }), 401, "unauthorized");
  assertRefused(await world.owner.delete(`/users/${world.ownerId}`), 409, "last_owner");
  await world.owner.get("/session", 200);
});

test("a one-time link is good once, for a day, and until the next one is made", async () => {
  const made = (await world.owner.post("/users", { email: "new@example.com" }, 201)).body;
  const page = new PageClient(world.server.url);
  const over = async (token: string) => {
    assertRefused(await page.post("/one-time-link", { token }), 410, "one_time_link_over");
    assertRefused(await page.post("/password", { token, password }), 410, "one_time_link_over");
  };
  const second = (await world.owner.call("POST", `/users/${made.user_id}/reset`, { status: 200 })).body;
  await over(tokenOf(made));
  await over("nonsense");
  await over(tokenOf(second).replace("usr_", "usr_0"));
  const [one, two] = await Promise.all(
    [1, 2].map(() =>
      new PageClient(world.server.url).post("/password", { token: tokenOf(second), password }),
    ),
  );
  assert.deepEqual([one!.status, two!.status].sort(), [200, 410]);
  await over(tokenOf(second));
  const third = (await world.owner.call("POST", `/users/${made.user_id}/reset`, { status: 200 })).body;
  clock.advance(oneTimeLinkMs);
  await over(tokenOf(third));
  await world.owner.post("/session", { email: "owner@example.com", password }, 200);
  const { items } = (await world.owner.get("/users", 200)).body;
  assert.equal(items.find(({ email }: { email: string }) => email === "new@example.com").invited_until, null);
  await world.operator.post("/session", { admin_token: adminToken }, 200);
});

test("sessions outlive a restart", async () => {
  const page = await freshMember();
  await world.server.restart();
  await page.get("/session", 200);
  await world.operator.get("/session", 200);
});

test("a session has requests of its own, and takes none of a key's", async () => {
  const page = await freshMember();
  clock.advance(60_000);
  for (let n = 0; n < sessionLimits.burst; n++) await page.get("/session", 200);
  const refused = await page.get("/v1/projects");
  assertRefused(refused, 429, "rate_limited");
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.equal(refused.headers.get("ratelimit"), null);
  await world.owner.get("/session", 200);
  const { usage } = (await world.owner.get("/session", 200)).body.account;
  assert.equal(usage.requests_this_minute, 0);
  clock.advance(1_000);
  await page.get("/v1/projects", 200);
});
