import assert from "node:assert/strict";
import { test } from "node:test";
import { PageClient } from "../support/pages/page-client.ts";
import { startServer } from "../support/server.ts";

const server = await startServer();

test("from a one-time link to a first code: what people do on their first day", async () => {
  const users = `/admin/v1/accounts/${server.account.id}/users`;
  const made = (await server.admin.post(users, { email: " Ada@Example.com ", role: "owner" }, 201)).body;
  assert.equal(made.email, "ada@example.com");
  assert.equal(made.has_password, false);
  const token = new URL(made.one_time_link).hash.slice(1);

  const page = new PageClient(server.url);
  await page.get("/session", 401);
  const link = (await page.post("/one-time-link", { token }, 200)).body;
  assert.deepEqual([link.email, link.account_name], ["ada@example.com", "test"]);
  const me = (await page.post("/password", { token, password: "correct horse" }, 200)).body;
  assert.equal(me.kind, "user");
  assert.equal(me.user.role, "owner");
  assert.equal(me.account.account_id, server.account.id);
  await page.post("/password", { token, password: "correct horse" }, 410);

  const code = (await page.post("/v1/qr-codes", { redirect_url: "https://example.com/" }, 201)).body;
  const project = (await page.post("/v1/projects", { name: "Menus" }, 201)).body;
  assert.equal(project.created_via, "dashboard");
  assert.equal((await page.get("/session", 200)).body.account.usage.active_codes, 1);
  assert.equal((await page.get("/qr-codes", 200)).body.items[0].qr_id, code.qr_id);
  const rules = { redirect_rules: [{ condition: "country", value: "DE", url: "https://example.de/" }] };
  const visit = (await page.post(`/qr-codes/${code.qr_id}/visit`, { country: "de", ...rules }, 200)).body;
  assert.deepEqual([visit.outcome, visit.url, visit.rule], ["redirect", "https://example.de/", 0]);
  const wifi = { type: "wifi", content: { ssid: "Guests", security: "nopass" } };
  const made2 = (await page.post("/qr-codes", wifi, 201)).body;
  assert.deepEqual(
    [made2.type, made2.label, made2.qr_data],
    ["wifi", "Guests", { text: "WIFI:T:nopass;S:Guests;;" }],
  );
  await page.delete("/session", 200);
  await page.get("/session", 401);
  await page.post("/session", { email: "ada@example.com", password: "correct horse" }, 200);
  assert.equal((await page.get("/users", 200)).body.items.length, 1);
  assert.equal((await page.get("/keys", 200)).body.items.length, 1);
});
