import assert from "node:assert/strict";
import { test } from "node:test";
import { answerKeptMs, expiredSweepMs, idempotencyKeyCharsMax } from "../../../src/limits.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { type Answer, assertRefused, type Client } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const clock = new ManualClock();
const server = await startServer({ clock });

const body = { redirect_url: "https://example.com/", name: "once" };
const operations = [
  { path: "/v1/qr-codes", body },
  { path: "/v1/projects", body: { name: "once" } },
];

const withKey = (key: string) => ({ "idempotency-key": key });
const codes = async (api: Client) => (await api.get("/v1/qr-codes?page_size=100", 200)).body.items.length;

function assertRepeat(first: Answer, repeat: Answer): void {
  assert.equal(repeat.status, first.status);
  assert.equal(repeat.text, first.text);
  assert.equal(repeat.headers.get("x-request-id"), first.headers.get("x-request-id"));
  assert.equal(first.headers.get("idempotent-replayed"), null);
  assert.equal(repeat.headers.get("idempotent-replayed"), "true");
}

for (const { path, body } of operations) {
  test(`POST ${path}: a repeat gets the same bytes under the same request id, after a restart too`, async () => {
    const { api } = await server.newAccount();
    const first = await api.post(path, body, 201, withKey("order-1"));
    assertRepeat(first, await api.post(path, body, 201, withKey("order-1")));
    await server.restart();
    assertRepeat(first, await api.post(path, body, 201, withKey("order-1")));
    const { items } = (await api.get(path, 200)).body;
    assert.equal(items.length, path === "/v1/projects" ? 2 : 1);
  });
}

test("of parallel repeats one creates, and all get its answer", async () => {
  const { api } = await server.newAccount();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.post("/v1/qr-codes", body, 201, withKey("rush"))),
  );
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
  assert.equal(await codes(api), 1);
});

test("a repeat consumes no quota of codes, but is a request like any other", async () => {
  const account = await server.newAccount({ limits: { qr_cap: 1 } });
  await account.api.post("/v1/qr-codes", body, 201, withKey("capped"));
  await account.api.post("/v1/qr-codes", body, 201, withKey("capped"));
  assertRefused(await account.api.post("/v1/qr-codes", body), 402, "quota_exceeded_qr");
  const { usage } = (await server.admin.get(`/admin/v1/accounts/${account.id}`, 200)).body;
  assert.equal(usage.active_codes, 1);
  assert.equal(usage.requests_this_minute, 3);
});

test("the same key with another body is refused, even when it means the same", async () => {
  const { api } = await server.newAccount();
  const first = await api.post("/v1/qr-codes", body, 201, withKey("k"));
  const others = [JSON.stringify({ ...body, name: "twice" }), JSON.stringify(body, null, 2)];
  for (const raw of others) {
    const answer = await api.call("POST", "/v1/qr-codes", { raw, headers: withKey("k") });
    assertRefused(answer, 400, "invalid_request", /Idempotency-Key/);
  }
  assertRepeat(first, await api.post("/v1/qr-codes", body, 201, withKey("k")));
  assert.equal(await codes(api), 1);
});

test("keys of other accounts and other operations are other keys", async () => {
  const one = await server.newAccount();
  const two = await server.newAccount();
  const shared = { name: "both", redirect_url: "https://example.com/" };
  const answers = [
    await one.api.post("/v1/qr-codes", shared, 201, withKey("same")),
    await two.api.post("/v1/qr-codes", shared, 201, withKey("same")),
    await one.api.post("/v1/projects", shared, 201, withKey("same")),
    await one.api.post("/v1/qr-codes", shared, 201, withKey("Same")),
  ];
  assert.equal(new Set(answers.map(({ body }) => body.request_id)).size, 4);
  for (const { headers } of answers) assert.equal(headers.get("idempotent-replayed"), null);
});

test("two keys of one account share the answers: they belong to the account", async () => {
  const account = await server.newAccount();
  const path = `/admin/v1/accounts/${account.id}/keys`;
  const { key } = (await server.admin.post(path, {}, 201)).body;
  const first = await account.api.post("/v1/qr-codes", body, 201, withKey("shared"));
  const headers = { ...withKey("shared"), "x-api-key": key };
  assertRepeat(first, await account.api.post("/v1/qr-codes", body, 201, headers));
});

test("without a key every create is a new one", async () => {
  const { api } = await server.newAccount();
  await api.post("/v1/qr-codes", body, 201);
  await api.post("/v1/qr-codes", body, 201);
  await api.post("/v1/qr-codes", body, 201, withKey(""));
  assert.equal(await codes(api), 3);
});

test("an answer is kept for 24 hours, to the millisecond", async () => {
  const { api } = await server.newAccount();
  const first = await api.post("/v1/qr-codes", body, 201, withKey("daily"));
  clock.advance(answerKeptMs - 1);
  assertRepeat(first, await api.post("/v1/qr-codes", body, 201, withKey("daily")));
  clock.advance(1);
  const second = await api.post("/v1/qr-codes", body, 201, withKey("daily"));
  assert.notEqual(second.body.qr_id, first.body.qr_id);
  assertRepeat(second, await api.post("/v1/qr-codes", body, 201, withKey("daily")));
});

test("the clearing of old answers spares those that still count", async () => {
  const { api } = await server.newAccount();
  await api.post("/v1/qr-codes", body, 201, withKey("old"));
  clock.advance(answerKeptMs - expiredSweepMs);
  const young = await api.post("/v1/qr-codes", body, 201, withKey("young"));
  for (let sweep = 0; sweep < 3; sweep++) {
    clock.advance(expiredSweepMs);
    await api.get("/v1/projects", 200);
  }
  assertRepeat(young, await api.post("/v1/qr-codes", body, 201, withKey("young")));
  const again = await api.post("/v1/qr-codes", body, 201, withKey("old"));
  assert.equal(again.headers.get("idempotent-replayed"), null);
});

test("a refused create is not kept: a repeat is a new try", async () => {
  const account = await server.newAccount({ limits: { qr_cap: 0 } });
  const create = () => account.api.post("/v1/qr-codes", body, undefined, withKey("retry"));
  assertRefused(await create(), 402, "quota_exceeded_qr");
  await server.admin.patch(`/admin/v1/accounts/${account.id}`, { limits: { qr_cap: 1 } }, 200);
  const first = await create();
  assert.equal(first.status, 201);
  assertRepeat(first, await create());
});

test("a repeat is answered even when the create would be refused by now", async () => {
  const account = await server.newAccount();
  const first = await account.api.post("/v1/qr-codes", body, 201, withKey("late"));
  await server.admin.patch(`/admin/v1/accounts/${account.id}`, { plan: "viewer" }, 200);
  await server.admin.patch(
    `/admin/v1/accounts/${account.id}/projects/${account.projectId}`,
    { archived: true },
    200,
  );
  assertRepeat(first, await account.api.post("/v1/qr-codes", body, 201, withKey("late")));
});

test("a malformed key is refused by name; the longest one is taken", async () => {
  const { api } = await server.newAccount();
  for (const key of ["x".repeat(idempotencyKeyCharsMax + 1), "two words", "caf\u00e9s", "tab\there"]) {
    const answer = await api.post("/v1/qr-codes", body, undefined, withKey(key));
    assertRefused(answer, 400, "invalid_request", /Idempotency-Key/);
  }
  assert.equal(await codes(api), 0);
  const longest = "~".repeat(idempotencyKeyCharsMax);
  const first = await api.post("/v1/qr-codes", body, 201, withKey(longest));
  assertRepeat(first, await api.post("/v1/qr-codes", body, 201, withKey(longest)));
});
