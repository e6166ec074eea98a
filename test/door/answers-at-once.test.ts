/** What an operator changes acts with the next request, in the middle of a load. */
import assert from "node:assert/strict";
import test from "node:test";
import { type Answer, Client } from "../support/client.ts";
import { startServer } from "../support/server.ts";

const server = await startServer();
const { admin } = server;

const senders = 8;
const requestsMax = 600;

/**
 * Keeps sending while the change is made. Answers to requests that were sent before it was asked for and after it was
 * answered must each be the ones given; those in between may be either.
 */
async function duringLoad(
  send: () => Promise<Answer>,
  change: () => Promise<unknown>,
  expected: { before: string; after: string },
): Promise<void> {
  const seen = { before: 0, between: 0, after: 0 };
  let phase: keyof typeof seen = "before";
  let changed: Promise<void> | null = null;
  let sent = 0;
  const makeChange = async () => {
    phase = "between";
    await change();
    phase = "after";
  };
  const sender = async () => {
    while (seen.after < 100 && sent++ < requestsMax) {
      const sentIn = phase;
      const { status, body } = await send();
      const got = status < 400 ? String(status) : `${status} ${body.code}`;
      const allowed = sentIn === phase && sentIn !== "between" ? [expected[sentIn]] : Object.values(expected);
      assert.ok(allowed.includes(got), `sent ${sentIn}, answered ${phase}: ${got}`);
      seen[sentIn]++;
      if (seen.before >= 100) changed ??= makeChange();
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  await changed;
  assert.ok(seen.before >= 100 && seen.after >= 100, JSON.stringify(seen));
}

test("a revoked key is refused by the next request", async () => {
  const { id, key, api } = await server.newAccount();
  const { items } = (await admin.get(`/admin/v1/accounts/${id}/keys`, 200)).body;
  const other = (await admin.post(`/admin/v1/accounts/${id}/keys`, {}, 201)).body.key;
  assert.equal(items[0].last4, key.slice(-4));
  await duringLoad(
    () => api.get("/v1/projects"),
    () => admin.delete(`/admin/v1/accounts/${id}/keys/${items[0].key_id}`, 200),
    { before: "200", after: "401 unauthorized" },
  );
  await new Client(server.url, { "x-api-key": other }).get("/v1/projects", 200);
});

test("API access that is taken away counts from the next request, and again when it comes back", async () => {
  const { id, api } = await server.newAccount();
  const access = (api_access: boolean) => () => admin.patch(`/admin/v1/accounts/${id}`, { api_access }, 200);
  const [on, off] = ["200", "403 api_access_disabled"];
  await duringLoad(() => api.get("/v1/projects"), access(false), { before: on, after: off });
  await duringLoad(() => api.get("/v1/projects"), access(true), { before: off, after: on });
});

test("a changed plan counts from the next request", async () => {
  const { id, api } = await server.newAccount({
    limits: { burst: 2_000, per_minute: 60_000, per_day: 60_000 },
  });
  const { qr_id } = await api.createCode();
  const plan = (name: string) => () => admin.patch(`/admin/v1/accounts/${id}`, { plan: name }, 200);
  let limit = 0;
  const setLimit = () => api.patch(`/v1/qr-codes/${qr_id}`, { scan_limit: ++limit });
  const [allowed, refused] = ["200", "403 feature_disabled"];
  await duringLoad(setLimit, plan("pro"), { before: allowed, after: refused });
  await duringLoad(setLimit, plan("agency"), { before: refused, after: allowed });
});

test("an archived project's links stop with the next scan, and come back with it", async () => {
  const { id, projectId, api } = await server.newAccount();
  const { slug, qr_id } = await api.createRendered();
  const path = `/admin/v1/accounts/${id}/projects/${projectId}`;
  const archived = (value: boolean) => () => admin.patch(path, { archived: value }, 200);
  const visitor = new Client(server.url);
  let redirected = 0;
  const scan = async () => {
    const answer = await visitor.get(`/${slug}`);
    redirected += Number(answer.status === 302);
    return answer;
  };
  const [there, gone] = ["302", "404 qr_not_found"];
  await duringLoad(scan, archived(true), { before: there, after: gone });
  await duringLoad(scan, archived(false), { before: gone, after: there });
  assert.equal((await api.get(`/v1/qr-codes/${qr_id}`, 200)).body.scan_count, redirected);
});
