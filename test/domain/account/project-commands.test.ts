import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createProject,
  requireProject,
  updateProject,
} from "../../../src/domain/account/project-commands.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import type { UpdateProjectBody } from "../../../src/domain/requests.ts";
import { applied, countedRandom, commandTime as now } from "../../fakes/account-view.ts";
import { sampleAccount, sampleProject } from "../../fakes/sample-documents.ts";

const isNotFound = (cause: unknown) => cause instanceof ApiError && cause.code === "project_not_found";

test("a new project says that it came by API, and is not the default unless asked", () => {
  const { answer, writes } = applied(createProject({ name: "Menus" }, countedRandom));
  assert.match(answer.project.id, /^prj_/);
  assert.deepEqual(answer, {
    project: sampleProject({ id: answer.project.id, name: "Menus", created_at: now, updated_at: now }),
    isDefault: false,
  });
  const counted = { collection: "accounts", put: sampleAccount({ project_count: 2 }) };
  assert.deepEqual(writes, [{ collection: "projects", put: answer.project }, counted]);
  const body = { name: "Menus", description: "for the tables", set_as_default: false };
  const described = applied(createProject(body, countedRandom));
  assert.equal(described.answer.project.description, "for the tables");
  assert.deepEqual(described.writes[1], counted);
});

test("a new default project replaces the old one in the account", () => {
  const { answer, writes } = applied(createProject({ name: "Menus", set_as_default: true }, countedRandom));
  assert.equal(answer.isDefault, true);
  assert.deepEqual(writes, [
    { collection: "projects", put: answer.project },
    {
      collection: "accounts",
      put: sampleAccount({ default_project_id: answer.project.id, project_count: 2 }),
    },
  ]);
});

test("a change replaces what it names and keeps the rest", () => {
  const before = sampleProject({ description: "old" });
  const changes: [UpdateProjectBody, object][] = [
    [{ name: "New" }, { name: "New" }],
    [{ description: "" }, { description: "" }],
    [{ archived: true }, { is_archived: true }],
    [{}, {}],
  ];
  for (const [body, expected] of changes) {
    const { answer, writes } = applied(updateProject("prj_1", body), { projects: [before] });
    assert.deepEqual(answer, { project: { ...before, ...expected, updated_at: now }, isDefault: true });
    assert.deepEqual(writes, [{ collection: "projects", put: answer.project }]);
  }
  const projects = [sampleProject({ id: "prj_2", is_archived: true })];
  assert.deepEqual(applied(updateProject("prj_2", { archived: false }), { projects }).answer, {
    project: { ...projects[0], is_archived: false, updated_at: now },
    isDefault: false,
  });
});

test("a project that is not the account's is not found", () => {
  assert.throws(() => applied(updateProject("prj_other", { name: "x" })), isNotFound);
  assert.throws(() => applied(requireProject("prj_other")), isNotFound);
  assert.deepEqual(applied(requireProject("prj_1")), { answer: sampleProject(), writes: [] });
});
