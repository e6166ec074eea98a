import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { numbered, putCode, putFile, sampleCode, sampleFile } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { needs } from "../../support/needs.ts";
import { assertIndexesAgree } from "./consistency.ts";

test("a full disk refuses the commit, and the same store goes on when there is room", {
  skip: needs("prlimit"),
}, async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const commit = (n: number) =>
    store.commit([
      putCode(sampleCode({ id: numbered("qr", n) })),
      putFile(sampleFile({ id: `${numbered("qr", n)}/a.svg`, bytes: new Uint8Array(20_000) })),
    ]);
  const ignored = () => undefined;
  process.on("SIGXFSZ", ignored);
  limitFileSize(String(2 * 1024 * 1024));
  let stored = 0;
  try {
    await assert.rejects(
      async () => {
        for (; stored < 1_000; stored += 1) await commit(stored);
      },
      (error: Error) =>
        error instanceof StoreUnavailable && /store failed: .* error|too large/i.test(error.message),
    );
    assert.ok(stored > 10, `${stored} commits fitted`);
    assert.equal(await store.get("codes", numbered("qr", stored)), null);
    assert.notEqual(await store.get("codes", numbered("qr", stored - 1)), null);
  } finally {
    limitFileSize("unlimited");
    process.off("SIGXFSZ", ignored);
  }
  await commit(stored);
  assert.equal((await store.walk("codes", null, 10_000)).length, stored + 1);
  await store.close();
  await assertIndexesAgree(path);
});

function limitFileSize(bytes: string): void {
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
}
