import assert from "node:assert/strict";
import test from "node:test";
import { assertRefused } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { api, admin, account } = server;

const projects = `/admin/v1/accounts/${account.id}/projects`;
const newProject = async (fields: object = {}) =>
  (await api.post("/v1/projects", { name: "Project", ...fields }, 201)).body;
const archive = (id: string, archived: boolean) => admin.patch(`${projects}/${id}`, { archived }, 200);
const target = "https://example.com/target";

test("archiving a project stops creation in it and its links, with the next request", async () => {
  const { project_id } = await newProject();
  const code = await api.createRendered({ project_id });
  const elsewhere = await api.createRendered();
  await api.get(`/${code.slug}`, 302);

  const { body } = await archive(project_id, true);
  assert.deepEqual([body.project_id, body.is_archived], [project_id, true]);
  const refused = await api.post("/v1/qr-codes", { redirect_url: target, project_id });
  assertRefused(refused, 403, "project_forbidden");
  assertRefused(await api.get(`/${code.slug}`), 404, "qr_not_found");
  await api.get(`/${elsewhere.slug}`, 302);

  assert.equal((await archive(project_id, false)).body.is_archived, false);
  await api.post("/v1/qr-codes", { redirect_url: target, project_id }, 201);
  await api.get(`/${code.slug}`, 302);
});

test("the codes of an archived project are listed, read and changed, and count for the quota", async () => {
  const { project_id } = await newProject();
  const { qr_id } = await api.createRendered({ project_id });
  await archive(project_id, true);
  const { items } = (await api.get(`/v1/qr-codes?project_id=${project_id}`, 200)).body;
  assert.deepEqual(
    items.map((item: { qr_id: string; status: string }) => [item.qr_id, item.status]),
    [[qr_id, "active"]],
  );
  const { body } = await api.patch(`/v1/qr-codes/${qr_id}`, { label: "Changed" }, 200);
  assert.deepEqual([body.label, body.status], ["Changed", "active"]);
});

test("an archived project keeps its place in both lists; only the operator sees the state", async () => {
  const { project_id } = await newProject({ name: "Listed" });
  await archive(project_id, true);
  const ofOperator = (await admin.get(projects, 200)).body.items;
  const ofOwner = (await api.get("/v1/projects", 200)).body.items;
  assert.equal(find(ofOperator, project_id).is_archived, true);
  assert.equal("is_archived" in find(ofOwner, project_id), false);
});

test("a project archived while scans run: no scan that begins after the answer succeeds", async () => {
  const { project_id } = await newProject();
  const { slug } = await api.createRendered({ project_id });
  const during = Array.from({ length: 60 }, () => api.get(`/${slug}`));
  await archive(project_id, true);
  const later = await Promise.all(Array.from({ length: 60 }, () => api.get(`/${slug}`)));
  for (const answer of later) assertRefused(answer, 404, "qr_not_found");
  for (const { status } of await Promise.all(during)) assert.ok(status === 302 || status === 404);
});

test("an archived default project refuses codes that name no project", async () => {
  const own = await server.newAccount();
  await admin.patch(`/admin/v1/accounts/${own.id}/projects/${own.projectId}`, { archived: true }, 200);
  assertRefused(await own.api.post("/v1/qr-codes", { redirect_url: target }), 403, "project_forbidden");
  await own.api.post("/v1/projects", { name: "Next", set_as_default: true }, 201);
  await own.api.post("/v1/qr-codes", { redirect_url: target }, 201);
});

test("an archived project outlives a restart", async () => {
  const { project_id } = await newProject();
  const { slug } = await api.createRendered({ project_id });
  await archive(project_id, true);
  await server.restart();
  assertRefused(await api.get(`/${slug}`), 404, "qr_not_found");
  assertRefused(
    await api.post("/v1/qr-codes", { redirect_url: target, project_id }),
    403,
    "project_forbidden",
  );
  await archive(project_id, false);
  await api.get(`/${slug}`, 302);
});

test("a project is renamed and described; its origin and creation time stay", async () => {
  const before = await newProject({ description: "old" });
  const { body } = await admin.patch(
    `${projects}/${before.project_id}`,
    { name: "Renamed", description: "" },
    200,
  );
  assert.deepEqual(
    [body.name, body.description, body.created_via, body.created_at, body.is_archived],
    ["Renamed", "", "api", before.created_at, false],
  );
  const listed = find((await api.get("/v1/projects", 200)).body.items, before.project_id);
  assert.equal(listed.name, "Renamed");
});

test("bad values are refused by name and change nothing", async () => {
  const { project_id } = await newProject({ name: "Steady", description: "as it is" });
  for (const [field, values] of Object.entries({
    archived: ["yes", 1, null],
    name: ["", "x".repeat(201), null],
    description: ["x".repeat(2_001), 1, null],
  })) {
    for (const value of values) {
      const answer = await admin.patch(`${projects}/${project_id}`, { name: "New", [field]: value });
      assertRefused(answer, 400, "invalid_request", new RegExp(`^${field} `));
    }
  }
  const { name, description, is_archived } = find((await admin.get(projects, 200)).body.items, project_id);
  assert.deepEqual([name, description, is_archived], ["Steady", "as it is", false]);
});

test("a project of another account, or none, is project_not_found", async () => {
  const other = await server.newAccount();
  for (const id of [other.projectId, "prj_nothing"]) {
    assertRefused(await admin.patch(`${projects}/${id}`, { archived: true }), 404, "project_not_found");
  }
  await other.api.createCode();
});

test("the projects are listed page by page", async () => {
  const own = await server.newAccount();
  for (let made = 0; made < 4; made++) await own.api.post("/v1/projects", { name: `P${made}` }, 201);
  const path = `/admin/v1/accounts/${own.id}/projects?page_size=2`;
  const names: string[] = [];
  for (let token: string | null = ""; token !== null; ) {
    const { body } = await admin.get(token === "" ? path : `${path}&page_token=${token}`, 200);
    names.push(...body.items.map((item: { name: string }) => item.name));
    token = body.next_page_token;
  }
  assert.deepEqual(names, ["P3", "P2", "P1", "P0", "Default project"]);
});

function find<T extends { project_id: string }>(items: T[], id: string): T & Record<string, unknown> {
  const found = items.find((item) => item.project_id === id);
  assert.ok(found);
  return found;
}
