import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertRefused } from "../../support/client.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { startServer } from "../../support/server.ts";

const blockList = join(temporaryFolder(), "blocked.txt");
await writeFile(blockList, "listed.example.com\nhttps://example.org/bad/\n");
const server = await startServer({ env: { BLOCKLIST_FILE: blockList } });
const { api, admin } = server;
const port = new URL(server.url).port;

const safe = "https://example.com/";
const unsafe = [
  "ftp://example.com/",
  "javascript:alert(1)",
  "data:text/html,hello",
  "https://user:secret@example.com/",
  "http://localhost/",
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://[::1]/",
  "http://[::ffff:10.0.0.1]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://192.168.1.1./",
  "http://printer.local/",
  "https://example.com/a\tb",
  "https://example.com\\@evil.example/",
  `http://localhost:${port}/qr-0000000000`,
  "https://listed.example.com/",
  "https://deep.listed.example.com/page",
  "https://example.org/bad/page",
];

test("an unsafe target is 422 on create, and nothing is created", async () => {
  const { api: own, id } = await server.newAccount();
  for (const redirect_url of unsafe) {
    for (const type of ["url", "dynamic_url"]) {
      assertRefused(
        await own.post("/v1/qr-codes", { type, redirect_url }),
        422,
        "unsafe_url",
        /^redirect_url /,
      );
    }
  }
  assert.deepEqual((await own.get("/v1/qr-codes", 200)).body.items, []);
  assert.equal((await admin.get(`/admin/v1/accounts/${id}`)).body.usage.active_codes, 0);
});

test("an unsafe target is 422 on PATCH, and the old one stays", async () => {
  const code = await api.createRendered({ redirect_url: safe });
  for (const redirect_url of unsafe) {
    const answer = await api.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_url, label: "not taken" });
    assertRefused(answer, 422, "unsafe_url", /^redirect_url /);
  }
  const { body } = await api.get(`/v1/qr-codes/${code.qr_id}`, 200);
  assert.deepEqual(
    [body.redirect_url, body.label, body.updated_at],
    [code.redirect_url, code.label, code.updated_at],
  );
  assert.equal((await api.get(`/${code.slug}`, 302)).headers.get("location"), safe);
});

test("rules pass the same check, on create and on PATCH", async () => {
  const { qr_id } = await api.createCode();
  for (const url of unsafe) {
    const redirect_rules = [
      { condition: "device", value: "ios", url: safe },
      { condition: "device", value: "android", url },
    ];
    const named = /^redirect_rules\[1\]\.url /;
    const created = await api.post("/v1/qr-codes", { redirect_url: safe, redirect_rules });
    assertRefused(created, 422, "unsafe_url", named);
    assertRefused(await api.patch(`/v1/qr-codes/${qr_id}`, { redirect_rules }), 422, "unsafe_url", named);
  }
  assert.deepEqual((await api.get(`/v1/qr-codes/${qr_id}`)).body.redirect_rules, []);
});

test("a code may lead to the neighbours of what is listed", async () => {
  for (const redirect_url of [
    "https://notlisted.example.com/",
    "https://example.org/good",
    "https://example.org/",
  ]) {
    await api.createCode({ redirect_url });
  }
});

test("what is no URL at all is a 400", async () => {
  for (const redirect_url of ["example", "/path", "http://", "https:// example.com"]) {
    assertRefused(await api.post("/v1/qr-codes", { redirect_url }), 400, "invalid_request", /^redirect_url /);
  }
});

test("a change of the block list blocks what it now lists, and only that", async () => {
  const target = await api.createRendered({ redirect_url: "https://turned.example.net/" });
  const byRule = await api.createRendered({
    redirect_rules: [{ condition: "country", value: "FR", url: "https://turned.example.net/fr" }],
  });
  const archived = await api.createRendered({ redirect_url: "https://turned.example.net/" });
  await api.patch(`/v1/qr-codes/${archived.qr_id}`, { status: "archived" }, 200);
  const fine = await api.createRendered({ redirect_url: "https://fine.example.net/" });
  const text = await api.createRendered({
    redirect_url: undefined,
    type: "text",
    text: "turned.example.net",
  });
  const used = await activeCodes();
  await api.get(`/${target.slug}`, 302);

  await writeFile(blockList, "turned.example.net\n");
  await status(target.qr_id, "blocked");
  await status(byRule.qr_id, "blocked");
  for (const { qr_id } of [fine, text]) {
    assert.equal((await api.get(`/v1/qr-codes/${qr_id}`, 200)).body.status, "active");
  }
  assert.equal(await activeCodes(), used - 2);

  // The link of a blocked code, for programs and for people.
  for (const { slug } of [target, byRule]) assertRefused(await api.get(`/${slug}`), 403, "qr_blocked");
  const page = await api.get(`/${target.slug}`, 403, { accept: "text/html" });
  assert.match(page.text, /<h1>This link is blocked<\/h1>/);
  assert.equal((await api.get(`/v1/qr-codes/${target.qr_id}`)).body.scan_count, 1);

  // A blocked code is listed, can be changed and archived, not activated.
  const listed = (await api.get("/v1/qr-codes?status=blocked", 200)).body.items;
  assert.deepEqual(
    new Set(listed.map((item: { qr_id: string }) => item.qr_id)),
    new Set([target.qr_id, byRule.qr_id]),
  );
  const renamed = await api.patch(`/v1/qr-codes/${target.qr_id}`, { label: "Still blocked" }, 200);
  assert.deepEqual([renamed.body.label, renamed.body.status], ["Still blocked", "blocked"]);
  const activated = await api.patch(`/v1/qr-codes/${target.qr_id}`, { status: "active" });
  assertRefused(activated, 403, "feature_disabled", /blocked/);
  assertRefused(
    await api.patch(`/v1/qr-codes/${target.qr_id}`, { status: "blocked" }),
    400,
    "invalid_request",
    /^status /,
  );
  assert.equal(
    (await api.patch(`/v1/qr-codes/${target.qr_id}`, { status: "archived" }, 200)).body.status,
    "archived",
  );
  assertRefused(await api.get(`/${target.slug}`), 403, "qr_blocked");
  assert.equal(await activeCodes(), used - 2);

  // Archived or not, a blocked code does not come back; one that was never blocked does, with a safe target.
  const blocked = await api.patch(`/v1/qr-codes/${target.qr_id}`, { status: "active", redirect_url: safe });
  assertRefused(blocked, 403, "feature_disabled", /blocked/);
  const reactivated = await api.patch(`/v1/qr-codes/${archived.qr_id}`, { status: "active" });
  assertRefused(reactivated, 422, "unsafe_url", /^redirect_url /);
  for (const { qr_id } of [archived, target]) {
    assertRefused(await api.get(`/v1/qr-codes/${qr_id}`), 404, "qr_not_found");
  }
  assert.equal(await activeCodes(), used - 2);
  await api.patch(`/v1/qr-codes/${archived.qr_id}`, { status: "active", redirect_url: safe }, 200);
  assert.equal((await api.get(`/${archived.slug}`, 302)).headers.get("location"), safe);
});

test("a list that cannot be read leaves the last good one in force", async () => {
  await rm(blockList);
  await sleep(1_300);
  const body = { redirect_url: "https://turned.example.net/" };
  assertRefused(await api.post("/v1/qr-codes", body), 422, "unsafe_url");
});

test("the operator can start a re-scan and learns what it did", async () => {
  const { checked, blocked, unblocked } = (await admin.post("/admin/v1/safety/rescan", {}, 200)).body;
  const listed = (await api.get("/v1/qr-codes?page_size=100", 200)).body.items.length;
  // The blocked code that was archived is looked at as well.
  assert.deepEqual({ checked, blocked, unblocked }, { checked: listed + 1, blocked: 0, unblocked: 0 });
});

async function activeCodes(): Promise<number> {
  return (await admin.get(`/admin/v1/accounts/${server.account.id}`, 200)).body.usage.active_codes;
}

async function status(id: string, wanted: string): Promise<void> {
  for (const deadline = Date.now() + 8_000; Date.now() < deadline; await sleep(50)) {
    if ((await api.get(`/v1/qr-codes/${id}`, 200)).body.status === wanted) return;
  }
  assert.fail(`${id} did not become ${wanted}`);
}
