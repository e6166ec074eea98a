import assert from "node:assert/strict";
import test from "node:test";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { assertRefused, Client } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const clock = new ManualClock();
const server = await startServer({ clock });
const { admin } = server;

const accounts = "/admin/v1/accounts";
const nobody = `${accounts}/acc_nobody`;
const read = async (id: string) => (await admin.get(`${accounts}/${id}`, 200)).body;
const newKey = async (id: string, body: object = {}) =>
  (await admin.post(`${accounts}/${id}/keys`, body, 201)).body;
const withKey = (key: string) => new Client(server.url, { "x-api-key": key });

test("every call needs the admin token", async () => {
  const calls = [
    ["POST", accounts],
    ["GET", accounts],
    ["GET", nobody],
    ["PATCH", nobody],
    ["POST", `${nobody}/keys`],
    ["GET", `${nobody}/keys`],
    ["DELETE", `${nobody}/keys/key_x`],
    ["GET", `${nobody}/projects`],
    ["PATCH", `${nobody}/projects/prj_x`],
    ["POST", "/admin/v1/safety/rescan"],
    ["GET", "/admin/v1/cluster"],
  ] as const;
  const without = new Client(server.url);
  for (const [method, path] of calls) {
    assertRefused(await without.call(method, path), 401, "unauthorized", /admin token/);
  }
});

test("a wrong token, an API key and another scheme are refused", async () => {
  for (const authorization of ["Bearer wrong", "Bearer ", `Bearer ${server.key}`, "Basic YTpi", "wrong"]) {
    const answer = await new Client(server.url, { authorization }).get(accounts);
    assertRefused(answer, 401, "unauthorized", /admin token/);
  }
  const asApiKey = await new Client(server.url, { "x-api-key": server.key }).get(accounts);
  assertRefused(asApiKey, 401, "unauthorized");
  assertRefused(await admin.get("/v1/projects"), 401, "unauthorized");
});

test("a new account has the free plan, UTC, its default project and nothing used", async () => {
  const { body } = await admin.post(accounts, { name: "Acme" }, 201);
  const { request_id: _, account_id, default_project_id, created_at, ...fields } = body;
  const limits = {
    qr_cap: 10,
    per_minute: 30,
    per_day: 1_000,
    burst: 5,
    keys: 10,
    projects: 1_000,
    analytics_days: 30,
  };
  assert.deepEqual(fields, {
    ok: true,
    version: "2025-11-14-v1",
    name: "Acme",
    plan: "free",
    plan_configured: true,
    timezone: "UTC",
    api_access: true,
    limits,
    limit_overrides: {},
    usage: { active_codes: 0, qr_cap: 10, projects: 1, requests_this_minute: 0, requests_this_day: 0 },
    updated_at: created_at,
  });
  assert.deepEqual(await without(await read(account_id)), without(body));
  const { items } = (await admin.get(`${accounts}/${account_id}/projects`, 200)).body;
  assert.equal(items.length, 1);
  const { project_id, is_default, is_archived, created_via } = items[0];
  assert.deepEqual(
    { project_id, is_default, is_archived, created_via },
    { project_id: default_project_id, is_default: true, is_archived: false, created_via: null },
  );
});

test("an account may be made with a plan and a time zone", async () => {
  const body = { name: "Berlin", plan: "agency", timezone: "Europe/Berlin" };
  const { name, plan, timezone } = (await admin.post(accounts, body, 201)).body;
  assert.deepEqual({ name, plan, timezone }, body);
});

test("bad values are refused by name, on create and on change, and change nothing", async () => {
  const { id } = await server.newAccount();
  const before = await read(id);
  const wrong = {
    name: ["", "x".repeat(201), 1, null],
    plan: ["gold", "", 1, "toString"],
    timezone: ["Mars/Olympus", "+01:00", "", 1],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const named = new RegExp(`^${field} `);
      assertRefused(await admin.post(accounts, { name: "A", [field]: value }), 400, "invalid_request", named);
      const changed = await admin.patch(`${accounts}/${id}`, { name: "A", [field]: value });
      assertRefused(changed, 400, "invalid_request", named);
    }
  }
  for (const [body, place] of [
    [{ api_access: "no" }, "api_access"],
    [{ limits: null }, "limits"],
    [{ limits: 5 }, "limits"],
    [{ limits: { qr_cap: -1 } }, "limits.qr_cap"],
    [{ limits: { per_minute: 1.5 } }, "limits.per_minute"],
    [{ limits: { per_day: "many" } }, "limits.per_day"],
    [{ limits: { burst: true } }, "limits.burst"],
    [{ limits: { keys: 1e30 } }, "limits.keys"],
    [{ limits: { qr_capp: 5 } }, "limits.qr_capp"],
    [{ limits: { qr_cap: 5, perMinute: 5 } }, "limits.perMinute"],
  ] as const) {
    const answer = await admin.patch(`${accounts}/${id}`, body);
    assertRefused(answer, 400, "invalid_request");
    assert.ok(answer.body.message.startsWith(`${place} `), answer.body.message);
  }
  assertRefused(await admin.post(accounts, {}), 400, "invalid_request", /^name is required/);
  assert.deepEqual(without(await read(id)), without(before));
});

test("bodies that are no JSON objects are invalid_payload", async () => {
  for (const raw of ["", "{", "[]", "null"]) {
    assertRefused(await admin.call("POST", accounts, { raw }), 400, "invalid_payload");
    assertRefused(await admin.call("PATCH", nobody, { raw }), 400, "invalid_payload");
  }
});

test("an account that is not there is account_not_found on every call", async () => {
  for (const answer of [
    await admin.get(nobody),
    await admin.patch(nobody, { name: "A" }),
    await admin.post(`${nobody}/keys`, {}),
    await admin.get(`${nobody}/keys`),
    await admin.delete(`${nobody}/keys/key_x`),
    await admin.get(`${nobody}/projects`),
    await admin.patch(`${nobody}/projects/prj_x`, { archived: true }),
  ]) {
    assertRefused(answer, 404, "account_not_found");
  }
});

test("every field of an account can be changed alone", async () => {
  const { id } = await server.newAccount();
  for (const change of [
    { name: "Renamed" },
    { plan: "starter" },
    { timezone: "Asia/Tokyo" },
    { api_access: false },
  ]) {
    clock.advance(1_000);
    const before = await read(id);
    const { body } = await admin.patch(`${accounts}/${id}`, change, 200);
    assert.ok(body.updated_at > before.updated_at);
    const [field, value] = Object.entries(change)[0]!;
    assert.equal(body[field], value);
    assert.equal(body.created_at, before.created_at);
    assert.deepEqual(without(await read(id)), without(body));
  }
});

test("limits of its own stand in place of the plan's, one by one, until null gives the plan's back", async () => {
  const { id } = await server.newAccount({ plan: "pro" });
  const set = async (limits: object) => {
    const { body } = await admin.patch(`${accounts}/${id}`, { limits }, 200);
    assert.equal(body.usage.qr_cap, body.limits.qr_cap);
    return { limits: body.limits, own: body.limit_overrides };
  };
  const plan = {
    qr_cap: 1_000,
    per_minute: 300,
    per_day: 100_000,
    burst: 50,
    keys: 10,
    projects: 1_000,
    analytics_days: 365,
  };
  assert.deepEqual(await set({ qr_cap: 7 }), { limits: { ...plan, qr_cap: 7 }, own: { qr_cap: 7 } });
  const three = { qr_cap: 7, keys: 2, burst: 0 };
  assert.deepEqual(await set({ keys: 2, burst: 0 }), { limits: { ...plan, ...three }, own: three });
  assert.deepEqual(await set({ qr_cap: null, burst: null }), {
    limits: { ...plan, keys: 2 },
    own: { keys: 2 },
  });
  assert.deepEqual(await set({ keys: null }), { limits: plan, own: {} });
});

test("own limits are in force with the next request and survive a restart", async () => {
  const { id, api } = await server.newAccount({ limits: { per_minute: 3 } });
  for (let request = 0; request < 3; request++) await api.get("/v1/projects", 200);
  assertRefused(await api.get("/v1/projects"), 429, "rate_limit_minute");
  await admin.patch(`${accounts}/${id}`, { limits: { per_minute: 4 } }, 200);
  await api.get("/v1/projects", 200);
  await server.restart();
  assertRefused(await api.get("/v1/projects"), 429, "rate_limit_minute");
});

test("API access is off and on with the next request", async () => {
  const { id, api } = await server.newAccount();
  await api.get("/v1/projects", 200);
  await admin.patch(`${accounts}/${id}`, { api_access: false }, 200);
  assertRefused(await api.get("/v1/projects"), 403, "api_access_disabled");
  await admin.patch(`${accounts}/${id}`, { api_access: true }, 200);
  await api.get("/v1/projects", 200);
});

test("a key is shown once and works at once", async () => {
  const { id } = await server.newAccount();
  const { key, key_id, last4, name, created_at, revoked_at } = await newKey(id, { name: "till" });
  assert.match(key, /^api_live_[0-9A-Za-z]{32}$/);
  assert.deepEqual([last4, name, revoked_at], [key.slice(-4), "till", null]);
  await withKey(key).get("/v1/projects", 200);
  const answer = await admin.get(`${accounts}/${id}/keys`, 200);
  assert.ok(!answer.text.includes(key));
  const record = answer.body.items.find((item: { key_id: string }) => item.key_id === key_id);
  assert.deepEqual(record, {
    key_id,
    name: "till",
    last4,
    created_at,
    last_used_at: new Date(clock.now()).toISOString(),
    revoked_at: null,
  });
});

test("a key needs no body, and its name is checked", async () => {
  const { id } = await server.newAccount();
  const answer = await admin.call("POST", `${accounts}/${id}/keys`, { status: 201 });
  assert.equal(answer.body.name, "");
  for (const name of ["", 1, "x".repeat(201)]) {
    assertRefused(await admin.post(`${accounts}/${id}/keys`, { name }), 400, "invalid_request", /^name /);
  }
});

test("ten keys may live at a time; revoking one makes room", async () => {
  const { id } = await server.newAccount();
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => admin.post(`${accounts}/${id}/keys`, {})),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 9);
  for (const answer of answers) {
    if (answer.status !== 201) assertRefused(answer, 402, "quota_exceeded_keys", /\b10\b/);
  }
  const { items } = (await admin.get(`${accounts}/${id}/keys`, 200)).body;
  assert.equal(items.length, 10);
  await admin.delete(`${accounts}/${id}/keys/${items[0].key_id}`, 200);
  await newKey(id);
  assertRefused(await admin.post(`${accounts}/${id}/keys`, {}), 402, "quota_exceeded_keys");
  await admin.patch(`${accounts}/${id}`, { limits: { keys: 11 } }, 200);
  await newKey(id);
});

test("a revoked key is refused by the next request, for good, and the other keys go on", async () => {
  const { id, api } = await server.newAccount();
  const { key, key_id } = await newKey(id);
  const revocable = withKey(key);
  await revocable.get("/v1/projects", 200);
  const path = `${accounts}/${id}/keys/${key_id}`;
  const revoked = (await admin.delete(path, 200)).body;
  assert.equal(revoked.revoked_at, new Date(clock.now()).toISOString());
  assertRefused(await revocable.get("/v1/projects"), 401, "unauthorized");
  await api.get("/v1/projects", 200);

  clock.advance(5_000);
  assert.equal((await admin.delete(path, 200)).body.revoked_at, revoked.revoked_at, "the first time counts");
  await server.restart();
  assertRefused(await revocable.get("/v1/projects"), 401, "unauthorized");
  const { items } = (await admin.get(`${accounts}/${id}/keys`, 200)).body;
  assert.equal(
    items.find((item: { key_id: string }) => item.key_id === key_id).revoked_at,
    revoked.revoked_at,
  );
});

test("a key is revoked at once under load: nothing asked after the answer passes", async () => {
  const { id } = await server.newAccount();
  const { key, key_id } = await newKey(id);
  const client = withKey(key);
  let revoked = false;
  const asked = async () => {
    const startedAfter = revoked;
    return { startedAfter, status: (await client.get("/v1/projects")).status };
  };
  const early = Array.from({ length: 50 }, asked);
  await admin.delete(`${accounts}/${id}/keys/${key_id}`, 200);
  revoked = true;
  const all = await Promise.all([...early, ...Array.from({ length: 50 }, asked)]);
  for (const { startedAfter, status } of all) {
    if (startedAfter) assert.equal(status, 401);
    else assert.ok(status === 200 || status === 401);
  }
});

test("a key of another account, or none, is key_not_found", async () => {
  const [one, other] = [await server.newAccount(), await server.newAccount()];
  const { key, key_id } = await newKey(other.id);
  for (const id of [key_id, "key_nothing"]) {
    assertRefused(await admin.delete(`${accounts}/${one.id}/keys/${id}`), 404, "key_not_found");
  }
  await withKey(key).get("/v1/projects", 200);
});

test("usage: active codes, and the requests of all keys in this minute and this day", async () => {
  clock.set(Math.ceil(clock.now() / 86_400_000) * 86_400_000 + 3_600_000);
  const { id, api } = await server.newAccount({ limits: { qr_cap: 5 } });
  const second = withKey((await newKey(id)).key);
  await api.createCode();
  const { qr_id } = await api.createCode();
  await second.patch(`/v1/qr-codes/${qr_id}`, { status: "archived" }, 200);
  await second.get("/v1/nothing-here", 404);
  assertRefused(await second.get("/v1/qr-codes/qr_nothing"), 404, "qr_not_found");
  const usage = { active_codes: 1, qr_cap: 5, projects: 1, requests_this_minute: 4, requests_this_day: 4 };
  assert.deepEqual((await read(id)).usage, usage);
  await server.restart();
  assert.deepEqual((await read(id)).usage, usage);
  clock.advance(60_000);
  assert.deepEqual((await read(id)).usage, { ...usage, requests_this_minute: 0 });
  await api.get("/v1/projects", 200);
  assert.deepEqual((await read(id)).usage, { ...usage, requests_this_minute: 1, requests_this_day: 5 });
  clock.advance(86_400_000);
  assert.deepEqual((await read(id)).usage, { ...usage, requests_this_minute: 0, requests_this_day: 0 });
});

test("accounts are listed newest first, page by page, none twice and none missing", async () => {
  for (let made = 0; made < 5; made++) {
    clock.advance(1);
    await admin.post(accounts, { name: `Listed ${made}` }, 201);
  }
  const ids: string[] = [];
  for (let token: string | null = ""; token !== null; ) {
    const query: string = token === "" ? "" : `&page_token=${token}`;
    const { body } = await admin.get(`${accounts}?page_size=3${query}`, 200);
    assert.ok(body.items.length <= 3);
    ids.push(...body.items.map((item: { account_id: string }) => item.account_id));
    token = body.next_page_token;
  }
  const all = (await admin.get(`${accounts}?page_size=100`, 200)).body;
  assert.equal(all.next_page_token, null);
  assert.deepEqual(
    ids,
    all.items.map((item: { account_id: string }) => item.account_id),
  );
  assert.deepEqual(
    all.items.slice(0, 5).map((item: { name: string }) => item.name),
    ["Listed 4", "Listed 3", "Listed 2", "Listed 1", "Listed 0"],
  );
  const first = async (query: string) => (await admin.get(`${accounts}?${query}`, 200)).body.items;
  assert.equal((await first("page_token=nonsense&page_size=1"))[0].account_id, ids[0]);
  assert.equal((await first("page_size=many")).length, Math.min(20, ids.length));
  assert.deepEqual((await first("page_size=1"))[0], all.items[0]);
});

test("wrong methods are 405 with what is allowed", async () => {
  const answer = await admin.delete(accounts);
  assertRefused(answer, 405, "method_not_allowed");
  assert.deepEqual(answer.headers.get("allow")!.split(", ").sort(), ["GET", "HEAD", "POST"]);
  assertRefused(await admin.get("/admin/v1/nothing"), 404, "not_found");
});

test("a re-scan answers what it looked at", async () => {
  const { body } = await admin.call("POST", "/admin/v1/safety/rescan", { status: 200 });
  assert.equal(body.blocked, 0);
  assert.ok(body.checked >= 1);
});

function without({ request_id: _, ...fields }: Record<string, unknown>): object {
  return fields;
}
