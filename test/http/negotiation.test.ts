import assert from "node:assert/strict";
import { test } from "node:test";
import { preferredEncoding, prefersPage } from "../../src/http/negotiation.ts";
import { negotiationCharsMax } from "../../src/limits.ts";

const chrome =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";

const pages: [accept: string, isPage: boolean][] = [
  [chrome, true],
  ["text/html", true],
  ["TEXT/HTML", true],
  ["Text/Html ; Q=0.4 , application/json ; Q=0.3", true],
  ["text/html;charset=utf-8", true],
  ["text/html, application/json", true],
  ["text/*", true],
  ["text/html;q=0.001", true],
  ["application/json;q=0, */*", true],
  ["text/html;level=1;q=0.2, text/html;q=0.9, application/json;q=0.8", true],
  ["text/html;q=nonsense", true],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  ["application/json, text/html;q=0.5", false],
  ["text/html;q=0", false],
  ["text/html;q=0.0, */*", false],
  ["text/html;q=0,*/*;q=0.1", false],
  ["text/*, application/*", false],
  ["application/xhtml+xml", false],
  ["text/htmlx, xtext/html", false],
  ["image/png", false],
  [",,;q=1,=;", false],
  [`${"x/y,".repeat(negotiationCharsMax)}text/html`, false],
];

for (const [accept, isPage] of pages) {
  test(`Accept: ${accept.slice(0, 80)} → ${isPage ? "the page" : "the envelope"}`, () => {
    assert.equal(prefersPage(accept, "application/json"), isPage);
  });
}

test("a text is a page only to those who name HTML or prefer it", () => {
  for (const accept of [
    chrome,
    "text/html",
    "text/html, text/plain",
    "text/html, text/plain;q=0.9, */*;q=0.1",
  ]) {
    assert.equal(prefersPage(accept, "text/plain"), true, accept);
  }
  for (const accept of [
    "",
    "*/*",
    "text/*",
    "text/plain",
    "text/plain, text/html;q=0.9",
    "application/json",
  ]) {
    assert.equal(prefersPage(accept, "text/plain"), false, accept);
  }
});

const encodings: [acceptEncoding: string, chosen: "br" | "gzip" | null][] = [
  ["", null],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0, gzip;q=0", null],
  ["*", "br"],
  ["*;q=0", null],
  ["*;q=0, gzip;q=0.1", "gzip"],
  ["identity", null],
  ["identity, gzip;q=0.5", null],
  ["identity;q=0.5, gzip", "gzip"],
  ["identity;q=0, *", "br"],
  ["deflate, zstd", null],
];

for (const [acceptEncoding, chosen] of encodings) {
  test(`Accept-Encoding: ${acceptEncoding} → ${chosen}`, () => {
    assert.equal(preferredEncoding(acceptEncoding), chosen);
  });
}
