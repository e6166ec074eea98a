/** What people see at links: every page tells something of its own, and a text cannot become markup. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { ErrorCode } from "../../src/domain/errors.ts";
import { smallPagePolicy } from "../../src/http/small-page.ts";
import { scanPage, textPage } from "../../src/redirect/pages.ts";
import { code, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";

const browser = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const codes: ErrorCode[] = [
  "not_found",
  "qr_not_found",
  "qr_expired",
  "qr_scan_limit_reached",
  "qr_blocked",
  "unavailable",
];

function partsOf(page: string): { title: string; heading: string; text: string } {
  const [, title, heading, text] = /<title>(.*?)<\/title>.*<h1>(.*?)<\/h1><p>(.*?)<\/p>/s.exec(page)!;
  return { title: title!, heading: heading!, text: text! };
}

test("each refusal has a title and a text of its own, and the text does not say the title again", () => {
  const seen = new Set<string>();
  for (const refused of codes) {
    const { title, heading, text } = partsOf(scanPage(refused));
    assert.equal(heading, title);
    assert.ok(!text.toLowerCase().includes(title.toLowerCase()), refused);
    assert.ok(text.split(/[.?;:] /).length >= 2, `${refused}: what happened, and what to do`);
    seen.add(title).add(text);
  }
  assert.equal(seen.size, 2 * codes.length);
});

test("the style is the only thing that the policy lets in", () => {
  for (const page of [...codes.map(scanPage), textPage("x")]) {
    const [, style] = /<style>(.*?)<\/style>/s.exec(page)!;
    const hash = createHash("sha256").update(style!).digest("base64");
    assert.ok(smallPagePolicy.includes(`style-src 'sha256-${hash}'`));
    assert.doesNotMatch(page, /<script|<img|<link|style="|https?:|@import|url\(/);
  }
});

test("a text code is a page to a browser and plain text to others, and counts the same", async () => {
  const text = "Zeile 1\n  <script>alert(\"1\")</script> & 'Ende' 🎈";
  const server = await startScans({
    store: await storeWith(code(1, { type: "text", text, redirect_url: "" })),
  });
  const path = `/${testSlug(1)}`;
  // Cold first, then from memory.
  for (const counted of [1, 3]) {
    const page = await server.get(path, browser);
    assert.equal(server.scans.links.scanCount(testSlug(1)), counted);
    assert.equal(page.status, 200);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.equal(page.headers["content-security-policy"], smallPagePolicy);
    assert.equal(page.headers["x-content-type-options"], "nosniff");
    assert.equal(page.headers["cache-control"], "no-store");
    assert.equal(page.headers.vary, "Accept");
    assert.doesNotMatch(page.body, /<script/);
    const [, shown] = /<p class="text" dir="auto">(.*?)<\/p>/s.exec(page.body)!;
    assert.equal(
      shown!.replace(/&#(\d+);/g, (_, char) => String.fromCharCode(Number(char))),
      text,
    );
    const head = await server.get(path, browser, "HEAD");
    assert.equal(head.headers["content-length"], String(Buffer.byteLength(page.body)));
    assert.equal(head.headers["content-type"], page.headers["content-type"]);
    const plain = await server.get(path, { Accept: "*/*" });
    assert.equal(plain.headers["content-type"], "text/plain; charset=utf-8");
    assert.equal(plain.headers.vary, "Accept");
    assert.equal(plain.body, text);
    assert.equal(server.scans.links.scanCount(testSlug(1)), counted + 1);
  }
});

test("a prefetch of a text code gets the page and does not count", async () => {
  const store = await storeWith(code(1, { type: "text", text: "x", redirect_url: "" }));
  const server = await startScans({ store });
  const page = await server.get(`/${testSlug(1)}`, { ...browser, "Sec-Purpose": "prefetch" });
  assert.equal(page.body, textPage("x"));
  assert.equal(await server.scans.links.scanCount(testSlug(1)), 0);
});

test("a text code with a limit shows its page exactly so often", async () => {
  const store = await storeWith(code(1, { type: "text", text: "x", redirect_url: "", scan_limit: 3 }));
  const server = await startScans({ store });
  const answers = await Promise.all(Array.from({ length: 8 }, () => server.get(`/${testSlug(1)}`, browser)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 3);
  assert.equal(answers.filter(({ status }) => status === 410).length, 5);
});
