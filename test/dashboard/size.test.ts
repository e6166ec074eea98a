/** All that a browser could ever load of the dashboard, compressed, stays within its budget. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { dashboardFiles } from "../../scripts/dashboard/bundle.mjs";

const budgetBytes = 120 * 1024;
const firstViewBytes = 40 * 1024;
const root = fileURLToPath(new URL("../..", import.meta.url));
let files: Map<string, string>;

before(async () => {
  const made = await dashboardFiles(root, "/nowhere");
  files = new Map(made.map(({ path, contents }) => [basename(path), Buffer.from(contents).toString()]));
});

const zipped = (text: string) => gzipSync(text, { level: 9 }).length;

test("everything together is at most 120 KiB, gzipped", () => {
  const sizes = [...files].map(([name, text]) => [name, zipped(text)] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(total <= budgetBytes, `${total} bytes: ${JSON.stringify(Object.fromEntries(sizes))}`);
});

test("the first page, and what it asks for at once, is a third of that", () => {
  const page = files.get("index.html")!;
  const named = [...page.matchAll(/(?:href|src)="\/dashboard\/([^"]+)"/g)].map(([, name]) => name!);
  const total = [page, ...named.map((name) => files.get(name)!)].reduce((sum, text) => sum + zipped(text), 0);
  assert.ok(named.length >= 2);
  assert.ok(total <= firstViewBytes, `${total} bytes`);
});

test("every file but the first page is named after its content, and names no other host", () => {
  for (const [name, text] of files) {
    if (name !== "index.html") assert.match(name, /^[\w-]+-[0-9A-Z]{8}\.(js|css|svg)$/);
    assert.doesNotMatch(
      text,
      /(?:src|href)="https?:|url\(["']?https?:|import\("https?:|@import "https?:/,
      name,
    );
    assert.doesNotMatch(text, /\beval\(|new Function\(/, name);
  }
});

test("the first page has no script and no style of its own, which the policy would refuse", () => {
  const page = files.get("index.html")!;
  assert.doesNotMatch(page, /<style|style="|<script(?![^>]* src=)|\son\w+="/);
});
