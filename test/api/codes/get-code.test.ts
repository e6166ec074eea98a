import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import type { Stored } from "../../../src/store/mongo/documents.ts";
import { keepRendererBusy } from "../../support/busy-renderer.ts";
import { assertRefused } from "../../support/client.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { connectForTest } from "../../support/mongod/connection.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { api } = server;

const bySlug = (slug: string) => [
  `/v1/qr-codes/find?slug=${encodeURIComponent(slug)}`,
  `/v1/qr-codes/by-slug?slug=${encodeURIComponent(slug)}`,
];
const byEveryPath = (code: { qr_id: string; slug: string }) => [
  `/v1/qr-codes/${code.qr_id}`,
  ...bySlug(code.slug),
];

test("by id, find and by-slug give the same document", async () => {
  const code = await api.createRendered({ name: "Found", scan_limit: 5 });
  for (const path of byEveryPath(code)) {
    const { request_id: _, ...fields } = (await api.get(path, 200)).body;
    const { request_id: __, ...expected } = code;
    assert.deepEqual(fields, expected, path);
  }
});

test("HEAD answers as GET does, without the body", async () => {
  const code = await api.createRendered();
  for (const path of byEveryPath(code)) {
    const answer = await api.call("HEAD", path, { status: 200 });
    assert.equal(answer.text, "");
  }
});

test("an archived code is 404 qr_not_found on every path, and back when it is reactivated", async () => {
  const code = await api.createRendered();
  await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "archived" }, 200);
  for (const path of byEveryPath(code)) assertRefused(await api.get(path), 404, "qr_not_found");
  await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "active" }, 200);
  for (const path of byEveryPath(code)) await api.get(path, 200);
});

test("somebody else's code cannot be told from one that does not exist", async () => {
  const code = await api.createRendered();
  const stranger = (await server.newAccount()).api;
  const missing = { qr_id: "qr_01m7ejpn3dvp8yzafrfzt8", slug: "qr-0000000000" };
  for (const [theirs, nobodys] of byEveryPath(code).map((path, at) => [path, byEveryPath(missing)[at]!])) {
    const [one, other] = [await stranger.get(theirs!), await stranger.get(nobodys!)];
    assertRefused(one, 404, "qr_not_found");
    const { request_id: _, ...body } = one.body;
    const { request_id: __, ...expected } = other.body;
    assert.deepEqual(body, expected);
  }
  const patched = await stranger.patch(`/v1/qr-codes/${code.qr_id}`, { label: "mine" });
  assertRefused(patched, 404, "qr_not_found");
  assert.equal((await api.get(`/v1/qr-codes/${code.qr_id}`)).body.label, code.label);
});

test("a look-up without a slug names the parameter", async () => {
  for (const path of ["/v1/qr-codes/find", "/v1/qr-codes/by-slug", "/v1/qr-codes/find?slug="]) {
    assertRefused(await api.get(path), 400, "invalid_request", /^slug is required/);
  }
});

test("odd ids and slugs are not found, whatever their form", async () => {
  for (const odd of ["x", "%00", "..%2f..", "qr-%F0%9F%98%80", "x".repeat(3_000)]) {
    for (const path of [`/v1/qr-codes/${odd}`, `/v1/qr-codes/find?slug=${odd}`]) {
      assertRefused(await api.get(path), 404, "qr_not_found");
    }
  }
});

test("scan_count is the count of this moment", async () => {
  const code = await api.createRendered();
  assert.equal(code.scan_count, 0);
  for (let scans = 1; scans <= 3; scans++) {
    await api.get(`/${code.slug}`, 302);
    for (const path of byEveryPath(code)) assert.equal((await api.get(path)).body.scan_count, scans);
  }
  const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, { label: "counted" }, 200);
  assert.equal(body.scan_count, 3);
});

test("codes of an archived project stay readable", async () => {
  const project = (await api.post("/v1/projects", { name: "Old" }, 201)).body.project_id;
  const code = await api.createRendered({ project_id: project });
  await server.admin.patch(
    `/admin/v1/accounts/${server.account.id}/projects/${project}`,
    { archived: true },
    200,
  );
  for (const path of byEveryPath(code)) await api.get(path, 200);
});

test("a slug is nobody's until the first render is done", async () => {
  await keepRendererBusy(api);
  const { qr_id } = await api.createCode();
  const slug = await storedSlug(qr_id);
  for (const path of bySlug(slug)) assertRefused(await api.get(path), 404, "qr_not_found");
  assert.equal(
    (await api.get(`/v1/qr-codes/${qr_id}`, 200)).body.slug,
    null,
    "rendered too early for this test",
  );
  assert.equal((await api.rendered(qr_id)).slug, slug);
  for (const path of bySlug(slug)) assert.equal((await api.get(path, 200)).body.qr_id, qr_id);
});

/** What no client can see. */
async function storedSlug(id: string): Promise<string> {
  return server.databaseUrl === null ? slugInFiles(id) : slugInDatabase(server.databaseUrl, id);
}

async function slugInDatabase(url: string, id: string): Promise<string> {
  const { client, db } = await connectForTest(url);
  const code = await db.collection<Stored>("codes").findOne({ _id: id });
  await client.close();
  return String(code!.slug);
}

/** Read from a copy of the store. */
async function slugInFiles(id: string): Promise<string> {
  const path = temporaryFolder();
  await cp(join(server.dataDir, "store"), path, { recursive: true });
  const store = await openLmdbStore({ path, assertDocument });
  const code = await store.get("codes", id);
  await store.close();
  assert.ok(code);
  return code.slug;
}
