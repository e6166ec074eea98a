/** Pages of lists that the embedded store keeps show what is committed, and never something older than was shown before. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { recentListAccountsMax, recentListsOfAccountMax } from "../../../src/limits.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { RecentLists } from "../../../src/store/lmdb/recent-lists.ts";
import { type CodeQuery, UniqueViolation, type Write } from "../../../src/store/store.ts";
import { everything, numbered, putCode, sampleCode } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const code = sampleCode({ id: numbered("qr", 1), slug: "qr-aaaaaaaaa1", label: "first" });
const query: CodeQuery = { ...everything, statuses: ["active"], limit: 10 };
const page = { items: [code], more: false };

function keep(lists: RecentLists, asked = query): void {
  lists.add(asked, page, lists.changes);
}

describe("pages that are kept", () => {
  const removal: Write = { collection: "codes", remove: code.id };
  const elsewhere = putCode({ ...code, account_id: "acc_other" });

  test("are found by all that was asked for", () => {
    const lists = new RecentLists();
    keep(lists);
    assert.equal(lists.get({ ...query }), page);
    const others: Partial<CodeQuery>[] = [
      { account_id: "acc_other" },
      { project_id: code.project_id },
      { statuses: ["active", "archived"] },
      { type: "url" },
      { before: code.id },
      { limit: 11 },
    ];
    for (const other of others) assert.equal(lists.get({ ...query, ...other }), undefined);
  });

  for (const [what, write] of Object.entries({ put: putCode(code), removed: removal })) {
    test(`are gone from when a code is about to be ${what}, and none comes before that is over`, () => {
      const lists = new RecentLists();
      keep(lists);
      lists.begins([write]);
      assert.equal(lists.get(query), undefined);
      keep(lists);
      assert.equal(lists.get(query), undefined);
      lists.begins([write]);
      lists.ends([write]);
      keep(lists);
      assert.equal(lists.get(query), undefined, "another commit is still under way");
      lists.ends([write]);
      keep(lists);
      assert.equal(lists.get(query), page);
    });
  }

  test("stay when codes of another account, or no codes, are written", () => {
    const lists = new RecentLists();
    keep(lists);
    const writes: Write[] = [elsewhere, { collection: "files", remove: "file" }];
    lists.begins(writes);
    assert.equal(lists.get(query), page);
    lists.ends(writes);
    assert.equal(lists.get(query), page);
  });

  test("are none that were read while something changed", () => {
    const lists = new RecentLists();
    const { changes } = lists;
    lists.begins([putCode(code)]);
    lists.ends([putCode(code)]);
    lists.add(query, page, changes);
    assert.equal(lists.get(query), undefined);
  });

  test("are only so many", () => {
    const lists = new RecentLists();
    for (let limit = 1; limit <= recentListsOfAccountMax + 1; limit++) keep(lists, { ...query, limit });
    assert.equal(lists.get({ ...query, limit: 1 }), undefined);
    assert.equal(lists.get({ ...query, limit: 2 }), page);
    for (let n = 0; n < recentListAccountsMax; n++) keep(lists, { ...query, account_id: `acc_more${n}` });
    assert.equal(lists.get({ ...query, limit: 2 }), undefined);
  });
});

describe("a list of the embedded store", async () => {
  const store = await openLmdbStore({ path: temporaryFolder(), assertDocument });
  after(() => store.close());
  const labels = async () => (await store.listCodes(query)).items.map(({ label }) => label);

  test("is the same page until a code of the account is written", async () => {
    await store.commit([putCode(code)]);
    const first = await store.listCodes(query);
    assert.equal(await store.listCodes(query), first);
    await store.commit([
      putCode({ ...code, id: numbered("qr", 7), slug: "qr-aaaaaaaaa7", account_id: "acc_other" }),
    ]);
    assert.equal(await store.listCodes(query), first);
    await store.commit([putCode({ ...code, label: "second" })]);
    assert.deepEqual(await labels(), ["second"]);
  });

  test("has what was created, changed, archived and removed", async () => {
    const other = { ...code, id: numbered("qr", 2), slug: "qr-aaaaaaaaa2", label: "other" };
    const expected: [Write, string[]][] = [
      [putCode(other), ["other", "second"]],
      [putCode({ ...other, label: "renamed" }), ["renamed", "second"]],
      [putCode({ ...code, status: "archived" }), ["renamed"]],
      [{ collection: "codes", remove: other.id }, []],
    ];
    for (const [write, after] of expected) {
      await labels();
      await store.commit([write]);
      assert.deepEqual(await labels(), after);
      assert.deepEqual(await labels(), after);
    }
  });

  test("is what it was when a commit is refused", async () => {
    await store.commit([putCode(code)]);
    assert.deepEqual(await labels(), ["first"]);
    const stolen = { ...code, id: numbered("qr", 3), label: "stolen" };
    await assert.rejects(store.commit([putCode(stolen)]), UniqueViolation);
    assert.deepEqual(await labels(), ["first"]);
  });
});
