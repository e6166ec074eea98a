/** A page that is gathered in many steps is the page that one step would gather. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { type CodeDoc, codeStatuses, codeTypes } from "../../../src/domain/documents.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { pageOfCodes } from "../../../src/store/lmdb/code-list.ts";
import { openEnvironment } from "../../../src/store/lmdb/environment.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import type { CodeQuery } from "../../../src/store/store.ts";
import { numbered, putCode, sampleCode } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const codes = 2_000;
const anytime = Number.POSITIVE_INFINITY;
/** No time at all: a step ends where it first looks at the clock. */
const atOnce = Number.NEGATIVE_INFINITY;

const path = temporaryFolder();
const store = await openLmdbStore({ path, assertDocument });
await store.commit(Array.from({ length: codes }, (_, n) => putCode(codeOf(n))));
const environment = openEnvironment(path);
after(async () => {
  await environment.close();
  await store.close();
});

function codeOf(n: number): CodeDoc {
  return sampleCode({
    id: numbered("qr", n),
    slug: `qr-${n}`,
    status: codeStatuses[((n * 7) % 11) % codeStatuses.length]!,
    type: codeTypes[n % codeTypes.length]!,
    project_id: `prj_${n % 2}`,
    label: `Label ${n}`,
  });
}

function gather(query: CodeQuery, end: number) {
  const { page, step } = pageOfCodes(
    environment.indexes.code_list,
    query,
    (id) => ({ id }) as unknown as CodeDoc,
  );
  let steps = 1;
  while (!step(end)) steps += 1;
  return { ids: page.items.map(({ id }) => id), more: page.more, steps };
}

const anyQuery: fc.Arbitrary<CodeQuery> = fc.record({
  account_id: fc.constant("acc_1"),
  project_id: fc.constantFrom(null, "prj_1"),
  statuses: fc.subarray([...codeStatuses]),
  type: fc.constantFrom(null, ...codeTypes),
  label_contains: fc.constantFrom(null, "LABEL", "7", "19", "199", "1999", "nowhere"),
  before: fc.option(fc.nat(codes).map((n) => numbered("qr", n))),
  limit: fc.integer({ min: 1, max: 100 }),
});

test("steps that end as soon as they can gather the same page as one step", () => {
  let most = 0;
  fc.assert(
    fc.property(anyQuery, (query) => {
      const whole = gather(query, anytime);
      const pieces = gather(query, atOnce);
      assert.deepEqual([pieces.ids, pieces.more], [whole.ids, whole.more]);
      assert.equal(whole.steps, 1);
      most = Math.max(most, pieces.steps);
    }),
    { numRuns: 300 },
  );
  assert.ok(most > 20, `${most} steps at most`);
});

test("codes that exist all along are found once, whatever changes between the steps", async () => {
  const query: CodeQuery = {
    account_id: "acc_1",
    project_id: null,
    statuses: codeStatuses,
    type: null,
    label_contains: "9",
    before: null,
    limit: codes,
  };
  const expected = gather(query, anytime).ids;
  const { page, step } = pageOfCodes(
    environment.indexes.code_list,
    query,
    (id) => ({ id }) as unknown as CodeDoc,
  );
  for (let at = 0; !step(atOnce); at += 1) {
    // Near the place that the walk has come to: codes that change their status, and others that come and go.
    const near = Number(page.items.at(-1)?.id.replace(/\D/g, "") ?? codes);
    const moved = codeOf(Math.max(0, near + (at % 5) - 2));
    const next = codeStatuses[(codeStatuses.indexOf(moved.status) + 1) % codeStatuses.length]!;
    await store.commit([
      putCode({ ...moved, status: next }),
      putCode({ ...codeOf(codes + at), label: "9 too" }),
      { collection: "codes", remove: numbered("qr", codes + at - 1) },
    ]);
  }
  assert.deepEqual(
    page.items.map(({ id }) => id),
    expected,
  );
});
