/**
 * What every store must do, asked through the interface only. An implementation's test file hands in how to
 * open one; `test/store/conformance-lists.ts` holds the part about lists.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CodeDoc, codeStatuses, type Document } from "../../src/domain/documents.ts";
import { documentVersion } from "../../src/store/document-version.ts";
import {
  type Collection,
  StoreUnavailable,
  UniqueViolation,
  type WholeStore,
  type Write,
} from "../../src/store/store.ts";
import {
  numbered,
  putAccount,
  putAnswer,
  putCode,
  putEach,
  putFile,
  putKey,
  putProject,
  putSession,
  putUser,
  sampleAccount,
  sampleAnswer,
  sampleCode,
  sampleFile,
  sampleKey,
  sampleProject,
  sampleSession,
  samples,
  sampleUser,
  savedCount,
} from "../fakes/sample-documents.ts";
import { listConformance } from "./conformance-lists.ts";
import { scanConformance } from "./conformance-scans.ts";

export interface OpenedStore {
  /** An empty store. */
  store: WholeStore;
  /** A store on the same data; the one before is closed. */
  reopen(): Promise<WholeStore>;
  /** Overwrites single fields of a stored document behind the store's back, as another program would; undefined takes one away. */
  tamper?(collection: Collection, id: string, changes: Record<string, unknown>): Promise<void>;
  dispose(): Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;
export type WithStore = (behaviour: string, run: (opened: OpenedStore) => Promise<void>) => void;

/** `skip` is the reason why this store cannot be asked here. */
export function storeConformance(name: string, open: OpenStore, skip: string | false = false): void {
  const withStore: WithStore = (behaviour, run) => {
    test(`${name}: ${behaviour}`, { skip }, async () => {
      const opened = await open();
      try {
        await run(opened);
      } finally {
        await opened.dispose();
      }
    });
  };
  documentConformance(withStore);
  commitConformance(withStore);
  scanConformance(withStore);
  lifeConformance(withStore);
  listConformance(withStore);
}

function documentConformance(withStore: WithStore): void {
  withStore("a document of every collection reads back equal, removed it is gone", async ({ store }) => {
    const documents = Object.entries(samples()) as [Collection, Document][];
    await store.commit(putEach(samples()));
    for (const [collection, document] of documents) {
      assert.deepEqual(await store.get(collection, document.id), document, collection);
    }
    await store.commit(documents.map(([collection, { id }]) => ({ collection, remove: id }) as Write));
    for (const [collection, { id }] of documents) {
      assert.equal(await store.get(collection, id), null, collection);
    }
  });

  withStore("what was never stored is null, whatever is asked", async ({ store }) => {
    for (const id of ["nobody", "", "a b", "x".repeat(5_000), "\u0000", "é/☃", "$where", "a.b"]) {
      assert.equal(await store.get("codes", id), null);
      assert.equal(await store.get("files", id), null);
      assert.equal(await store.codeBySlug(id), null);
      assert.equal(await store.isSlugFree(id), true);
      assert.equal(await store.keyByHash(id), null);
      assert.equal(await store.userByEmail(id), null);
      assert.equal(await store.scanCount(id), 0);
      assert.equal(await store.scanHour(id), null);
    }
    await store.commit([{ collection: "codes", remove: "nobody" }]);
  });

  withStore("a large image keeps its bytes", async ({ store }) => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) % 256);
    await store.commit([putFile(sampleFile({ bytes }))]);
    const file = await store.get("files", sampleFile().id);
    assert.ok(file?.bytes instanceof Uint8Array);
    assert.deepEqual(Buffer.from(file.bytes), Buffer.from(bytes));
    assert.equal(await store.commit([putFile(sampleFile({ bytes: new Uint8Array(0) }))]), undefined);
    assert.equal((await store.get("files", sampleFile().id))?.bytes.length, 0);
  });

  withStore("a document that is not valid is refused as it is written", async ({ store }) => {
    const wrong = { ...sampleCode({ id: "qr_2" }), label: 7 as unknown as string };
    await assert.rejects(store.commit([putCode(sampleCode()), putCode(wrong)]), /label/);
    assert.equal(await store.get("codes", "qr_1"), null);
    assert.equal(await store.get("codes", "qr_2"), null);
  });

  withStore(
    "a document that is not valid, or of a newer version, is refused as it is read",
    async (opened) => {
      await opened.store.commit([
        putCode(sampleCode()),
        putAccount(sampleAccount()),
        putAccount(sampleAccount({ id: "acc_2" })),
      ]);
      if (!opened.tamper) return;
      await opened.store.close();
      await opened.tamper("codes", "qr_1", { v: documentVersion + 1 });
      await opened.tamper("accounts", "acc_1", { active_codes: "many" });
      const store = await opened.reopen();
      const newer = new RegExp(`document version ${documentVersion + 1};`);
      await assert.rejects(store.get("codes", "qr_1"), newer);
      await assert.rejects(async () => store.codeBySlug(sampleCode().slug), newer);
      await assert.rejects(store.walk("codes", null, 10), newer);
      await assert.rejects(store.get("accounts", "acc_1"), /active_codes/);
      assert.deepEqual(await store.get("accounts", "acc_2"), sampleAccount({ id: "acc_2" }));
    },
  );

  withStore(
    "documents of older versions are read with what they lacked, and are found as before",
    async (opened) => {
      const codes = codeStatuses.map((status, n) => sampleCode({ id: numbered("qr", n), status }));
      const session = sampleSession();
      await opened.store.commit([...codes.map(putCode), putAccount(sampleAccount()), putSession(session)]);
      if (!opened.tamper) return;
      await opened.store.close();
      for (const { id } of codes) await opened.tamper("codes", id, { v: 1, blocked: undefined });
      await opened.tamper("accounts", "acc_1", { v: 2, project_count: undefined });
      await opened.tamper("sessions", session.id, { v: 5, minute: undefined, day: undefined });
      const store = await opened.reopen();
      assert.deepEqual(await store.get("sessions", session.id), session);
      assert.deepEqual(await store.get("accounts", "acc_1"), sampleAccount({ project_count: null }));
      for (const code of codes) {
        assert.deepEqual(await store.get("codes", code.id), code);
        const query = { account_id: "acc_1", project_id: null, type: null, label_contains: null };
        const found = await store.listCodes({ ...query, statuses: [code.status], before: null, limit: 10 });
        assert.deepEqual(found.items, [code]);
      }
      for (const code of codes) {
        const archived = { ...code, status: "archived" as const };
        await store.commit([putCode(archived)]);
        assert.deepEqual(await store.codeBySlug(code.slug), archived);
      }
    },
  );

  withStore("keys are found by hash and by account, oldest first", async ({ store }) => {
    const keys = [3, 1, 2].map((n) => sampleKey({ id: numbered("key", n), revoked_at: n === 2 ? 5 : null }));
    await store.commit([...keys.map(putKey), putKey(sampleKey({ id: "key_x", account_id: "acc_12" }))]);
    assert.equal((await store.keyByHash(keys[1]!.hash))?.id, keys[1]!.id);
    assert.deepEqual(
      (await store.keysOf("acc_1")).map((key) => key.id),
      [1, 2, 3].map((n) => numbered("key", n)),
    );
    assert.deepEqual(await store.keysOf("acc_9"), []);
  });

  withStore("users are found by e-mail and by account, oldest first", async ({ store }) => {
    const users = [3, 1, 2].map((n) => sampleUser({ id: numbered("usr", n) }));
    await store.commit([...users.map(putUser), putUser(sampleUser({ id: "usr_x", account_id: "acc_12" }))]);
    assert.deepEqual(await store.userByEmail(users[1]!.email), users[1]);
    assert.deepEqual(
      (await store.usersOf("acc_1")).map(({ id }) => id),
      [1, 2, 3].map((n) => numbered("usr", n)),
    );
    assert.deepEqual(await store.usersOf("acc_9"), []);
    await store.commit([putUser({ ...users[1]!, email: "new@example.com", role: "member" })]);
    assert.equal(await store.userByEmail(users[1]!.email), null);
    assert.equal((await store.userByEmail("new@example.com"))?.role, "member");
    await store.commit([{ collection: "users", remove: users[1]!.id }]);
    assert.equal(await store.userByEmail("new@example.com"), null);
    assert.equal((await store.usersOf("acc_1")).length, 2);
  });

  withStore("expired sessions go, of users and of the operator, and nothing else", async ({ store }) => {
    const ids = ["a1", "b2", "c3"].map((pair) => pair.repeat(32));
    await store.commit([
      putSession(sampleSession({ id: ids[0]!, expires_at: 1_000 })),
      putSession(sampleSession({ id: ids[1]!, expires_at: 2_000 })),
      putSession(sampleSession({ id: ids[2]!, expires_at: 999, account_id: null, user_id: null })),
      putAnswer(sampleAnswer({ expires_at: 1_000 })),
    ]);
    assert.equal(await store.removeExpired("sessions", 2_000), 2);
    assert.deepEqual(
      (await store.walk("sessions", null, 10)).map(({ id }) => id),
      [ids[1]],
    );
    assert.notEqual(await store.get("answers", sampleAnswer().id), null);
  });

  withStore("expired answers go, the others stay, and a renewed answer is not taken", async ({ store }) => {
    const answers = Array.from({ length: 1_200 }, (_, i) =>
      sampleAnswer({ id: numbered("answer", i), expires_at: 1_000 + i }),
    );
    await store.commit(answers.map(putAnswer));
    await store.commit([putAnswer(sampleAnswer({ id: numbered("answer", 5), expires_at: 9_000 }))]);
    assert.equal(await store.removeExpired("answers", 2_100), 1_099);
    assert.equal(await store.get("answers", numbered("answer", 1_099)), null);
    assert.notEqual(await store.get("answers", numbered("answer", 1_100)), null);
    assert.notEqual(await store.get("answers", numbered("answer", 5)), null);
    assert.equal(await store.removeExpired("answers", 2_100), 0);
    assert.equal((await store.walk("answers", null, 10_000)).length, 101);
  });
}

function commitConformance(withStore: WithStore): void {
  withStore(
    "a slug, key hash or e-mail can be stored once, and a refused batch leaves nothing",
    async ({ store }) => {
      await store.commit([putCode(sampleCode()), putKey(sampleKey()), putUser(sampleUser())]);
      const twin = sampleCode({ id: "qr_2", slug: sampleCode().slug });
      const bystander = putProject(sampleProject());
      await assert.rejects(store.commit([bystander, putCode(twin)]), UniqueViolation);
      const twinKey = sampleKey({ id: "key_2", hash: sampleKey().hash });
      await assert.rejects(store.commit([putKey(twinKey), bystander]), UniqueViolation);
      const twinUser = sampleUser({ id: "usr_2", email: sampleUser().email });
      await assert.rejects(store.commit([bystander, putUser(twinUser)]), UniqueViolation);
      assert.equal(await store.get("users", "usr_2"), null);
      assert.equal(await store.get("projects", "prj_1"), null);
      assert.equal(await store.get("codes", "qr_2"), null);
      assert.equal(await store.get("keys", "key_2"), null);
      assert.equal((await store.codeBySlug(twin.slug))?.id, "qr_1");
      assert.equal((await store.keysOf("acc_1")).length, 1);
    },
  );

  withStore("a slug is free until a code has it, and when none has it any more", async ({ store }) => {
    assert.equal(await store.isSlugFree("wanted"), true);
    await store.commit([putCode(sampleCode({ slug: "wanted" }))]);
    assert.equal(await store.isSlugFree("wanted"), false);
    assert.equal(await store.isSlugFree("wante"), true);
    await store.commit([{ collection: "codes", remove: "qr_1" }]);
    assert.equal(await store.isSlugFree("wanted"), true);
  });

  withStore("two new codes of one batch with the same slug are refused", async ({ store }) => {
    const twins = [1, 2].map((n) => putCode(sampleCode({ id: numbered("qr", n), slug: "same" })));
    await assert.rejects(store.commit(twins), UniqueViolation);
    assert.equal(await store.codeBySlug("same"), null);
    assert.deepEqual(await store.walk("codes", null, 10), []);
  });

  withStore("a slug freed in a batch can be taken in the same batch", async ({ store }) => {
    await store.commit([putCode(sampleCode({ slug: "wanted" }))]);
    await store.commit([
      { collection: "codes", remove: "qr_1" },
      putCode(sampleCode({ id: "qr_2", slug: "wanted" })),
    ]);
    assert.equal((await store.codeBySlug("wanted"))?.id, "qr_2");
  });

  withStore("what is new is stored beside what is replaced and what is removed", async ({ store }) => {
    await store.commit([1, 2].map((n) => putCode(sampleCode({ id: numbered("qr", n), slug: `slug-${n}` }))));
    const replaced = sampleCode({ id: numbered("qr", 2), slug: "slug-2", label: "Other" });
    const added = [3, 4].map((n) =>
      sampleCode({ id: numbered("qr", n), slug: n === 3 ? "slug-1" : "slug-4" }),
    );
    const newCode = (put: CodeDoc): Write => ({ collection: "codes", put, isNew: true });
    await store.commit([
      newCode(added[0]!),
      putCode(replaced),
      newCode(added[1]!),
      { collection: "codes", remove: numbered("qr", 1) },
    ]);
    assert.deepEqual(await store.walk("codes", null, 10), [replaced, ...added]);
    const twin = sampleCode({ id: numbered("qr", 5), slug: "slug-4" });
    await assert.rejects(
      store.commit([newCode(twin), putCode(sampleCode({ slug: "bystander" }))]),
      UniqueViolation,
    );
    assert.deepEqual(await store.walk("codes", null, 10), [replaced, ...added]);
  });

  withStore("of many concurrent commits for one slug exactly one wins", async ({ store }) => {
    const attempts = Array.from({ length: 20 }, (_, n) =>
      store.commit([
        putCode(sampleCode({ id: numbered("qr", n), slug: "contested" })),
        putProject(sampleProject({ id: numbered("prj", n) })),
      ]),
    );
    const outcomes = await Promise.allSettled(attempts);
    const won = outcomes.findIndex((outcome) => outcome.status === "fulfilled");
    for (const [n, outcome] of outcomes.entries()) {
      if (n === won) assert.equal(outcome.status, "fulfilled");
      else assert.ok(outcome.status === "rejected" && outcome.reason instanceof UniqueViolation);
      assert.equal((await store.get("projects", numbered("prj", n))) !== null, n === won);
    }
    assert.equal((await store.codeBySlug("contested"))?.id, numbered("qr", won));
  });

  withStore("many concurrent commits are all there, also after reopening", async ({ store, reopen }) => {
    const writers = Array.from({ length: 100 }, (_, n) =>
      store.commit([
        putCode(sampleCode({ id: numbered("qr", n) })),
        putKey(sampleKey({ id: numbered("key", n) })),
        putFile(sampleFile({ id: `${numbered("qr", n)}/a.svg` })),
      ]),
    );
    await Promise.all(writers);
    await allHundred(store);
    await allHundred(await reopen());
  });

  withStore("replacing a document moves everything that finds it", async ({ store }) => {
    await store.commit([putCode(sampleCode()), putKey(sampleKey())]);
    await store.commit([
      putCode(sampleCode({ slug: "new-slug", account_id: "acc_2", label: "Other" })),
      putKey(sampleKey({ hash: "new-hash", account_id: "acc_2" })),
    ]);
    assert.equal(await store.codeBySlug(sampleCode().slug), null);
    assert.equal((await store.codeBySlug("new-slug"))?.label, "Other");
    assert.equal(await store.keyByHash(sampleKey().hash), null);
    assert.equal((await store.keyByHash("new-hash"))?.account_id, "acc_2");
    assert.deepEqual(await store.keysOf("acc_1"), []);
    assert.equal((await store.keysOf("acc_2")).length, 1);
    await store.commit([putCode(sampleCode({ id: "qr_2", slug: sampleCode().slug }))]);
    assert.equal((await store.codeBySlug(sampleCode().slug))?.id, "qr_2");
  });

  withStore("a commit repeated changes nothing", async ({ store }) => {
    const writes = [putCode(sampleCode()), putKey(sampleKey()), putAnswer(sampleAnswer())];
    await store.commit(writes);
    await store.commit(writes);
    await store.commit([]);
    assert.deepEqual(await store.walk("codes", null, 10), [sampleCode()]);
    assert.equal((await store.keysOf("acc_1")).length, 1);
  });
}

function lifeConformance(withStore: WithStore): void {
  withStore(
    "a secret of another store is taken over, and never put in the place of one",
    async ({ store }) => {
      const bytes = Uint8Array.from({ length: 32 }, (_, n) => n);
      await store.adoptSecret("moved", bytes);
      await store.adoptSecret("moved", bytes);
      assert.deepEqual(await store.secret("moved"), bytes);
      const own = await store.secret("own");
      await assert.rejects(store.adoptSecret("own", bytes), UniqueViolation);
      assert.deepEqual(await store.secret("own"), own);
      assert.deepEqual(
        await store.secrets(),
        new Map([
          ["moved", bytes],
          ["own", own],
        ]),
      );
    },
  );

  withStore("a secret is made once and then stays", async ({ store, reopen }) => {
    const [first, twin] = await Promise.all([store.secret("page_token"), store.secret("page_token")]);
    assert.equal(first.length, 32);
    assert.deepEqual(first, twin);
    assert.notDeepEqual(await store.secret("other"), first);
    assert.deepEqual(await (await reopen()).secret("page_token"), first);
  });

  withStore("a closed store is unavailable, and closing twice is fine", async ({ store }) => {
    await store.ping();
    await store.close();
    await store.close();
    await assert.rejects(store.ping(), StoreUnavailable);
    await assert.rejects(store.get("codes", "qr_1"), StoreUnavailable);
    await assert.rejects(store.commit([putCode(sampleCode())]), StoreUnavailable);
    await assert.rejects(store.saveScans([savedCount("a", 1)]), StoreUnavailable);
    await assert.rejects(store.listAccounts({ before: null, limit: 1 }), StoreUnavailable);
  });
}

async function allHundred(store: WholeStore): Promise<void> {
  assert.equal((await store.walk("codes", null, 1_000)).length, 100);
  assert.equal((await store.keysOf("acc_1")).length, 100);
  assert.equal((await store.codeBySlug(`slug-of-${numbered("qr", 42)}`))?.id, numbered("qr", 42));
  assert.equal((await store.walk("files", null, 1_000)).length, 100);
}
