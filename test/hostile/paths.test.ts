/** Huge and malformed paths and queries: every one gets an orderly answer, and none reaches what it should not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testEngine } from "../support/engine.ts";
import { ask, inParallel, startHostile } from "../support/hostile/hostile.ts";

const server = await startHostile();

const odd = [
  "%",
  "%%",
  "%2",
  "%zz",
  "%00",
  "%0",
  "%0a",
  "%0d%0aX-Evil:%201",
  "%2f",
  "%2F..%2f",
  "%5c",
  "%2e%2e",
  "%252e%252e",
  "%c0%af",
  "%c0%ae%c0%ae",
  "%e0%80%af",
  "%f0%80%80%af",
  "%ed%a0%80",
  "%ff%fe",
  "%u002f",
  "..",
  "../..",
  ".",
  "...",
  "//",
  "///",
  "\\",
  "..\\..",
  ";",
  "a;b=c",
  "'",
  '"',
  "<script>",
  "{}",
  "|",
  "^",
  "`",
  "~",
  "#",
  "a#b",
  "*",
  "+",
  "\x80\xff",
  "\xc3\xa9",
  "\xf0\x9f\x98\x80",
  "\xc0\xaf",
  "\xed\xa0\x80",
  "\x7f",
  "__proto__",
  "constructor",
  "toString",
  "qr-",
  "QR-0000000000",
  "qr-000000000",
  "qr-00000000000",
  "qr-00000000o0",
  "null",
  "undefined",
  "NaN",
  "-1",
  "1e309",
  "a".repeat(2_000),
  "%41".repeat(2_000),
  "../".repeat(1_000),
  "a/".repeat(2_000),
  "/".repeat(4_000),
];

/** The parser of the node engine takes only ASCII for a path. */
const isRefused = (path: string) => testEngine.name === "node" && /[^\x21-\x7e]/.test(path);
const allowed = [200, 400, 401, 404, 405, 431];

test("odd paths, everywhere a path can be odd", async () => {
  const places: ((part: string) => string)[] = [
    (part) => `/${part}`,
    (part) => `//${part}`,
    (part) => `/${part}/`,
    (part) => `/v1/${part}`,
    (part) => `/v1/qr-codes/${part}`,
    (part) => `/files/${part}/${part}.svg`,
    (part) => `${server.filePath}${part}`,
    (part) => `/admin/v1/accounts/${part}/keys/${part}`,
    (part) => `/${server.slug}${part}`,
    (part) => `/${server.slug}/${part}`,
    (part) => `/${part}/${server.slug}`,
  ];
  const paths = places.flatMap((place) => odd.map(place)).filter((path) => !isTheLink(path));
  const headers = [`x-api-key: ${server.key}`];
  await inParallel([...paths.entries()], 100, async ([at, path]) => {
    for (const method of at % 5 === 0 ? ["GET", "HEAD"] : ["GET"]) {
      const [answer, ...others] = await ask(server.url, method, path, headers);
      assert.ok(
        answer !== undefined && allowed.includes(answer.status),
        `${method} ${path}: ${answer?.status}`,
      );
      assert.equal(others.length, 0);
      assert.ok(!answer.headers.some(([name]) => name === "x-evil" || name === "location"), path);
      if (answer.status !== 200) assert.ok(!answer.body.includes("internal_error"), path);
    }
  });
  await server.assertUnharmed();
});

/** What follows a `?` is not of the path, and a fragment is of the path: browsers do not send it. */
function isTheLink(path: string): boolean {
  return path === `/${server.slug}`;
}

test("odd, long and repeated queries never fail a list, a look-up or a scan", async () => {
  const parts = [
    ...odd,
    "a=b",
    "=",
    "&",
    "&&&",
    "==",
    "=&=",
    "?",
    "??",
    "[]=1",
    "a[b]=c",
    "%3d=%26",
    "a=1&a=2&a=3",
  ];
  const queries = parts.flatMap((part) => [
    part,
    `page_size=${part}`,
    `page_token=${part}&page_token=x`,
    `status=${part}&status=active&status=archived`,
    `label_contains=${part}`,
    `slug=${part}`,
    `download=${part}`,
  ]);
  queries.push("status=active&".repeat(900), "a&".repeat(6_000), `label_contains=${"x".repeat(14_000)}`);
  const headers = [`x-api-key: ${server.key}`];
  await inParallel(queries, 100, async (query) => {
    const asked = [
      { path: `/v1/qr-codes?${query}`, expected: [200] },
      { path: `/v1/qr-codes/find?${query}`, expected: [200, 400, 404] },
      { path: `${server.filePath}?${query}`, expected: [200] },
      { path: `/v1/projects?${query}`, expected: [200] },
      { path: `/qr-0000000000?${query}`, expected: [404] },
    ];
    for (const { path, expected } of asked) {
      const [answer] = await ask(server.url, "GET", path, headers);
      assert.ok(
        answer && (isRefused(path) ? [400] : expected).includes(answer.status),
        `${path.slice(0, 200)}: ${answer?.status} ${answer?.body}`,
      );
    }
  });
  await server.assertUnharmed();
});

test("a scan counts once whatever its query, and passes nothing of it on", async () => {
  const queries = ["", "a=b", "%0d%0aX-Evil:%201", "%00", "\xff", "?", "/../x", "x".repeat(10_000)];
  for (const query of queries) {
    const path = `/${server.slug}?${query}`;
    const [answer] = await ask(server.url, "GET", path);
    if (isRefused(path)) {
      assert.equal(answer?.status, 400, query);
      continue;
    }
    assert.equal(answer?.status, 302, query);
    assert.deepEqual(
      answer?.headers.filter(([name]) => name === "location"),
      [["location", server.target]],
    );
    server.honestScans++;
  }
  await server.assertUnharmed();
});
