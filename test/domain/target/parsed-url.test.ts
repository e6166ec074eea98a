/** What is taken apart without the parser is what the parser makes of it, to the letter. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ParsedUrl, parseUrl, plainUrl } from "../../../src/domain/target/parsed-url.ts";

const parts = [
  ...["href", "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"],
] as (keyof ParsedUrl)[];

function partsOf(url: ParsedUrl | null): Record<string, string> | null {
  return url && Object.fromEntries(parts.map((part) => [part, url[part]]));
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Whether it was taken apart without the parser. */
function agrees(text: string): boolean {
  const plain = plainUrl(text);
  if (plain !== null) assert.deepEqual(partsOf(plain), partsOf(parsed(text)), text);
  assert.deepEqual(partsOf(parseUrl(text)), partsOf(parsed(text)), text);
  return plain !== null;
}

for (const text of [
  "https://example.com/",
  "http://www.shop.example.co.uk/menus/spring?table=12",
  "https://a-b.1.example.com//a/index.html?q=%20/../.&&=?#top/%41?.",
  "https://example.com/~me/@you/a+b,c;d=e:f!$&()*",
  "https://3com.com/a.b.c/d_e/",
]) {
  test(`${text} needs no parser`, () => assert.ok(agrees(text)));
}

for (const text of [
  ...["https://example.com", "HTTPS://example.com/", "https://Example.com/", "https://example.com:443/"],
  ...["https://example.com./", "https://example..com/", "https://.example.com/", "https://-a.com/"],
  ...[
    "https://xn--mnchen-3ya.de/",
    "https://a--b.com/",
    "https://a.1/",
    "https://1.2.3.4/",
    "https://a.0x1/",
  ],
  ...["https://user@example.com/", "https://user:password@example.com/", "https://localhost/"],
  ...[
    "https://example.com/.",
    "https://example.com/a/../b",
    "https://example.com/./a",
    "https://example.com/a./b",
  ],
  ...[
    "https://example.com/%2e/a",
    "https://example.com/%2E%2e",
    "https://example.com/a?",
    "https://example.com/#",
  ],
  ...[
    "https://example.com/a b",
    "https://example.com/a\tb",
    "https://example.com/\n",
    " https://example.com/",
  ],
  ...[
    "https://example.com/'?'",
    "https://example.com/?a'b",
    'https://example.com/?"',
    "https://example.com/?<>",
  ],
  ...["https:/example.com/", "https:\\\\example.com/", "https://example.com\\a", "https://example.com/ä"],
  ...["https://exämple.com/", "https://example.com/a^b", "https://example.com/`", "https://example.com/{}|"],
  ...["ftp://example.com/", "https://[::1]/", "https://", "", "/", "javascript:alert(1)//a.com/"],
]) {
  test(`${JSON.stringify(text)} is left to the parser`, () => assert.ok(!agrees(text)));
}

test("whatever stands at whichever place, both say the same", () => {
  const whole = "https://a-b.example.com/a/b.c?d=e#f";
  let plain = 0;
  for (let at = 0; at <= whole.length; at++) {
    for (let code = 0; code <= 0x100; code++) {
      const character = String.fromCharCode(code);
      if (agrees(whole.slice(0, at) + character + whole.slice(at))) plain++;
      if (agrees(whole.slice(0, at) + character + whole.slice(at + 1))) plain++;
    }
  }
  assert.ok(plain > 2_000, `${plain} without the parser`);
});

test("of any pieces, in any order, both say the same", () => {
  const piece = fc.constantFrom(
    ...["https://", "http://", "a", "example", "com", ".", "-", "/", "?", "#", ":", "@", "%", "2e", "%2E"],
    ...[
      "xn--",
      "0x",
      "1",
      "80",
      "_",
      "~",
      "'",
      "&",
      "=",
      "..",
      "//",
      "\\",
      " ",
      "ü",
      "A",
      "|",
      "^",
      "[",
      "]",
    ],
  );
  const begin = fc.constantFrom(
    "",
    "https://",
    "https://a.com",
    "https://a.com/",
    "https://a.com/a?",
    "http://a.",
  );
  let plain = 0;
  fc.assert(
    fc.property(begin, fc.array(piece, { maxLength: 12 }), (first, pieces) => {
      if (agrees(first + pieces.join(""))) plain++;
    }),
    { numRuns: 50_000 },
  );
  assert.ok(plain > 1_000, `${plain} without the parser`);
});

test("a text that is nearly a URL is looked through once, however long it is", () => {
  const long = 60_000;
  const began = performance.now();
  for (const text of [
    `https://${"a".repeat(long)}`,
    `https://${"a.".repeat(long)}`,
    `https://${"a-".repeat(long)}`,
    `https://${"a-a.".repeat(long)}!`,
    `https://a.com${"/a".repeat(long)}"`,
    `https://a.com/${"a.a".repeat(long)}"`,
    `https://a.com/${"a".repeat(long)}?${"a".repeat(long)}#${"a".repeat(long)}"`,
  ]) {
    assert.equal(plainUrl(text), null);
  }
  assert.ok(performance.now() - began < 1_000);
});
