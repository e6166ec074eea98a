/** The part of the store's conformance suite about lists: filters, paging, walks, pending renders. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type CodeDoc, codeStatuses, codeTypes } from "../../src/domain/documents.ts";
import {
  Cancelled,
  type CodeQuery,
  type CountedQuery,
  placeAfter,
  placeOf,
  type Store,
  type Write,
} from "../../src/store/store.ts";
import {
  everything,
  numbered,
  putAccount,
  putCode,
  putProject,
  sampleAccount,
  sampleCode,
  sampleProject,
  sampleRender,
  savedCount,
} from "../fakes/sample-documents.ts";
import type { WithStore } from "./conformance.ts";

const accounts = ["acc_1", "acc_12", "acc_2"];
const projects = ["prj_1", "prj_11", "prj_2"];
const labels = ["Table", "TABLE 12", "Straße", "menü (lunch)", "a.*b", "İstanbul", "100%", "x"];

const anyCode = fc.record({
  n: fc.nat(30),
  account_id: fc.constantFrom(...accounts),
  project_id: fc.constantFrom(...projects),
  type: fc.constantFrom(...codeTypes),
  status: fc.constantFrom(...codeStatuses),
  label: fc.constantFrom(...labels),
  rendering: fc.constantFrom("pending", "staging", "done", "error", "idle"),
  remove: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});

const anyFilter = fc.record({
  account_id: fc.constantFrom(...accounts, "acc_none"),
  project_id: fc.constantFrom(null, ...projects, "prj_none"),
  statuses: fc.array(fc.constantFrom(...codeStatuses), { maxLength: 4 }),
  type: fc.constantFrom(null, ...codeTypes),
  label_contains: fc.constantFrom(null, "", "table", "STRASSE", "ß", ".*", "%", "MENÜ", "i", "("),
  order: fc.constantFrom("newest" as const, "oldest" as const, "label" as const),
  limit: fc.integer({ min: 1, max: 12 }),
});

const anyLast = fc.option(fc.record({ n: fc.nat(31), label: fc.constantFrom(...labels) }));

const anyQuery: fc.Arbitrary<CodeQuery> = fc.tuple(anyFilter, anyLast).map(([filter, last]) => ({
  ...filter,
  before: last && placeAfter(filter.order, { id: numbered("qr", last.n), label: last.label }),
}));

/** By labels in lower case, then by ids. */
function compare(order: CodeQuery["order"], a: Pick<CodeDoc, "id" | "label">, b: typeof a): number {
  const ids = a.id < b.id ? -1 : Number(a.id > b.id);
  if (order !== "label") return order === "oldest" ? ids : -ids;
  const [left, right] = [a.label.toLowerCase(), b.label.toLowerCase()];
  return left === right ? ids : left < right ? -1 : 1;
}

function naiveList(codes: Iterable<CodeDoc>, query: CodeQuery) {
  const last = query.before === null ? null : placeOf(query.order ?? "newest", query.before);
  const all = [...codes]
    .filter((code) => code.account_id === query.account_id)
    .filter((code) => query.project_id === null || code.project_id === query.project_id)
    .filter((code) => query.type === null || code.type === query.type)
    .filter((code) => query.statuses.includes(code.status))
    .filter((code) => code.label.toLowerCase().includes((query.label_contains ?? "").toLowerCase()))
    .filter((code) => last === null || compare(query.order, code, last) > 0)
    .sort((a, b) => compare(query.order, a, b));
  return { items: all.slice(0, query.limit), more: all.length > query.limit };
}

/** Every third code was scanned. */
const countOf = (slug: string) => (Number(slug.replace(/\D/g, "")) % 3 === 0 ? 7 : 0);

function naiveCounted(codes: Iterable<CodeDoc>, query: CountedQuery) {
  const { items, more } = naiveList(codes, { ...everything, ...query });
  return { items: items.map(({ id, slug }) => ({ id, slug, count: countOf(slug) })), more };
}

export function listConformance(withStore: WithStore): void {
  withStore("every combination of filters agrees with a plain model, through changes", async ({ store }) => {
    const model = new Map<string, CodeDoc>();
    const slugs = Array.from({ length: 31 }, (_, n) => sampleCode({ id: numbered("qr", n) }).slug);
    await store.saveScans(slugs.filter(countOf).map((slug) => savedCount(slug, countOf(slug))));
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCode, { minLength: 1, maxLength: 15 }),
        fc.array(anyQuery),
        async (changes, queries) => {
          await store.commit(writesOf(changes, model));
          for (const query of queries)
            assert.deepEqual(await store.listCodes(query), naiveList(model.values(), query));
          for (const { account_id, project_id, limit } of queries) {
            const query = { account_id, project_id, before: null, limit };
            assert.deepEqual(await store.countedCodes(query), naiveCounted(model.values(), query));
          }
          assert.deepEqual(await store.pendingRenders(null, 1_000), pendingOf(model));
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
    assert.deepEqual(
      await store.walk("codes", null, 1_000),
      [...model.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  withStore("pages are stable while codes are inserted, archived and removed", async ({ store }) => {
    const kept = Array.from({ length: 40 }, (_, n) => sampleCode({ id: numbered("qr", n * 10) }));
    await store.commit(kept.map(putCode));
    const seen: string[] = [];
    let before: string | null = null;
    for (let page = 0; ; page += 1) {
      const { items, more } = await store.listCodes({ ...everything, before, limit: 7 });
      seen.push(...items.map((code) => code.id));
      if (!more) break;
      before = items.at(-1)!.id;
      await store.commit([
        putCode(sampleCode({ id: numbered("qr", 1_000 + page) })),
        putCode(sampleCode({ id: numbered("qr", 200 + page), label: "in the middle" })),
        { collection: "codes", remove: numbered("qr", 200 + page - 1) },
      ]);
    }
    assert.equal(new Set(seen).size, seen.length, "no code twice");
    const stayed = kept.map((code) => code.id).filter((id) => id !== numbered("qr", 200));
    assert.deepEqual(
      stayed.filter((id) => !seen.includes(id)),
      [],
    );
  });

  withStore("a search that nobody wants any more ends as cancelled", async ({ store }) => {
    await store.commit([putCode(sampleCode())]);
    const search = { ...everything, label_contains: "no such label" };
    await assert.rejects(store.listCodes(search, AbortSignal.abort()), Cancelled);
    const controller = new AbortController();
    const searching = store.listCodes(search, controller.signal);
    controller.abort();
    await assert.rejects(searching, Cancelled);
    assert.deepEqual(await store.listCodes(search, new AbortController().signal), { items: [], more: false });
  });

  withStore("a full last page says that nothing follows", async ({ store }) => {
    await store.commit([1, 2, 3].map((n) => putCode(sampleCode({ id: numbered("qr", n) }))));
    const page = await store.listCodes({ ...everything, limit: 3 });
    assert.deepEqual(
      page.items.map((code) => code.id),
      [3, 2, 1].map((n) => numbered("qr", n)),
    );
    assert.equal(page.more, false);
    assert.equal((await store.listCodes({ ...everything, limit: 2 })).more, true);
  });

  withStore("projects and accounts are listed newest first, page by page", async ({ store }) => {
    const numbers = Array.from({ length: 9 }, (_, n) => n);
    await store.commit([
      ...numbers.map((n) => putProject(sampleProject({ id: numbered("prj", n) }))),
      ...numbers.map((n) => putAccount(sampleAccount({ id: numbered("acc", n) }))),
      putProject(sampleProject({ id: numbered("prj", 4_000), account_id: "acc_10" })),
    ]);
    const newestFirst = numbers.toReversed();
    const listed = await paged((stretch) => store.listProjects("acc_1", stretch));
    assert.deepEqual(
      listed,
      newestFirst.map((n) => numbered("prj", n)),
    );
    const everyone = await paged((stretch) => store.listAccounts(stretch));
    assert.deepEqual(
      everyone,
      newestFirst.map((n) => numbered("acc", n)),
    );
    assert.deepEqual(await store.listProjects("acc_0", { before: null, limit: 5 }), {
      items: [],
      more: false,
    });
  });

  withStore("a walk passes every document once, in the order of ids", async ({ store }) => {
    await store.commit([5, 1, 4, 2, 3].map((n) => putProject(sampleProject({ id: numbered("prj", n) }))));
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const step: { id: string }[] = await store.walk("projects", after, 2);
      if (step.length === 0) break;
      seen.push(...step.map((project) => project.id));
      after = step.at(-1)!.id;
    }
    assert.deepEqual(
      seen,
      [1, 2, 3, 4, 5].map((n) => numbered("prj", n)),
    );
  });

  withStore("pending renders come in steps and go when they are done", async ({ store }) => {
    const states = ["pending", "done", "staging", "pending", "error", "idle"] as const;
    const codes = states.map((s, n) => sampleCode({ id: numbered("qr", n), render: sampleRender(s) }));
    await store.commit(codes.map(putCode));
    assert.deepEqual(
      await pendingIds(store, null, 2),
      [0, 2].map((n) => numbered("qr", n)),
    );
    assert.deepEqual(await pendingIds(store, numbered("qr", 2), 2), [numbered("qr", 3)]);
    await store.commit([putCode({ ...codes[0]!, render: sampleRender("done") })]);
    assert.deepEqual(
      await pendingIds(store, null, 9),
      [2, 3].map((n) => numbered("qr", n)),
    );
  });
}

function writesOf(
  changes: { n: number; remove: boolean; rendering: CodeDoc["render"]["status"]; label: string }[],
  model: Map<string, CodeDoc>,
): Write[] {
  const byId = new Map<string, Write>();
  for (const { n, remove, rendering, ...fields } of changes) {
    const id = numbered("qr", n);
    const code = sampleCode({ id, ...fields, render: sampleRender(rendering) });
    byId.set(id, remove ? { collection: "codes", remove: id } : putCode(code));
    if (remove) model.delete(id);
    else model.set(id, code);
  }
  return [...byId.values()];
}

function pendingOf(model: Map<string, CodeDoc>): CodeDoc[] {
  return [...model.values()]
    .filter((code) => code.render.status === "pending" || code.render.status === "staging")
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function pendingIds(store: Store, after: string | null, limit: number): Promise<string[]> {
  return (await store.pendingRenders(after, limit)).map((code) => code.id);
}

async function paged(
  list: (stretch: {
    before: string | null;
    limit: number;
  }) => Promise<{ items: readonly { id: string }[]; more: boolean }>,
): Promise<string[]> {
  const seen: string[] = [];
  for (let before: string | null = null; ; before = seen.at(-1)!) {
    const { items, more } = await list({ before, limit: 4 });
    seen.push(...items.map((item) => item.id));
    if (!more) return seen;
  }
}
