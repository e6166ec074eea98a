import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertRefused, type Client } from "../../support/client.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { startServer, type TestAccount } from "../../support/server.ts";

const blockList = join(temporaryFolder(), "blocked.txt");
await writeFile(blockList, "");
const server = await startServer({ env: { BLOCKLIST_FILE: blockList } });
const { admin } = server;

const url = "https://example.com/";
const create = (api: Client) => api.post("/v1/qr-codes", { redirect_url: url });
const setStatus = (api: Client, id: string, status: string) => api.patch(`/v1/qr-codes/${id}`, { status });
const usage = async ({ id }: TestAccount) => (await admin.get(`/admin/v1/accounts/${id}`, 200)).body.usage;

async function listed(api: Client, status: string): Promise<string[]> {
  const { body } = await api.get(`/v1/qr-codes?page_size=100&status=${status}`, 200);
  assert.equal(body.next_page_token, null);
  return body.items.map((item: { qr_id: string }) => item.qr_id);
}

test("of 1,000 creates in parallel exactly as many succeed as the cap allows", async () => {
  const cap = 37;
  const account = await server.newAccount({ limits: { qr_cap: cap } });
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => create(account.api)));
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(answers.length - refused.length, cap);
  for (const answer of refused) assertRefused(answer, 402, "quota_exceeded_qr", /\b37\b/);
  assert.equal((await listed(account.api, "active")).length, cap);
  assert.deepEqual((await usage(account)).active_codes, cap);
});

test("archiving frees a place, reactivating takes one", async () => {
  const account = await server.newAccount({ limits: { qr_cap: 2 } });
  const { api } = account;
  const first = await api.createCode();
  await api.createCode();
  assertRefused(await create(api), 402, "quota_exceeded_qr");
  assert.equal((await setStatus(api, first.qr_id, "archived")).status, 200);
  const third = await api.createCode();
  const refused = await api.patch(`/v1/qr-codes/${first.qr_id}`, { status: "active", label: "not taken" });
  assertRefused(refused, 402, "quota_exceeded_qr");
  await setStatus(api, third.qr_id, "archived");
  const { body } = await setStatus(api, first.qr_id, "active");
  assert.deepEqual([body.status, body.label], ["active", first.label]);
  assert.equal((await usage(account)).active_codes, 2);
});

test("archiving twice frees one place, reactivating twice takes one", async () => {
  const account = await server.newAccount({ limits: { qr_cap: 3 } });
  const { api } = account;
  const { qr_id } = await api.createCode();
  await api.createCode();
  await Promise.all(Array.from({ length: 20 }, () => setStatus(api, qr_id, "archived")));
  assert.equal((await usage(account)).active_codes, 1);
  await Promise.all(Array.from({ length: 20 }, () => setStatus(api, qr_id, "active")));
  assert.equal((await usage(account)).active_codes, 2);
});

test("parallel reactivations and creates never exceed the cap", async () => {
  const cap = 10;
  const account = await server.newAccount({ limits: { qr_cap: 30 } });
  const { api } = account;
  const codes = await Promise.all(Array.from({ length: 30 }, () => api.createCode()));
  await Promise.all(codes.map(({ qr_id }) => setStatus(api, qr_id, "archived")));
  await admin.patch(`/admin/v1/accounts/${account.id}`, { limits: { qr_cap: cap } }, 200);
  const answers = await Promise.all([
    ...codes.map(({ qr_id }) => setStatus(api, qr_id, "active")),
    ...codes.map(() => create(api)),
  ]);
  assert.equal(answers.filter(({ status }) => status < 300).length, cap);
  for (const answer of answers) if (answer.status >= 300) assertRefused(answer, 402, "quota_exceeded_qr");
  assert.equal((await listed(api, "active")).length, cap);
});

test("a cap below what is active refuses more and touches nothing; a higher one counts at once", async () => {
  const account = await server.newAccount();
  const { api } = account;
  for (let codes = 0; codes < 3; codes++) await api.createCode();
  await admin.patch(`/admin/v1/accounts/${account.id}`, { limits: { qr_cap: 1 } }, 200);
  assertRefused(await create(api), 402, "quota_exceeded_qr");
  assert.equal((await listed(api, "active")).length, 3);
  await admin.patch(`/admin/v1/accounts/${account.id}`, { limits: { qr_cap: 4 } }, 200);
  assert.equal((await create(api)).status, 201);
  assertRefused(await create(api), 402, "quota_exceeded_qr");
});

test("the free plan holds ten active codes", async () => {
  const roomy = { burst: 1_000, per_minute: 1_000 };
  const { api } = await server.newAccount({ plan: "free", limits: roomy });
  for (let codes = 0; codes < 10; codes++) assert.equal((await create(api)).status, 201);
  assertRefused(await create(api), 402, "quota_exceeded_qr", /\b10\b/);
});

test("the account's other refusals come before the quota's, the URL's after it", async () => {
  const { api } = await server.newAccount({ limits: { qr_cap: 0 } });
  assertRefused(await api.post("/v1/qr-codes", { redirect_url: "" }), 400, "invalid_request");
  const elsewhere = { redirect_url: url, project_id: "prj_nothing" };
  assertRefused(await api.post("/v1/qr-codes", elsewhere), 404, "project_not_found");
  assertRefused(
    await api.post("/v1/qr-codes", { redirect_url: "http://10.0.0.1/" }),
    402,
    "quota_exceeded_qr",
  );
});

test("what is used survives a restart", async () => {
  const account = await server.newAccount({ limits: { qr_cap: 3 } });
  const { api } = account;
  const [first] = await Promise.all([api.createCode(), api.createCode(), api.createCode()]);
  await setStatus(api, first.qr_id, "archived");
  await server.restart();
  assert.equal((await usage(account)).active_codes, 2);
  assert.equal((await create(api)).status, 201);
  assertRefused(await create(api), 402, "quota_exceeded_qr");
  assertRefused(await setStatus(api, first.qr_id, "active"), 402, "quota_exceeded_qr");
});

test("a blocked code does not count; archiving it frees nothing more", async () => {
  const account = await server.newAccount({ limits: { qr_cap: 1 } });
  const { api } = account;
  const { qr_id } = await api.createCode({ redirect_url: "https://turned.example.net/" });
  assertRefused(await create(api), 402, "quota_exceeded_qr");
  await writeFile(blockList, "turned.example.net\n");
  for (const deadline = Date.now() + 8_000; (await usage(account)).active_codes > 0; await sleep(50)) {
    assert.ok(Date.now() < deadline, "the code was not blocked in time");
  }
  assert.equal((await create(api)).status, 201);
  assert.equal((await setStatus(api, qr_id, "archived")).status, 200);
  assert.equal((await usage(account)).active_codes, 1);
  assertRefused(await create(api), 402, "quota_exceeded_qr");
});
