import assert from "node:assert/strict";
import { test } from "node:test";
import { descriptionCharsMax, labelCharsMax } from "../../src/limits.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { assertRefused, type Json } from "../support/client.ts";
import { startServer } from "../support/server.ts";

const clock = new ManualClock();
const server = await startServer({ clock });

const projectKeys = [
  "created_at",
  "created_via",
  "description",
  "has_custom_domain",
  "is_default",
  "name",
  "project_id",
  "updated_at",
];

test("a created project comes back flat, in full, and is listed as it was answered", async () => {
  const { api } = await server.newAccount();
  const { body } = await api.post("/v1/projects", { name: "Menus", description: "all tables" }, 201);
  const { ok, version, request_id, ...project } = body;
  assert.equal(ok, true);
  assert.deepEqual(Object.keys(project).sort(), projectKeys);
  const now = new Date(clock.now()).toISOString();
  assert.deepEqual(project, {
    project_id: project.project_id,
    name: "Menus",
    description: "all tables",
    is_default: false,
    has_custom_domain: false,
    created_via: "api",
    created_at: now,
    updated_at: now,
  });
  const listed = (await api.get("/v1/projects", 200)).body.items;
  assert.deepEqual(
    listed.find((item: Json) => item.project_id === project.project_id),
    project,
  );
});

test("a new account has one project: its default one, made by nobody", async () => {
  const { api, projectId } = await server.newAccount();
  const { items, next_page_token } = (await api.get("/v1/projects", 200)).body;
  assert.equal(next_page_token, null);
  assert.equal(items.length, 1);
  assert.deepEqual(Object.keys(items[0]).sort(), projectKeys);
  assert.equal(items[0].project_id, projectId);
  assert.equal(items[0].is_default, true);
  assert.equal(items[0].created_via, null);
});

test("the list is newest first", async () => {
  const { api, projectId } = await server.newAccount();
  const ids = [projectId];
  for (let at = 0; at < 5; at++) {
    clock.advance(1);
    ids.unshift((await api.post("/v1/projects", { name: `p${at}` }, 201)).body.project_id);
  }
  const { items } = (await api.get("/v1/projects", 200)).body;
  assert.deepEqual(
    items.map((item: Json) => item.project_id),
    ids,
  );
});

test("a field that cannot be used is refused by name", async () => {
  const { api } = await server.newAccount();
  const refused: [body: object, field: RegExp][] = [
    [{}, /^name /],
    [{ name: null }, /^name /],
    [{ name: "" }, /^name /],
    [{ name: 5 }, /^name /],
    [{ name: ["x"] }, /^name /],
    [{ name: "x".repeat(labelCharsMax + 1) }, /^name /],
    [{ name: "x", description: 1 }, /^description /],
    [{ name: "x", description: "x".repeat(descriptionCharsMax + 1) }, /^description /],
    [{ name: "x", set_as_default: "true" }, /^set_as_default /],
    [{ name: "x", set_as_default: 1 }, /^set_as_default /],
  ];
  for (const [body, field] of refused) {
    assertRefused(await api.post("/v1/projects", body), 400, "invalid_request", field);
  }
  assert.equal((await api.get("/v1/projects", 200)).body.items.length, 1);
});

test("the longest texts, an empty description and unknown or read-only fields are taken", async () => {
  const { api } = await server.newAccount();
  const longest = { name: "n".repeat(labelCharsMax), description: "d".repeat(descriptionCharsMax) };
  const { body } = await api.post("/v1/projects", longest, 201);
  assert.equal(body.name, longest.name);
  assert.equal(body.description, longest.description);
  assert.equal((await api.post("/v1/projects", { name: "x", description: "" }, 201)).body.description, "");
  const sentBack = {
    ...body,
    surprise: 1,
    is_default: true,
    created_via: "dashboard",
    project_id: "prj_mine",
  };
  const again = (await api.post("/v1/projects", sentBack, 201)).body;
  assert.equal(again.is_default, false);
  assert.equal(again.created_via, "api");
  assert.notEqual(again.project_id, "prj_mine");
});

test("two projects may have the same name", async () => {
  const { api } = await server.newAccount();
  const [one, two] = await Promise.all([
    api.post("/v1/projects", { name: "twin" }, 201),
    api.post("/v1/projects", { name: "twin" }, 201),
  ]);
  assert.notEqual(one.body.project_id, two.body.project_id);
});

test("projects survive a restart", async () => {
  const account = await server.newAccount();
  await account.api.post("/v1/projects", { name: "kept", set_as_default: true }, 201);
  const before = (await account.api.get("/v1/projects", 200)).body.items;
  await server.restart();
  assert.deepEqual((await account.api.get("/v1/projects", 200)).body.items, before);
});

test("creating a code in an archived project is forbidden until it is unarchived", async () => {
  const { id, api } = await server.newAccount();
  const { project_id } = (await api.post("/v1/projects", { name: "seasonal" }, 201)).body;
  const code = await api.createCode({ project_id });
  const path = `/admin/v1/accounts/${id}/projects/${project_id}`;
  await server.admin.patch(path, { archived: true }, 200);
  const create = () => api.post("/v1/qr-codes", { redirect_url: "https://example.com/", project_id });
  assertRefused(await create(), 403, "project_forbidden");
  await api.get(`/v1/qr-codes/${code.qr_id}`, 200);
  assert.equal((await api.get(`/v1/qr-codes?project_id=${project_id}`, 200)).body.items.length, 1);
  const listed = (await api.get("/v1/projects", 200)).body.items;
  assert.ok(listed.some((item: Json) => item.project_id === project_id && !("is_archived" in item)));
  await server.admin.patch(path, { archived: false }, 200);
  assert.equal((await create()).status, 201);
});
