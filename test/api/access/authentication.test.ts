import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertRefused, Client } from "../../support/client.ts";
import { startServer, type TestAccount } from "../../support/server.ts";

const server = await startServer();

const withKey = (key: string) => new Client(server.url, { "x-api-key": key });
const unsafeUrl = "http://127.0.0.1/";
const plainUrl = "https://example.com/";

async function newKey(accountId: string): Promise<{ key: string; key_id: string }> {
  return (await server.admin.post(`/admin/v1/accounts/${accountId}/keys`, {}, 201)).body;
}

async function archivedProject(account: TestAccount): Promise<string> {
  const { body } = await account.api.post("/v1/projects", { name: "old" }, 201);
  const path = `/admin/v1/accounts/${account.id}/projects/${body.project_id}`;
  await server.admin.patch(path, { archived: true }, 200);
  return body.project_id;
}

test("every endpoint refuses a request without a key", async () => {
  const nobody = new Client(server.url);
  const calls = [
    nobody.get("/v1/projects"),
    nobody.post("/v1/projects", { name: "x" }),
    nobody.get("/v1/qr-codes"),
    nobody.post("/v1/qr-codes", { redirect_url: plainUrl }),
    nobody.get("/v1/qr-codes/find?slug=qr-abc"),
    nobody.get("/v1/qr-codes/by-slug?slug=qr-abc"),
    nobody.get("/v1/qr-codes/qr_1"),
    nobody.patch("/v1/qr-codes/qr_1", { label: "x" }),
  ];
  for (const answer of await Promise.all(calls)) assertRefused(answer, 401, "unauthorized");
});

test("a malformed or unknown key is refused, whatever it looks like", async () => {
  const { key } = server;
  const wrong = [
    "",
    "x",
    "api_live_",
    `api_live_${"a".repeat(32)}`,
    key.slice(0, -1),
    `${key}a`,
    key.toUpperCase(),
    key.replace("api_live_", "api_test_"),
    `Bearer ${key}`,
    `api_live_${"é".repeat(32)}`,
  ];
  for (const text of wrong) {
    assertRefused(await withKey(text).get("/v1/projects"), 401, "unauthorized");
  }
});

test("the key counts in its own header only", async () => {
  const { key, url } = server;
  const elsewhere: Record<string, string>[] = [
    { authorization: `Bearer ${key}` },
    { authorization: key },
    { "api-key": key },
    { cookie: `x-api-key=${key}` },
  ];
  for (const headers of elsewhere) {
    assertRefused(await new Client(url, headers).get("/v1/projects"), 401, "unauthorized");
  }
  assertRefused(await new Client(url).get(`/v1/projects?x-api-key=${key}`), 401, "unauthorized");
});

test("the admin token is no API key, and an API key is no admin token", async () => {
  const token = (await readFile(join(server.dataDir, "admin-token"), "utf8")).trim();
  await new Client(server.url, { authorization: `Bearer ${token}` }).get("/admin/v1/accounts", 200);
  assertRefused(await withKey(token).get("/v1/projects"), 401, "unauthorized");
  for (const authorization of [`Bearer ${server.key}`, "Bearer ", "Bearer", ""]) {
    const answer = await new Client(server.url, { authorization }).get("/admin/v1/accounts");
    assertRefused(answer, 401, "unauthorized");
  }
});

test("a revoked key is refused at once and for good; the account's other keys go on", async () => {
  const account = await server.newAccount();
  const { key, key_id } = await newKey(account.id);
  await withKey(key).get("/v1/projects", 200);
  await server.admin.delete(`/admin/v1/accounts/${account.id}/keys/${key_id}`, 200);
  assertRefused(await withKey(key).get("/v1/projects"), 401, "unauthorized");
  await account.api.get("/v1/projects", 200);
  await server.restart();
  assertRefused(await withKey(key).get("/v1/projects"), 401, "unauthorized");
  await account.api.get("/v1/projects", 200);
});

test("an account without API access is refused until access is enabled again", async () => {
  const account = await server.newAccount();
  const path = `/admin/v1/accounts/${account.id}`;
  await server.admin.patch(path, { api_access: false }, 200);
  assertRefused(await account.api.get("/v1/projects"), 403, "api_access_disabled");
  assertRefused(
    await account.api.post("/v1/qr-codes", { redirect_url: plainUrl }),
    403,
    "api_access_disabled",
  );
  await server.admin.patch(path, { api_access: true }, 200);
  await account.api.get("/v1/projects", 200);
});

test("what belongs to another account does not exist", async () => {
  const owner = await server.newAccount();
  const other = await server.newAccount();
  const code = await owner.api.createRendered();
  const id = code.qr_id;
  assertRefused(await other.api.get(`/v1/qr-codes/${id}`), 404, "qr_not_found");
  assertRefused(await other.api.get(`/v1/qr-codes/find?slug=${code.slug}`), 404, "qr_not_found");
  assertRefused(await other.api.get(`/v1/qr-codes/by-slug?slug=${code.slug}`), 404, "qr_not_found");
  assertRefused(await other.api.patch(`/v1/qr-codes/${id}`, { label: "mine" }), 404, "qr_not_found");
  assertRefused(await other.api.get(`/v1/qr-codes?project_id=${owner.projectId}`), 404, "project_not_found");
  const intoForeign = { redirect_url: plainUrl, project_id: owner.projectId };
  assertRefused(await other.api.post("/v1/qr-codes", intoForeign), 404, "project_not_found");
  assert.deepEqual((await other.api.get("/v1/qr-codes", 200)).body.items, []);
  const { items } = (await other.api.get("/v1/projects", 200)).body;
  assert.deepEqual(
    items.map((project: { project_id: string }) => project.project_id),
    [other.projectId],
  );
  assert.equal((await owner.api.get(`/v1/qr-codes/${id}`, 200)).body.label, code.label);
});

describe("when two checks would fail, the earlier one answers", () => {
  test("key before API access", async () => {
    const account = await server.newAccount({ api_access: false });
    const { key, key_id } = await newKey(account.id);
    await server.admin.delete(`/admin/v1/accounts/${account.id}/keys/${key_id}`, 200);
    assertRefused(await withKey(key).get("/v1/projects"), 401, "unauthorized");
  });

  test("API access before rate limits", async () => {
    const account = await server.newAccount({ api_access: false, limits: { per_minute: 0 } });
    assertRefused(await account.api.get("/v1/projects"), 403, "api_access_disabled");
  });

  test("rate limits before the body", async () => {
    const account = await server.newAccount({ limits: { per_minute: 0 } });
    const answer = await account.api.call("POST", "/v1/qr-codes", { raw: "{" });
    assertRefused(answer, 429, "rate_limit_minute");
  });

  test("the body before the plan", async () => {
    const account = await server.newAccount({ plan: "viewer" });
    assertRefused(await account.api.call("POST", "/v1/qr-codes", { raw: "{" }), 400, "invalid_payload");
    assertRefused(await account.api.post("/v1/qr-codes", {}), 400, "invalid_request", /redirect_url/);
  });

  test("the plan before the project", async () => {
    const viewer = await server.newAccount({ plan: "viewer" });
    const nowhere = { redirect_url: plainUrl, project_id: "prj_none" };
    assertRefused(await viewer.api.post("/v1/qr-codes", nowhere), 403, "feature_disabled");
    const free = await server.newAccount({ plan: "free" });
    const limited = { ...nowhere, scan_limit: 5 };
    assertRefused(await free.api.post("/v1/qr-codes", limited), 403, "feature_disabled", /scan_limit/);
  });

  test("the project before the quota", async () => {
    const account = await server.newAccount({ limits: { qr_cap: 0 } });
    const unknown = { redirect_url: plainUrl, project_id: "prj_none" };
    assertRefused(await account.api.post("/v1/qr-codes", unknown), 404, "project_not_found");
    const archived = { redirect_url: plainUrl, project_id: await archivedProject(account) };
    assertRefused(await account.api.post("/v1/qr-codes", archived), 403, "project_forbidden");
  });

  test("the quota before URL safety", async () => {
    const account = await server.newAccount({ limits: { qr_cap: 0 } });
    const unsafe = { redirect_url: unsafeUrl };
    assertRefused(await account.api.post("/v1/qr-codes", unsafe), 402, "quota_exceeded_qr");
  });

  test("URL safety comes last, and a refused create leaves nothing behind", async () => {
    const account = await server.newAccount({ limits: { qr_cap: 1 } });
    assertRefused(await account.api.post("/v1/qr-codes", { redirect_url: unsafeUrl }), 422, "unsafe_url");
    const { body } = await server.admin.get(`/admin/v1/accounts/${account.id}`, 200);
    assert.equal(body.usage.active_codes, 0);
    assert.equal(body.usage.requests_this_minute, 1);
    await account.api.createCode();
  });
});
