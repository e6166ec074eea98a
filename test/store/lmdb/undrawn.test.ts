/** Codes that wait for an image are found whether they have an entry that says so or not, in whatever order things happen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { askAgain, firstRender, rendered, wantsImage } from "../../../src/domain/code/render-state.ts";
import type { CodeDoc, Write } from "../../../src/domain/documents.ts";
import { documentText } from "../../../src/schema/texts.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openEnvironment } from "../../../src/store/lmdb/environment.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { numbered, putCode, sampleCode, sampleRender } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { assertIndexesAgree } from "./consistency.ts";

const now = 1_700_000_000_000;
const unlistedMax = 20;
const open = (path: string) => openLmdbStore({ path, assertDocument, documentText, unlistedMax });

function newCode(number: number): Write & { put: CodeDoc } {
  const put = sampleCode({ id: numbered("qr", number), slug: `qr-${number}`, render: firstRender(now) });
  return { collection: "codes", put, isNew: true };
}

const drawn = (code: CodeDoc): CodeDoc => ({
  ...code,
  render: rendered(code.render, { svg: "a", png: "b" }, now),
});
const askedAgain = (code: CodeDoc): CodeDoc => ({ ...code, render: askAgain(code.render, now) });

/** Documents are changed one after the other: when this is stored, so is what the store had to do by itself. */
const behindWhatIsUnderWay = putCode(drawn(newCode(990).put));

async function listed(path: string): Promise<string[]> {
  const environment = openEnvironment(path);
  const ids = [...environment.indexes.code_rendering.getKeys()];
  await environment.close();
  return ids;
}

/** Numbers of new codes, and places of codes that are drawn or asked for again. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ made: fc.uniqueArray(fc.nat(999), { minLength: 1, maxLength: 12 }) }) },
  { weight: 4, arbitrary: fc.record({ drawn: fc.array(fc.nat(), { maxLength: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ again: fc.array(fc.nat(), { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.constant({ reopened: true as const }) },
);

test("what waits for an image is found, through creates in any order, drawing, changes and restarts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const path = temporaryFolder();
      let store = await open(path);
      const codes = new Map<string, CodeDoc>();
      const changed = (places: readonly number[], change: (code: CodeDoc) => CodeDoc) => {
        const all = [...codes.values()];
        const which = new Set(all.length === 0 ? [] : places.map((place) => all[place % all.length]!));
        return [...which].map((code) => putCode(change(code)));
      };
      for (const next of steps) {
        let writes: Write[] = [];
        if ("made" in next) {
          writes = next.made.map(newCode).filter(({ put }) => !codes.has(put.id));
        } else if ("drawn" in next) {
          writes = changed(next.drawn, drawn);
        } else if ("again" in next) {
          writes = changed(next.again, askedAgain);
        } else {
          await store.close();
          store = await open(path);
        }
        await store.commit(writes);
        for (const write of writes) if ("put" in write) codes.set(write.put.id, write.put as CodeDoc);
        const waiting = [...codes.values()]
          .filter(({ render }) => wantsImage(render))
          .map(({ id }) => id)
          .sort();
        const found: string[] = [];
        for (let after: string | null = null; ; after = found.at(-1)!) {
          const page = await store.pendingRenders(after, 3);
          found.push(...page.map(({ id }) => id));
          if (page.length < 3) break;
        }
        assert.deepEqual(found, waiting);
      }
      await store.close();
      await assertIndexesAgree(path);
    }),
    { numRuns: 60 },
  );
});

test("a new code has no entry of its own, and one that comes before those that are looked at has", async () => {
  const path = temporaryFolder();
  const store = await open(path);
  await store.commit([newCode(500), newCode(501)]);
  await store.commit([newCode(100), newCode(502)]);
  await store.close();
  assert.deepEqual(await listed(path), [numbered("qr", 100)]);
});

test("what was drawn is passed and not looked at again, and what still waits gets its entry", async () => {
  const path = temporaryFolder();
  const store = await open(path);
  const made = Array.from({ length: 2 * unlistedMax }, (_, number) => newCode(number));
  await store.commit(made.slice(0, unlistedMax - 1));
  await store.commit(
    made.slice(0, unlistedMax - 1).flatMap(({ put }, at) => (at === 7 ? [] : [putCode(drawn(put))])),
  );
  // With this one there are as many as may be without entries.
  await store.commit([{ collection: "codes", put: drawn(newCode(900).put), isNew: true }]);
  await store.commit([behindWhatIsUnderWay]);
  await store.close();
  assert.deepEqual(await listed(path), [numbered("qr", 7)]);
  const environment = openEnvironment(path);
  assert.equal(environment.layout.get("undrawn_from"), "~", "there is nothing left to look at");
  await environment.close();
});

test("where many wait, they are not written down one by one", async () => {
  const path = temporaryFolder();
  const store = await open(path);
  for (let from = 0; from < 300; from += 100) {
    await store.commit(Array.from({ length: 100 }, (_, at) => newCode(from + at)));
  }
  await store.commit([behindWhatIsUnderWay]);
  assert.equal((await store.pendingRenders(null, 1_000)).length, 300);
  await store.close();
  assert.deepEqual(await listed(path), []);
});

test("layout 4: codes that had an entry each are found by it", async () => {
  const path = temporaryFolder();
  const before = await open(path);
  await before.commit([putCode(sampleCode({ id: numbered("qr", 1), render: sampleRender("pending") }))]);
  await before.close();
  const environment = openEnvironment(path);
  assert.equal(environment.layout.get("undrawn_from"), undefined);
  await environment.layout.put("version", "4");
  await environment.close();
  const store = await open(path);
  await store.commit([newCode(2)]);
  const found = (await store.pendingRenders(null, 10)).map(({ id }) => id);
  assert.deepEqual(found, [numbered("qr", 1), numbered("qr", 2)]);
  await store.close();
});
