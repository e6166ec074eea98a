/** Changes of documents that come at the same time, and a batch that cannot be written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Write } from "../../../src/domain/documents.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { UniqueViolation } from "../../../src/store/store.ts";
import {
  numbered,
  putAnswer,
  putCode,
  putProject,
  sampleAnswer,
  sampleCode,
  sampleProject,
  sampleRender,
  savedCount,
} from "../../fakes/sample-documents.ts";
import { dice } from "../../support/dice.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { assertIndexesAgree } from "./consistency.ts";

test("commits, removals of what expired and saved scans, all at once, leave indexes that agree", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const { below, pick } = dice(14, 0);
  const randomWrite = (): Write => {
    const id = numbered("qr", below(12));
    if (below(5) === 0) return { collection: "codes", remove: id };
    if (below(4) === 0) {
      return putAnswer(sampleAnswer({ id: numbered("ans", below(8)), expires_at: below(20) }));
    }
    const render = sampleRender(pick(["pending", "done"] as const));
    const status = pick(["active", "archived"] as const);
    return putCode(sampleCode({ id, slug: `slug-${below(10)}`, status, label: `Label ${below(3)}`, render }));
  };
  const outcomes = { done: 0, refused: 0 };
  for (let round = 0; round < 60; round++) {
    const commits = Array.from({ length: 1 + below(6) }, async () => {
      const writes = Array.from({ length: 1 + below(3) }, randomWrite);
      const ofEach = new Map(
        writes.map((write) => ["put" in write ? write.put.id : write.remove, write] as const),
      );
      try {
        await store.commit([...ofEach.values()]);
        outcomes.done++;
      } catch (error) {
        assert.ok(error instanceof UniqueViolation);
        outcomes.refused++;
      }
    });
    await Promise.all([
      ...commits,
      store.removeExpired("answers", below(20)),
      store.saveScans([savedCount(`slug-${below(10)}`, round)]),
    ]);
  }
  await store.close();
  assert.ok(outcomes.done > 50 && outcomes.refused > 10, JSON.stringify(outcomes));
  await assertIndexesAgree(path);
});

test("of a batch with a key that is too long nothing is stored", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const bystander = sampleProject();
  for (const change of [
    { id: `qr_${"x".repeat(700)}` },
    { project_id: `prj_${"x".repeat(600)}` },
    { slug: "x".repeat(601) },
    { slug: "" },
  ]) {
    await assert.rejects(store.commit([putProject(bystander), putCode(sampleCode(change))]), RangeError);
  }
  assert.equal(await store.get("projects", bystander.id), null);
  await store.commit([putProject(bystander)]);
  assert.deepEqual(await store.get("projects", bystander.id), bystander);
  await store.close();
  await assertIndexesAgree(path);
});

test("a removal of what cannot be there is no reason to lose what comes with it", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const project = sampleProject();
  await store.commit([
    { collection: "codes", remove: "" },
    { collection: "files", remove: "x".repeat(3_000) },
    { collection: "codes", remove: "qr_not_there" },
    putProject(project),
    putCode(sampleCode()),
  ]);
  await store.close();
  const again = await openLmdbStore({ path, assertDocument });
  assert.deepEqual(await again.get("projects", project.id), project);
  assert.deepEqual(await again.get("codes", sampleCode().id), sampleCode());
  await again.close();
  await assertIndexesAgree(path);
});

test("a commit that comes while the store is being closed is refused or kept, never half of it", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const commits = Array.from({ length: 30 }, (_, n) =>
    store.commit([
      putCode(sampleCode({ id: numbered("qr", n), slug: `slug-${n}` })),
      putProject(sampleProject({ id: numbered("prj", n) })),
    ]),
  );
  const closed = store.close();
  const outcomes = await Promise.allSettled(commits);
  await closed;
  const again = await openLmdbStore({ path, assertDocument });
  for (const [n, { status }] of outcomes.entries()) {
    const code = await again.get("codes", numbered("qr", n));
    const project = await again.get("projects", numbered("prj", n));
    assert.equal(code === null, project === null, `commit ${n}`);
    if (status === "fulfilled") assert.ok(code !== null, `commit ${n}`);
  }
  await again.close();
  await assertIndexesAgree(path);
});

test("a slug that somebody asked for while it was being stored is not given to another code", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const slug = "qr-aaaaaaaaaa";
  assert.equal(await store.isSlugFree(slug), true);
  const first = sampleCode({ id: numbered("qr", 1), slug });
  const stored = store.commit([{ collection: "codes", put: first, isNew: true }]);
  for (let isUnderWay = true, turn = 0; isUnderWay; turn++) {
    isUnderWay = await store.isSlugFree(slug);
    assert.ok(turn < 1_000_000);
    await nextTurn();
  }
  await stored;
  const second = sampleCode({ id: numbered("qr", 2), slug });
  await assert.rejects(store.commit([{ collection: "codes", put: second, isNew: true }]), UniqueViolation);
  assert.deepEqual(await store.codeBySlug(slug), first);
  await store.close();
  await assertIndexesAgree(path);
});

test("nor is one that nobody had when it was asked for, and that a code has come to have since", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const slug = "qr-bbbbbbbbbb";
  assert.equal(await store.isSlugFree(slug), true);
  await store.commit([putCode(sampleCode({ id: numbered("qr", 1), slug: "qr-cccccccccc" }))]);
  await store.commit([putCode(sampleCode({ id: numbered("qr", 1), slug }))]);
  await assert.rejects(store.commit([putCode(sampleCode({ id: numbered("qr", 2), slug }))]), UniqueViolation);
  await store.close();
});
