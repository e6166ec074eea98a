import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../support/client.ts";
import { startServer } from "../support/server.ts";

const server = await startServer();

test("/ is a page for people, with the way to the documentation", async () => {
  const anyone = new Client(server.url);
  const page = await anyone.get("/", 200, { accept: "text/html,*/*;q=0.8" });
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(page.headers.get("vary"), "Accept");
  assert.match(page.headers.get("content-security-policy")!, /^default-src 'none'; style-src 'sha256-/);
  assert.match(page.text, /<a href="\/docs">/);
  const head = await anyone.call("HEAD", "/", { headers: { accept: "text/html" }, status: 200 });
  assert.equal(head.headers.get("content-type"), "text/html; charset=utf-8");
});

test("/ is nothing for programs", async () => {
  for (const accept of ["*/*", "application/json", "text/html;q=0, */*"]) {
    const answer = await new Client(server.url).get("/", 404, { accept });
    assert.equal(answer.body.code, "not_found", accept);
    assert.equal(answer.headers.get("vary"), "Accept");
  }
});
