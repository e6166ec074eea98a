/**
 * The same job gives the same bytes, today and after every change. When a change of the pictures is wanted,
 * look at the contact sheet, then run this file with `UPDATE_GOLDEN=1`.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { RenderMetadata } from "../../src/domain/documents.ts";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { render } from "../../workers/render.ts";
import { borderStyles, dotStyles, eyeStyles, longText, shortLink } from "../golden/styles.ts";

const file = new URL("../golden/render-hashes.json", import.meta.url);

function jobs(): Map<string, { content: string; metadata: RenderMetadata }> {
  const found = new Map<string, { content: string; metadata: RenderMetadata }>();
  const add = (name: string, content: string, wish: Partial<RenderMetadata>) =>
    found.set(name, { content, metadata: { ...defaultMetadata, ...wish } });
  for (const dot_style of dotStyles) {
    for (const eye_style of eyeStyles) add(`${dot_style} ${eye_style}`, shortLink, { dot_style, eye_style });
  }
  for (const border_style of borderStyles) add(`border ${border_style}`, shortLink, { border_style });
  add("transparent", shortLink, { bg_transparent: true });
  add("transparent dots", shortLink, { bg_transparent: true, dot_style: "dots" });
  add("long text", longText, { error_correction: "H", dot_style: "classy-rounded" });
  add("odd sides", shortLink, { width: 333, height: 251, dot_style: "rounded", border_style: "rounded" });
  add("millimetres", shortLink, { unit: "mm", width: 40, height: 40, dpi: 600 });
  return found;
}

function hashes(): Record<string, { svg: string; png: string }> {
  return Object.fromEntries(
    [...jobs()].map(([name, job]) => {
      const { svg, png } = render(job);
      return [name, { svg: svg.hash, png: png!.hash }];
    }),
  );
}

test("rendering twice gives the same bytes", () => {
  for (const [name, job] of jobs()) {
    const [first, second] = [render(job), render(job)];
    assert.deepEqual(first.svg.bytes, second.svg.bytes, name);
    assert.deepEqual(first.png!.bytes, second.png!.bytes, name);
  }
});

test("the files are those that were looked at and approved", () => {
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, `${JSON.stringify(hashes(), null, 2)}\n`);
  assert.deepEqual(hashes(), JSON.parse(readFileSync(file, "utf8")));
});

test("the hash is the first half of the bytes' SHA-256", async () => {
  const { png } = render({ content: shortLink, metadata: defaultMetadata });
  const digest = await crypto.subtle.digest("SHA-256", Buffer.from(png!.bytes));
  assert.equal(png!.hash, Buffer.from(digest).toString("hex").slice(0, 32));
});
