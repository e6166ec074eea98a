import assert from "node:assert/strict";
import { test } from "node:test";
import { updateAccount } from "../../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../../src/domain/account/plans.ts";
import { createProject, updateProject } from "../../../src/domain/account/project-commands.ts";
import { countedProjectsStep } from "../../../src/limits.ts";
import { systemRandom } from "../../../src/runtime/random.ts";
import {
  numbered,
  putAccount,
  putProject,
  sampleAccount,
  sampleProject,
} from "../../fakes/sample-documents.ts";
import { openActors } from "../../support/actors.ts";

type Actors = Awaited<ReturnType<typeof openActors>>;

const create = ({ directory }: Actors, id: string, name = "p") =>
  directory.run(id, createProject({ name }, systemRandom));
const stored = async ({ store }: Actors, id: string) =>
  (await store.listProjects(id, { before: null, limit: 5_000 })).items;

test("with a cap of N exactly N projects are created, however many are asked for at once", async () => {
  const actors = await openActors();
  const { id } = await actors.newAccount({ limits: { projects: 7 } });
  const asked = await Promise.allSettled(Array.from({ length: 50 }, () => create(actors, id)));
  const refused = asked.filter((answer) => answer.status === "rejected").map(({ reason }) => reason);
  assert.equal(refused.length, 44);
  for (const { code, message } of refused) {
    assert.deepEqual(
      [code, message],
      ["quota_exceeded_projects", "The plan's cap of 7 projects is reached."],
    );
  }
  assert.equal((await stored(actors, id)).length, 7);
  actors.forgetEverything();
  await assert.rejects(create(actors, id), { code: "quota_exceeded_projects", status: 402 });
});

test("an archived project counts; a higher limit makes room; a lower one takes nothing away", async () => {
  const actors = await openActors();
  const { id, projectId } = await actors.newAccount({ limits: { projects: 2 } });
  await create(actors, id);
  await actors.directory.run(id, updateProject(projectId, { archived: true }));
  await assert.rejects(create(actors, id), { code: "quota_exceeded_projects" });
  const limit = (projects: number | null) =>
    actors.directory.run(id, updateAccount({ limits: { projects } }, builtInPlans));
  await limit(3);
  await create(actors, id);
  await limit(1);
  await assert.rejects(create(actors, id), { code: "quota_exceeded_projects" });
  assert.equal((await stored(actors, id)).length, 3);
  assert.equal((await actors.directory.usage(id)).projects, 3);
  await limit(null);
  await create(actors, id);
});

test("an account from before, with more than the cap, is counted as it is loaded and keeps what it has", async () => {
  const actors = await openActors();
  const many = countedProjectsStep + 3;
  await actors.store.commit([
    putAccount(sampleAccount({ project_count: null, limits: { projects: many } })),
    ...Array.from({ length: many - 1 }, (_, n) => putProject(sampleProject({ id: numbered("prj", n) }))),
    putProject(sampleProject({ id: "prj_theirs", account_id: "acc_2" })),
  ]);
  assert.equal((await actors.directory.usage("acc_1")).projects, many - 1);
  await Promise.allSettled([create(actors, "acc_1"), create(actors, "acc_1")]);
  assert.equal((await stored(actors, "acc_1")).length, many);
  assert.equal((await actors.store.get("accounts", "acc_1"))?.project_count, many);
});
