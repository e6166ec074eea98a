/** What the embedded store keeps decoded is what is committed, whatever became of a commit. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { unreadCodesMax } from "../../../src/limits.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { UniqueViolation } from "../../../src/store/store.ts";
import { everything, numbered, putCode, sampleCode } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const store = await openLmdbStore({ path: temporaryFolder(), assertDocument });
after(() => store.close());

const code = sampleCode({ id: numbered("qr", 1), slug: "qr-aaaaaaaaa1", label: "first" });
const other = sampleCode({ id: numbered("qr", 2), slug: "qr-aaaaaaaaa2", label: "other" });
const query = { ...everything, statuses: ["active"] as const, limit: 10 };

async function labels(): Promise<string[]> {
  const { items } = await store.listCodes(query);
  return items.map(({ label }) => label);
}

test("a read after a commit is the new code, in every way to ask for it", async () => {
  await store.commit([putCode(code), putCode(other)]);
  assert.equal((await store.get("codes", code.id))?.label, "first");
  await store.commit([putCode({ ...code, label: "second" })]);
  assert.equal((await store.get("codes", code.id))?.label, "second");
  assert.equal((await store.codeBySlug(code.slug))?.label, "second");
  assert.deepEqual(await labels(), ["other", "second"]);
});

test("a commit that is refused changes no read", async () => {
  const stolen = { ...code, label: "third", slug: other.slug };
  await assert.rejects(store.commit([putCode(stolen)]), UniqueViolation);
  assert.equal((await store.get("codes", code.id))?.label, "second");
  assert.equal((await store.codeBySlug(other.slug))?.label, "other");
});

test("a code that is removed is not read any more", async () => {
  await store.commit([{ collection: "codes", remove: other.id }]);
  assert.equal(await store.get("codes", other.id), null);
  assert.deepEqual(await labels(), ["second"]);
});

test("of what was only written, however often, the last is at hand, and nothing once it is removed", async () => {
  const again = sampleCode({ id: numbered("qr", 50), slug: "qr-aaaaaaaa50" });
  const others = Array.from({ length: unreadCodesMax / 2 }, (_, at) =>
    sampleCode({ id: numbered("qr", 1_000 + at), slug: `qr-1${String(at).padStart(9, "0")}` }),
  );
  await store.commit([putCode(again)]);
  await store.commit(others.map(putCode));
  await store.commit([putCode({ ...again, label: "changed" })]);
  assert.equal(store.codeAtHand(again.id)?.label, "changed");
  await store.commit([{ collection: "codes", remove: again.id }]);
  assert.equal(store.codeAtHand(again.id), undefined);
  assert.equal(await store.get("codes", again.id), null);
});

test("a code that was read is at hand longer than those that were only written", async () => {
  const made = Array.from({ length: unreadCodesMax + 1 }, (_, at) =>
    sampleCode({ id: numbered("qr", 100 + at), slug: `qr-${String(at).padStart(10, "0")}` }),
  );
  const [read, ...unread] = made.map(({ id }) => id);
  const newest = unread.slice(-unreadCodesMax / 2);
  await store.commit(made.map(putCode));
  assert.equal(store.codeAtHand(read!), undefined, "the first of too many");
  assert.deepEqual(
    newest.filter((id) => store.codeAtHand(id) === undefined),
    [],
    "the newest",
  );
  await store.get("codes", read!);
  await store.commit(made.map((doc) => putCode({ ...doc, label: "again" })));
  await store.commit(made.slice(1).map((doc) => putCode({ ...doc, label: "once more" })));
  assert.equal(store.codeAtHand(read!)?.label, "again");
});
