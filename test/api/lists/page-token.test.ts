import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listScope, pageSize, pageTokens } from "../../../src/api/list-pages.ts";

const tokens = pageTokens(new Uint8Array(32).fill(7));
const id = fc.stringMatching(/^qr_[0-9a-z]{1,40}$/);
const scope = fc.string();

test("a token gives back the id that it was made of, in its scope", () => {
  fc.assert(
    fc.property(scope, id, (where, last) =>
      assert.equal(tokens.read(where, tokens.issue(where, last)), last),
    ),
  );
});

test("a token is printable and needs no escaping in a query", () => {
  fc.assert(fc.property(scope, id, (where, last) => assert.match(tokens.issue(where, last), /^[\w-]+$/)));
});

test("a token of another scope or another secret is none", () => {
  const others = pageTokens(new Uint8Array(32).fill(8));
  fc.assert(
    fc.property(scope, scope, id, (one, other, last) => {
      fc.pre(one !== other);
      const token = tokens.issue(one, last);
      assert.equal(tokens.read(other, token), null);
      assert.equal(others.read(one, token), null);
    }),
  );
});

test("whatever is changed in a token, it is refused", () => {
  const change = fc.oneof(
    fc.record({
      kind: fc.constant("replace" as const),
      at: fc.nat(),
      char: fc.string({ minLength: 1, maxLength: 1 }),
    }),
    fc.record({
      kind: fc.constant("insert" as const),
      at: fc.nat(),
      char: fc.string({ minLength: 1, maxLength: 1 }),
    }),
    fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), char: fc.constant("") }),
  );
  fc.assert(
    fc.property(scope, id, change, (where, last, { kind, at, char }) => {
      const token = tokens.issue(where, last);
      const place = at % (token.length + (kind === "insert" ? 1 : 0));
      const behind = kind === "insert" ? place : place + 1;
      const changed =
        kind === "cut" ? token.slice(0, place) : token.slice(0, place) + char + token.slice(behind);
      fc.pre(changed !== token);
      assert.equal(tokens.read(where, changed), null);
    }),
    { numRuns: 2_000 },
  );
});

test("text that was never a token is refused", () => {
  fc.assert(fc.property(scope, fc.string(), (where, text) => assert.equal(tokens.read(where, text), null)));
});

test("scopes are equal only when all their parts are", () => {
  const part = fc.oneof(fc.constant(null), fc.string(), fc.array(fc.string(), { maxLength: 3 }));
  const parts = fc.array(part, { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      assert.equal(listScope(...one) === listScope(...other), same);
    }),
  );
});

test("page_size is always brought into range", () => {
  const table: [given: string | null, size: number][] = [
    [null, 20],
    ["", 20],
    ["abc", 20],
    ["5.5", 20],
    ["1e1", 20],
    ["0x10", 20],
    ["NaN", 20],
    ["Infinity", 20],
    ["٣", 20],
    ["5 5", 20],
    ["1", 1],
    ["100", 100],
    ["101", 100],
    ["9".repeat(400), 100],
    ["0", 7],
    ["-0", 7],
    ["-1", 7],
    [`-${"9".repeat(400)}`, 7],
  ];
  for (const [given, size] of table) assert.equal(pageSize(given, 7), size, String(given));
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer().map(String)),
      fc.constantFrom(1, 20),
      (given, belowOne) => {
        const size = pageSize(given, belowOne);
        assert.ok(Number.isInteger(size) && size >= 1 && size <= 100);
      },
    ),
  );
});
