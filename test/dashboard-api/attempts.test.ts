/** Guessing at passwords: how often it may be tried, and what the answers tell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressAttempts, userAttempts } from "../../src/limits.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { assertRefused } from "../support/client.ts";
import { PageClient } from "../support/pages/page-client.ts";
import { adminToken, makePeople, password } from "../support/pages/people-world.ts";

const clock = new ManualClock();
const world = await makePeople({ clock, env: { TRUSTED_PROXIES: "127.0.0.1" } });

const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const page = () => new PageClient(world.server.url);
const attempt = (email: string, tried: string, address: string) =>
  page().call("POST", "/session", { json: { email, password: tried }, ...from(address) });

test("an address that nobody has is answered like a wrong password", async () => {
  const told = async (email: string) => {
    const { status, headers, body } = await attempt(email, "not the password", "203.0.113.1");
    const { request_id: _, ...fields } = body;
    return { status, fields, cookie: headers.get("set-cookie") };
  };
  assert.deepEqual(await told("owner@example.com"), await told("nobody@example.com"));
});

test("an address has so many wrong attempts a minute; who is right uses up none", async () => {
  const address = "203.0.113.2";
  for (let n = 0; n < 3; n++)
    assert.equal((await attempt("owner@example.com", password, address)).status, 200);
  for (let n = 0; n < addressAttempts.max; n++) {
    assertRefused(await attempt(`nobody${n}@example.com`, "wrong", address), 401, "unauthorized");
  }
  const refused = await attempt("member@example.com", password, address);
  assertRefused(refused, 429, "rate_limited");
  assert.equal(Number(refused.headers.get("retry-after")), addressAttempts.ms / 1000);
  assert.equal((await attempt("member@example.com", password, "203.0.113.3")).status, 200);
  clock.advance(addressAttempts.ms);
  assert.equal((await attempt("member@example.com", password, address)).status, 200);
});

test("a user has so many attempts, from wherever they come, and a session goes on meanwhile", async () => {
  clock.advance(userAttempts.ms);
  const session = page();
  await session.post("/session", { email: "member@example.com", password }, 200);
  const tries = Array.from({ length: userAttempts.max - 1 }, (_, n) =>
    attempt("Member@example.com ", "wrong", `198.51.100.${n}`),
  );
  for (const answer of await Promise.all(tries)) assertRefused(answer, 401, "unauthorized");
  assertRefused(await attempt("member@example.com", password, "192.0.2.1"), 429, "rate_limited");
  const change = { current_password: password, password: "another horse" };
  assertRefused(await session.patch("/password", change), 429, "rate_limited");
  await session.get("/session", 200);
  assert.equal((await attempt("owner@example.com", password, "192.0.2.2")).status, 200);
  clock.advance(userAttempts.ms);
  assert.equal((await attempt("member@example.com", password, "192.0.2.1")).status, 200);
});

test("wrong admin tokens are counted where they always were, and the right one passes", async () => {
  const operator = (admin_token: string) =>
    page().call("POST", "/session", { json: { admin_token }, ...from("203.0.113.9") });
  for (let n = 0; n < 10; n++)
    assertRefused(await operator("wrong-admin-token-of-any-kind"), 401, "unauthorized");
  assertRefused(await operator("wrong-admin-token-of-any-kind"), 429, "rate_limited");
  assert.equal((await operator(adminToken)).status, 200);
});

test("what is missing is named", async () => {
  for (const [json, field] of [
    [{}, "email"],
    [{ email: "owner@example.com" }, "password"],
    [{ email: 7, password }, "email"],
  ] as const) {
    assertRefused(await page().post("/session", json), 400, "invalid_request", new RegExp(`^${field} `));
  }
});
