import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, type Client, type Json } from "../support/client.ts";
import { startServer } from "../support/server.ts";

const server = await startServer();

async function defaults(api: Client): Promise<string[]> {
  const { items } = (await api.get("/v1/projects?page_size=100", 200)).body;
  return items.filter((item: Json) => item.is_default).map((item: Json) => item.project_id);
}

test("a code without a project goes to the default one", async () => {
  const { api, projectId } = await server.newAccount();
  assert.equal((await api.createCode()).project_id, projectId);
  const { body } = await api.post("/v1/projects", { name: "next", set_as_default: true }, 201);
  assert.equal(body.is_default, true);
  assert.equal((await api.createCode()).project_id, body.project_id);
  assert.equal((await api.createCode({ project_id: projectId })).project_id, projectId);
});

test("a new default replaces the old one; a plain new project replaces nothing", async () => {
  const { api, projectId } = await server.newAccount();
  await api.post("/v1/projects", { name: "plain" }, 201);
  await api.post("/v1/projects", { name: "explicit", set_as_default: false }, 201);
  assert.deepEqual(await defaults(api), [projectId]);
  const { project_id } = (await api.post("/v1/projects", { name: "new", set_as_default: true }, 201)).body;
  assert.deepEqual(await defaults(api), [project_id]);
});

test("of many that become the default at once, exactly one remains it, after a restart too", async () => {
  const { api } = await server.newAccount();
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      api.post("/v1/projects", { name: `p${at}`, set_as_default: true }, 201),
    ),
  );
  for (const { body } of created) assert.equal(body.is_default, true);
  const remaining = await defaults(api);
  assert.equal(remaining.length, 1);
  assert.ok(created.some(({ body }) => body.project_id === remaining[0]));
  assert.equal((await api.createCode()).project_id, remaining[0]);
  await server.restart();
  assert.deepEqual(await defaults(api), remaining);
});

test("an archived default project takes no codes, and stays the default", async () => {
  const { id, api, projectId } = await server.newAccount();
  const path = `/admin/v1/accounts/${id}/projects/${projectId}`;
  await server.admin.patch(path, { archived: true }, 200);
  const create = () => api.post("/v1/qr-codes", { redirect_url: "https://example.com/" });
  assertRefused(await create(), 403, "project_forbidden");
  assert.deepEqual(await defaults(api), [projectId]);
  const { project_id } = (await api.post("/v1/projects", { name: "open" }, 201)).body;
  assert.equal((await api.createCode({ project_id })).project_id, project_id);
  await server.admin.patch(path, { archived: false }, 200);
  assert.equal((await create()).body.project_id, projectId);
});

test("the first project can be renamed and stays the default", async () => {
  const { id, api, projectId } = await server.newAccount();
  await server.admin.patch(`/admin/v1/accounts/${id}/projects/${projectId}`, { name: "Main" }, 200);
  const [only] = (await api.get("/v1/projects", 200)).body.items;
  assert.equal(only.name, "Main");
  assert.equal(only.is_default, true);
  assert.equal(only.created_via, null);
});
