import assert from "node:assert/strict";
import test from "node:test";
import { assertRefused } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { admin } = server;

const url = "https://example.com/";
/** The plans differ in their rates too; these tests are about the rest. */
const roomy = { burst: 10_000, per_minute: 100_000, per_day: 1_000_000 };
const onPlan = (plan: string) => server.newAccount({ plan, limits: roomy });

const advanced = {
  redirect_rules: [{ condition: "device", value: "ios", url: "https://example.com/ios" }],
  expires_at: "2040-01-01T00:00:00.000Z",
  scan_limit: 10,
};
const cleared = { redirect_rules: null, expires_at: null, scan_limit: null };

test("the built-in plans have the documented limits", async () => {
  const { id } = await server.newAccount();
  for (const [plan, qr_cap, per_minute, per_day, burst, analytics_days] of [
    ["viewer", 0, 30, 1_000, 5, 30],
    ["free", 10, 30, 1_000, 5, 30],
    ["starter", 100, 60, 10_000, 10, 90],
    ["pro", 1_000, 300, 100_000, 50, 365],
    ["agency", 50_000, 1_200, 1_000_000, 200, 1_830],
    ["enterprise", 5_000_000, 60_000, 50_000_000, 2_000, 1_830],
  ]) {
    const { body } = await admin.patch(`/admin/v1/accounts/${id}`, { plan }, 200);
    const limits = { qr_cap, per_minute, per_day, burst, keys: 10, projects: 1_000, analytics_days };
    assert.deepEqual(body.limits, limits);
  }
});

test("a viewer reads and creates projects, but no codes, however large the cap", async () => {
  const { api, id } = await onPlan("viewer");
  const creating = /creating QR codes\. Plans that do: free, starter, pro, agency, enterprise\.$/;
  assertRefused(await api.post("/v1/qr-codes", { redirect_url: url }), 403, "feature_disabled", creating);
  await admin.patch(`/admin/v1/accounts/${id}`, { limits: { ...roomy, qr_cap: 5 } }, 200);
  assertRefused(await api.post("/v1/qr-codes", { redirect_url: url }), 403, "feature_disabled");
  await api.get("/v1/qr-codes", 200);
  await api.get("/v1/projects", 200);
  assertRefused(await api.post("/v1/qr-codes", { redirect_url: 1 }), 400, "invalid_request");
});

for (const plan of ["free", "starter", "pro"]) {
  test(`${plan}: rules, expiry and limit cannot be set, neither on create nor later`, async () => {
    const { api } = await onPlan(plan);
    const code = await api.createCode();
    for (const [field, value] of Object.entries(advanced)) {
      const named = new RegExp(field);
      const created = await api.post("/v1/qr-codes", { redirect_url: url, [field]: value });
      assertRefused(created, 403, "feature_disabled", named);
      const changed = await api.patch(`/v1/qr-codes/${code.qr_id}`, { label: "not taken", [field]: value });
      assertRefused(changed, 403, "feature_disabled", named);
    }
    const { request_id: _, updated_at, ...read } = (await api.get(`/v1/qr-codes/${code.qr_id}`, 200)).body;
    assert.deepEqual([read.label, updated_at], [code.label, code.updated_at]);
  });
}

for (const plan of ["agency", "enterprise"]) {
  test(`${plan}: rules, expiry and limit can be set`, async () => {
    const { api } = await onPlan(plan);
    const { qr_id } = await api.createCode(advanced);
    const { redirect_rules, expires_at, scan_limit } = (await api.get(`/v1/qr-codes/${qr_id}`, 200)).body;
    assert.deepEqual({ redirect_rules, expires_at, scan_limit }, advanced);
    assert.equal((await api.patch(`/v1/qr-codes/${qr_id}`, { scan_limit: 11 }, 200)).body.scan_limit, 11);
  });
}

test("clearing is allowed on every plan, and a downgrade keeps what is set", async () => {
  const { api, id } = await onPlan("agency");
  const { qr_id, slug } = await api.createRendered({ ...advanced, scan_limit: 1 });
  await admin.patch(`/admin/v1/accounts/${id}`, { plan: "free" }, 200);
  const { body: kept } = await api.get(`/v1/qr-codes/${qr_id}`, 200);
  assert.deepEqual([kept.scan_limit, kept.expires_at], [1, advanced.expires_at]);
  await api.get(`/${slug}`, 302);
  assertRefused(await api.get(`/${slug}`), 410, "qr_scan_limit_reached");

  const { body } = await api.patch(`/v1/qr-codes/${qr_id}`, cleared, 200);
  assert.deepEqual([body.redirect_rules, body.expires_at, body.scan_limit], [[], null, null]);
  await api.patch(`/v1/qr-codes/${qr_id}`, { redirect_rules: [] }, 200);
  await api.createCode(cleared);
  await api.createCode({ redirect_rules: [] });
});

test("a malformed value is a 400 before the plan is asked", async () => {
  const { api } = await onPlan("free");
  assertRefused(await api.post("/v1/qr-codes", { redirect_url: url, scan_limit: 0 }), 400, "invalid_request");
  const rules = [{ condition: "device", value: "tv", url }];
  assertRefused(
    await api.post("/v1/qr-codes", { redirect_url: url, redirect_rules: rules }),
    400,
    "invalid_request",
  );
});

test("the plan is asked before the project, the quota and the URL", async () => {
  const { api } = await server.newAccount({ plan: "free", limits: { ...roomy, qr_cap: 0 } });
  const body = { redirect_url: "http://127.0.0.1/", project_id: "prj_nothing", scan_limit: 1 };
  assertRefused(await api.post("/v1/qr-codes", body), 403, "feature_disabled");
});

test("a change of plan counts from the next request", async () => {
  const { api, id } = await onPlan("free");
  const body = { redirect_url: url, scan_limit: 3 };
  assertRefused(await api.post("/v1/qr-codes", body), 403, "feature_disabled");
  await admin.patch(`/admin/v1/accounts/${id}`, { plan: "agency" }, 200);
  await api.post("/v1/qr-codes", body, 201);
  await admin.patch(`/admin/v1/accounts/${id}`, { plan: "viewer" }, 200);
  assertRefused(await api.post("/v1/qr-codes", { redirect_url: url }), 403, "feature_disabled");
});
