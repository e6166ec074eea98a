import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../../../src/domain/errors.ts";
import { emptyBlockList, parseBlockList } from "../../../src/domain/target/block-list.ts";
import { checkUrl, isUnsafe, ownHosts, type UrlPolicy } from "../../../src/domain/target/url-safety.ts";
import { blockListText, ownOrigin, table, type Verdict } from "./url-safety-table.ts";

const policy: UrlPolicy = { ownHosts: ownHosts([ownOrigin]), blockList: parseBlockList(blockListText) };

function verdictOn(url: string): Verdict {
  try {
    return checkUrl("redirect_url", url, policy);
  } catch (refusal) {
    assert.ok(refusal instanceof ApiError, String(refusal));
    assert.ok(refusal.message.startsWith("redirect_url "), refusal.message);
    assert.equal(refusal.code, refusal.status === 400 ? "invalid_request" : "unsafe_url");
    return refusal.status as Verdict;
  }
}

test("the table is of a useful size and has no entry twice", () => {
  assert.ok(table.length >= 150);
  assert.equal(new Set(table.map(([url]) => url)).size, table.length);
});

for (const [url, verdict] of table) {
  const shown = JSON.stringify(url.length > 80 ? `${url.slice(0, 80)}…` : url);
  test(`${shown} is ${typeof verdict === "number" ? verdict : "accepted"}`, () => {
    assert.equal(verdictOn(url), verdict);
  });
}

test("punycode of nothing is refused, as no URL or as no public host by the parser of the Node at hand", () => {
  assert.ok([400, 422].includes(verdictOn("http://xn--a/") as number));
  assert.ok([400, 422].includes(verdictOn("http://xn--a.com/") as number));
});

test("what is accepted stays accepted and unchanged", () => {
  for (const [, verdict] of table) {
    if (typeof verdict === "string") {
      assert.equal(verdictOn(verdict), verdict);
      assert.equal(isUnsafe(verdict, policy), null);
    }
  }
});

test("a stored URL becomes unsafe when its host is listed, and when it becomes our own", () => {
  const open: UrlPolicy = { ownHosts: ownHosts([]), blockList: emptyBlockList };
  const href = checkUrl("redirect_url", "https://evil.com/x", open);
  assert.equal(isUnsafe(href, open), null);
  assert.match(isUnsafe(href, policy) ?? "", /blocked/);
  assert.match(isUnsafe(href, { ...open, ownHosts: ownHosts(["https://evil.com"]) }) ?? "", /this service/);
  assert.match(isUnsafe("http://127.0.0.1/", open) ?? "", /private/);
  assert.match(isUnsafe("", open) ?? "", /not a URL/);
});

test("a port of our own is ours; another one of the same host is not", () => {
  const local: UrlPolicy = { ownHosts: ownHosts(["https://qr.acme.com:8443"]), blockList: emptyBlockList };
  assert.throws(() => checkUrl("redirect_url", "https://qr.acme.com:8443/a", local), /this service/);
  assert.equal(checkUrl("redirect_url", "https://qr.acme.com/a", local), "https://qr.acme.com/a");
});

test("both doors of our own host are ours, whichever scheme knocks", () => {
  const own: UrlPolicy = { ownHosts: ownHosts(["https://qr.acme.com"]), blockList: emptyBlockList };
  for (const url of ["http://qr.acme.com/", "http://qr.acme.com:443/", "https://qr.acme.com.:80/a"]) {
    assert.throws(() => checkUrl("redirect_url", url, own), /this service/, url);
  }
  const onPort: UrlPolicy = { ownHosts: ownHosts(["https://qr.acme.com:8443"]), blockList: emptyBlockList };
  for (const url of ["https://qr.acme.com:9443/", "https://example.com:8443/"]) {
    assert.equal(checkUrl("redirect_url", url, onPort), url);
  }
});

test("a URL is measured as it is sent and as it is stored", () => {
  const open: UrlPolicy = { ownHosts: ownHosts([]), blockList: emptyBlockList };
  assert.throws(() => checkUrl("url", "", open), /^ApiError: url must not be empty$/);
  const atMost = /^ApiError: url must be at most 2048 characters$/;
  const folded = `https://example.com/${"./".repeat(1_014)}`;
  assert.equal(checkUrl("url", folded, open), "https://example.com/");
  assert.throws(() => checkUrl("url", `${folded}a`, open), atMost);
  const escaped = (letters: number) => `https://example.com/${"ü".repeat(letters)}`;
  assert.equal(checkUrl("url", escaped(338), open).length, 20 + 338 * 6);
  assert.throws(() => checkUrl("url", escaped(339), open), atMost);
});

test("names of full length are accepted, longer ones are not", () => {
  const open: UrlPolicy = { ownHosts: ownHosts([]), blockList: emptyBlockList };
  const named = (last: number) => `https://${[63, 63, 63, last].map((n) => "a".repeat(n)).join(".")}.com/`;
  assert.equal(checkUrl("url", named(57), open), named(57));
  assert.throws(() => checkUrl("url", named(58), open), /longer than 253 characters/);
  assert.throws(() => checkUrl("url", `https://${"a".repeat(64)}.com/`, open), /malformed host name/);
});

test("every IPv4 address has the same verdict in every spelling", () => {
  fc.assert(
    fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
      const number = ((a * 256 + b) * 256 + c) * 256 + d;
      const hex = number.toString(16).padStart(8, "0");
      const expected = typeof verdictOn(`http://${a}.${b}.${c}.${d}/`);
      const spellings = [
        String(number),
        `0x${hex}`,
        `0${number.toString(8)}`,
        `${a}.${(b * 256 + c) * 256 + d}`,
        `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
        `${a}.${b}.${c}.${d}.`,
      ];
      for (const spelling of spellings)
        assert.equal(typeof verdictOn(`http://${spelling}/`), expected, spelling);
      const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
      for (const carrier of [`::ffff:${groups}`, `64:ff9b::${groups}`, `2002:${groups}::1`]) {
        assert.equal(typeof verdictOn(`http://[${carrier}]/`), expected, carrier);
      }
    }),
    { numRuns: 500 },
  );
});

test("whatever is sent, the answer is a printable URL or a refusal", () => {
  const anything = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: "binary" }).map((text) => `https://example.com/${text}`),
    fc.string({ unit: "binary" }).map((text) => `http://${text}.com/`),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const verdict = verdictOn(text);
      if (typeof verdict === "string") {
        assert.match(verdict, /^https?:\/\/[\x21-\x7e]+$/);
        assert.equal(verdictOn(verdict), verdict);
      } else assert.ok(verdict === 400 || verdict === 422);
    }),
    { numRuns: 2_000 },
  );
});
