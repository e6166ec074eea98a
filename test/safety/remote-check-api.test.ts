/** The remote URL check as it is wired into the API: asked on create, PATCH and for rules; what happens without it. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { answerJson, startRiskServer, threat } from "../fakes/risk-server.ts";
import { assertRefused } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { startServer } from "../support/server.ts";

const risk = await startRiskServer();
const env = { SAFETY_CHECK_URL: risk.url, SAFETY_CHECK_KEY: "key-of-the-check" };
const blockList = join(temporaryFolder(), "blocked.txt");
await writeFile(blockList, "");
const open = await startServer({ env: { ...env, BLOCKLIST_FILE: blockList } });
const closed = await startServer({ env: { ...env, SAFETY_CHECK_FAIL: "closed" } });

const dangerous = /danger/;
function answers(): void {
  risk.asked.length = 0;
  risk.answer = (uri, response) =>
    answerJson(response, dangerous.test(uri) ? threat(new Date(Date.now() + 60_000).toISOString()) : {});
}
function isAway(): void {
  risk.asked.length = 0;
  risk.answer = (_, response) => answerJson(response, {}, 500);
}

const rules = (url: string) => [
  { condition: "device", value: "ios", url: "https://example.com/ios" },
  { condition: "device", value: "android", url },
];

test("a dangerous target is 422 on create, on PATCH and in rules", async () => {
  answers();
  const { api } = open;
  const create = await api.post("/v1/qr-codes", { redirect_url: "https://danger.example.com/a" });
  assertRefused(create, 422, "unsafe_url", /^redirect_url .*dangerous/);
  const redirect_rules = rules("https://danger.example.com/b");
  const ruled = await api.post("/v1/qr-codes", { redirect_url: "https://example.com/", redirect_rules });
  assertRefused(ruled, 422, "unsafe_url", /^redirect_rules\[1\]\.url .*dangerous/);

  const code = await api.createRendered({ redirect_url: "https://example.com/fine" });
  const path = `/v1/qr-codes/${code.qr_id}`;
  const moved = await api.patch(path, { redirect_url: "https://danger.example.com/c" });
  assertRefused(moved, 422, "unsafe_url", /^redirect_url /);
  assertRefused(await api.patch(path, { redirect_rules }), 422, "unsafe_url", /^redirect_rules\[1\]\.url /);
  const { body } = await api.get(path, 200);
  assert.deepEqual([body.redirect_url, body.redirect_rules], ["https://example.com/fine", []]);
  assert.equal((await api.get("/v1/qr-codes", 200)).body.items.length, 1);
  assert.equal(risk.headers["x-goog-api-key"], "key-of-the-check");
  assert.ok(risk.asked.includes("https://danger.example.com/c"));
});

test("nobody else is told of a URL that is refused here", async () => {
  answers();
  assertRefused(
    await open.api.post("/v1/qr-codes", { redirect_url: "http://127.0.0.1/x" }),
    422,
    "unsafe_url",
  );
  assertRefused(await open.api.post("/v1/qr-codes", { redirect_url: "no url" }), 400, "invalid_request");
  assert.deepEqual(risk.asked, []);
});

test("plan and quota come before it", async () => {
  answers();
  const none = await open.newAccount({ limits: { qr_cap: 0 } });
  const answer = await none.api.post("/v1/qr-codes", { redirect_url: "https://danger.example.com/d" });
  assertRefused(answer, 402, "quota_exceeded_qr");
});

test("it is asked before a blocked code is unblocked", async () => {
  const { api, admin, account } = open;
  isAway();
  const { qr_id } = await api.createCode({ redirect_url: "https://danger.example.com/blocked" });
  answers();
  const unblock = `/admin/v1/accounts/${account.id}/qr-codes/${qr_id}/unblock`;
  const untilListed = async (text: string, done: () => Promise<boolean>) => {
    await writeFile(blockList, text);
    for (const deadline = Date.now() + 10_000; !(await done()); await sleep(50)) {
      assert.ok(Date.now() < deadline, "the list was not read in time");
    }
  };
  await untilListed("danger.example.com\n", async () => {
    return (await api.get(`/v1/qr-codes/${qr_id}`, 200)).body.status === "blocked";
  });
  assertRefused(await admin.post(unblock, {}), 422, "unsafe_url", /blocked destination/);
  assert.deepEqual(risk.asked, []);
  await untilListed("", async () => /dangerous/.test((await admin.post(unblock, {}, 422)).body.message));
  assert.deepEqual(risk.asked, ["https://danger.example.com/blocked"]);
});

test("what has no targets is not asked about, and does not wait for an answer", async () => {
  answers();
  const { api } = closed;
  const code = await api.createRendered({ redirect_url: "https://example.com/quiet" });
  isAway();
  await api.patch(`/v1/qr-codes/${code.qr_id}`, { label: "renamed" }, 200);
  await api.createCode({ type: "text", text: "hello", redirect_url: undefined });
  assert.deepEqual(risk.asked, []);
});

test("away and open: the URL passes; the local checks stay", async () => {
  isAway();
  const { api } = open;
  const code = await api.createCode({ redirect_url: "https://danger.example.com/open" });
  await api.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_rules: rules("https://example.com/open") }, 200);
  assertRefused(await api.post("/v1/qr-codes", { redirect_url: "http://10.0.0.1/" }), 422, "unsafe_url");
  assert.ok(risk.asked.length > 0);
});

test("away and closed: 503, and nothing changes", async () => {
  answers();
  const { api } = await closed.newAccount();
  const code = await api.createCode({ redirect_url: "https://example.com/known" });
  isAway();
  const create = await api.post("/v1/qr-codes", { redirect_url: "https://example.com/closed" });
  assertRefused(create, 503, "unavailable", /safety check/);
  assert.equal(create.headers.get("retry-after"), "1");
  const path = `/v1/qr-codes/${code.qr_id}`;
  for (const change of [
    { redirect_url: "https://example.com/closed/2" },
    { redirect_rules: rules("https://example.com/closed/3") },
  ]) {
    assertRefused(await api.patch(path, change), 503, "unavailable");
  }
  const { body } = await api.get(path, 200);
  assert.deepEqual([body.redirect_url, body.redirect_rules], ["https://example.com/known", []]);
  assert.equal((await api.get("/v1/qr-codes", 200)).body.items.length, 1);
});

test("a code that comes back into service is asked about like a new one", async () => {
  answers();
  for (const { api } of [open, closed]) {
    const code = await api.createCode({ redirect_url: `https://example.com/back/${api.url.slice(-4)}` });
    const path = `/v1/qr-codes/${code.qr_id}`;
    await api.patch(path, { status: "archived" }, 200);
    await api.patch(path, { status: "active" }, 200);
  }
});
