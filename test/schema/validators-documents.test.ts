import assert from "node:assert/strict";
import { test } from "node:test";
import { assertDocument } from "../../src/schema/validators.ts";
import type { Collection } from "../../src/store/store.ts";
import { sampleAccount, samples } from "../fakes/sample-documents.ts";

const account = sampleAccount({ limits: { burst: 5 } });
const good = { ...samples(), accounts: account };
const { keys: key, codes: code } = good;
const collections = Object.keys(good) as Collection[];

test("a document of each collection passes, and of no other", () => {
  for (const collection of collections) {
    for (const other of collections) {
      const check = () => assertDocument(collection, good[other]);
      if (collection === other) assert.doesNotThrow(check);
      else assert.throws(check, new RegExp(`^Error: ${collection}/`));
    }
  }
});

test("the error names collection, id and place", () => {
  const bad = { ...code, render: { ...code.render, version: -1 } };
  assert.throws(() => assertDocument("codes", bad), /^Error: codes\/qr_1: render\.version must be /);
  assert.throws(
    () => assertDocument("keys", { ...key, hash: undefined }),
    /^Error: keys\/key_1: hash must be /,
  );
  assert.throws(() => assertDocument("accounts", null), /^Error: accounts\/undefined: document must be /);
});

test("a limit that is malformed is noticed", () => {
  for (const burst of [-1, 1.5, Number.NaN, "5", null]) {
    assert.throws(() => assertDocument("accounts", { ...account, limits: { burst } }), /limits\.burst/);
  }
});
