import assert from "node:assert/strict";
import { test } from "node:test";
import { docsPage } from "../src/http/docs-page.ts";
import { adminOpenapiDocument, openapiDocument } from "../src/http/openapi.ts";

const documents = [openapiDocument("https://qr.test"), adminOpenapiDocument("https://qr.test")];

test("the page shows every operation, every schema and every error", () => {
  for (const document of documents) {
    const page = docsPage(document);
    for (const [path, methods] of Object.entries(document.paths)) {
      assert.ok(page.includes(`<code>${path}</code>`), path);
      for (const { operationId, responses } of Object.values(methods)) {
        assert.ok(page.includes(`id="${operationId}"`), operationId);
        for (const response of Object.values(responses)) {
          for (const code of Object.keys(response.content?.["application/json"]?.examples ?? {})) {
            assert.ok(page.includes(`<code>${code}</code>`), code);
          }
        }
      }
    }
    for (const name of Object.keys(document.components.schemas)) {
      assert.ok(page.includes(`id="schema-${name}"`), name);
    }
  }
});

test("the page needs no outside host and no script", () => {
  for (const document of documents) {
    const page = docsPage(document);
    assert.doesNotMatch(page, /<script|<iframe|<img|@import|url\(/i);
    for (const [, target] of page.matchAll(/(?:href|src)="([^"]*)"/g)) assert.match(target!, /^#|^data:,$/);
  }
});

test("every link of the page has a target, and ids are unique", () => {
  for (const document of documents) {
    const page = docsPage(document);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    assert.equal(new Set(ids).size, ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(ids.includes(target!), target);
  }
});

test("text of the document cannot become markup", () => {
  const document = openapiDocument('https://qr.test/"><b>');
  document.info.title = "<script>alert(1)</script>";
  const page = docsPage(document);
  assert.doesNotMatch(page, /<script|"><b>/);
  assert.match(page, /&lt;script&gt;/);
});
