import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { programArguments } from "../../support/built.ts";
import { assertRefused, Client, type Json } from "../../support/client.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { startServer, type TestAccount } from "../../support/server.ts";

const blockList = join(temporaryFolder(), "blocked.txt");
await writeFile(blockList, "listed.example.net\n");
const server = await startServer({ env: { BLOCKLIST_FILE: blockList } });
const { admin } = server;

const bad = "https://turned.example.net/";
const harmless = "https://harmless.example.net/";
const unblockPath = (account: TestAccount, id: string) =>
  `/admin/v1/accounts/${account.id}/qr-codes/${id}/unblock`;
const unblock = (account: TestAccount, id: string) => admin.call("POST", unblockPath(account, id));
const codeOf = async (account: TestAccount, id: string): Promise<Json> =>
  (await account.api.get(`/v1/qr-codes/${id}`, 200)).body;
const activeCodes = async (account: TestAccount): Promise<number> =>
  (await admin.get(`/admin/v1/accounts/${account.id}`, 200)).body.usage.active_codes;

/** Puts a list in force: it is when a host that only this list has is refused. */
async function list(...hosts: string[]): Promise<void> {
  const probe = `probe-of-${hosts.length}-hosts.example.net`;
  await writeFile(blockList, [...hosts, probe, ""].join("\n"));
  for (const deadline = Date.now() + 10_000; ; await sleep(50)) {
    assert.ok(Date.now() < deadline, "the list was not read in time");
    const answer = await server.api.post("/v1/qr-codes", { redirect_url: `https://${probe}/` });
    if (answer.status === 422) return;
  }
}

const byTarget = await server.newAccount();
const byRule = await server.newAccount();
const capped = await server.newAccount({ limits: { qr_cap: 1 } });
const codes = new Map<TestAccount, Json>([
  [byTarget, await byTarget.api.createRendered({ redirect_url: bad })],
  [
    byRule,
    await byRule.api.createRendered({
      redirect_rules: [{ condition: "country", value: "FR", url: `${bad}fr` }],
    }),
  ],
  [capped, await capped.api.createRendered({ redirect_url: bad })],
]);

test("while its targets are unsafe a blocked code stays blocked", async () => {
  await list("turned.example.net");
  await admin.post("/admin/v1/safety/rescan", {}, 200);
  for (const [account, { qr_id }] of codes) {
    const field = account === byRule ? /^redirect_rules\[0\]\.url / : /^redirect_url /;
    assertRefused(await unblock(account, qr_id), 422, "unsafe_url", field);
    assert.equal((await codeOf(account, qr_id)).status, "blocked");
    assert.equal(await activeCodes(account), 0);
  }
});

test("a rule that leads astray can be taken away", async () => {
  const { qr_id } = codes.get(byRule);
  const { body } = await byRule.api.patch(`/v1/qr-codes/${qr_id}`, { redirect_rules: [] }, 200);
  assert.equal(body.status, "blocked");
  assert.equal((await unblock(byRule, qr_id)).body.status, "active");
});

test("the command line says why not", async () => {
  const { qr_id } = codes.get(byTarget);
  await assert.rejects(run("code", "unblock", byTarget.id, qr_id), (failure: Json) => {
    assert.deepEqual([failure.code, failure.stdout], [1, ""]);
    return /redirect_url leads to a blocked destination \(unsafe_url\)/.test(failure.stderr);
  });
});

test("the owner cannot lift a block with another target, nor by archiving", async () => {
  const { qr_id, slug } = codes.get(byTarget);
  const patch = (body: Json) => byTarget.api.patch(`/v1/qr-codes/${qr_id}`, body);
  assert.equal((await patch({ redirect_url: harmless })).body.status, "blocked");
  assertRefused(await patch({ status: "active" }), 403, "feature_disabled", /blocked/);
  assert.equal((await patch({ status: "archived" })).body.status, "archived");
  assertRefused(await patch({ status: "active" }), 403, "feature_disabled", /blocked/);
  assertRefused(await byTarget.api.get(`/${slug}`), 403, "qr_blocked");
  const archived = (await byTarget.api.get("/v1/qr-codes?status=archived", 200)).body.items;
  assert.deepEqual(
    archived.map((item: Json) => item.qr_id),
    [qr_id],
  );
});

test("unblocked by the operator, an archived code can be activated again", async () => {
  const { qr_id, slug } = codes.get(byTarget);
  const { status, body } = await unblock(byTarget, qr_id);
  assert.deepEqual([status, body.qr_id, body.status, body.slug], [200, qr_id, "archived", slug]);
  assertRefused(await byTarget.api.get(`/${slug}`), 404, "qr_not_found");
  await byTarget.api.patch(`/v1/qr-codes/${qr_id}`, { status: "active" }, 200);
  assert.equal(await activeCodes(byTarget), 1);
  assert.equal((await byTarget.api.get(`/${slug}`, 302)).headers.get("location"), harmless);
  assert.equal((await codeOf(byTarget, qr_id)).scan_count, 1);
});

test("it needs room under the cap, like a new code; on the command line too", async () => {
  const { qr_id } = codes.get(capped);
  const other = await capped.api.createCode();
  await list();
  await admin.post("/admin/v1/safety/rescan", {}, 200);
  assertRefused(await unblock(capped, qr_id), 402, "quota_exceeded_qr");
  assert.equal((await codeOf(capped, qr_id)).status, "blocked");
  await capped.api.patch(`/v1/qr-codes/${other.qr_id}`, { status: "archived" }, 200);
  const { stdout } = await run("code", "unblock", capped.id, qr_id);
  assert.match(stdout, /^status +active$/m);
  assert.equal(await activeCodes(capped), 1);
});

test("taking a host off the list lets its codes go by itself", async () => {
  const account = await server.newAccount();
  const { qr_id, slug } = await account.api.createRendered({ redirect_url: "https://again.example.net/" });
  const status = async (wanted: number) => {
    for (const deadline = Date.now() + 10_000; ; await sleep(50)) {
      if ((await account.api.get(`/${slug}`)).status === wanted) return;
      assert.ok(Date.now() < deadline, `the link did not become ${wanted}`);
    }
  };
  await list("again.example.net");
  await status(403);
  await list();
  await status(302);
  assert.equal((await codeOf(account, qr_id)).status, "active");
  assert.equal(await activeCodes(account), 1);
});

test("a code that is not blocked stays as it is", async () => {
  const account = await server.newAccount();
  const code = await account.api.createRendered();
  for (const _ of [1, 2]) {
    const { body } = await admin.post(unblockPath(account, code.qr_id), {}, 200);
    assert.deepEqual([body.status, body.updated_at], ["active", code.updated_at]);
  }
  await account.api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "archived" }, 200);
  assert.equal((await unblock(account, code.qr_id)).body.status, "archived");
  assert.equal(await activeCodes(account), 0);
});

test("what is not there is 404; nobody but the operator may", async () => {
  const account = await server.newAccount();
  const stranger = await server.newAccount();
  const code = await account.api.createCode();
  assertRefused(await unblock(account, "qr_nothing"), 404, "qr_not_found");
  assertRefused(await unblock(account, "x".repeat(1_500)), 404, "qr_not_found");
  assertRefused(await unblock(stranger, code.qr_id), 404, "qr_not_found");
  const nobody = { ...account, id: "acc_nobody" };
  assertRefused(await unblock(nobody, code.qr_id), 404, "account_not_found");
  for (const client of [new Client(server.url), account.api]) {
    assertRefused(await client.call("POST", unblockPath(account, code.qr_id)), 401, "unauthorized");
  }
  assertRefused(await admin.get(unblockPath(account, code.qr_id)), 405, "method_not_allowed");
});

test("the admin document has it", async () => {
  const document = (await admin.get("/admin/openapi.json", 200)).body;
  const { responses } = document.paths["/admin/v1/accounts/{account_id}/qr-codes/{qr_id}/unblock"].post;
  for (const status of [200, 401, 402, 404, 422]) assert.ok(responses[status], String(status));
});

function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [...programArguments(), "admin", ...args], {
    cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    env: { PATH: process.env.PATH, DATA_DIR: server.dataDir, PORT: new URL(server.url).port },
  });
}
