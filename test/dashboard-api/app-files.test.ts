/** The pages of the dashboard as browsers get them. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { AppFiles, dashboardPolicy } from "../../src/dashboard-api/app-files.ts";
import { ApiError } from "../../src/domain/errors.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { Reply } from "../../src/http/reply.ts";
import { temporaryFolder } from "../support/endings.ts";
import { startServer } from "../support/server.ts";

const folder = temporaryFolder();
const script = `console.log(${JSON.stringify("x".repeat(5_000))})`;
await writeFile(join(folder, "index.html"), "<!doctype html><title>qrelay</title>");
await writeFile(join(folder, "app-0a1b2c.js"), script);
await writeFile(join(folder, "secret.pem"), "not of the app");
await mkdir(join(folder, "inner"));

const server = await startServer();

function asked(path: string, headers: Record<string, string> = {}) {
  return { exchange: { path, header: (name: string) => headers[name] ?? "" } as unknown as Exchange };
}

const header = (reply: Reply, name: string) => reply.headers.find(([known]) => known === name)?.[1];
const codeOf = (body: unknown) => (body as { code: string }).code;
const isNotFound = (cause: unknown) => cause instanceof ApiError && cause.code === "not_found";

test("the page is never kept, may load nothing from elsewhere, and is there for every address of the app", async () => {
  const app = new AppFiles(folder);
  for (const path of [
    "/dashboard/codes",
    "/dashboard/codes/qr_1/analytics",
    "/dashboard/",
    "/dashboard/apis",
  ]) {
    const reply = await app.below(asked(path));
    assert.equal(String(reply.body), "<!doctype html><title>qrelay</title>", path);
    assert.equal(header(reply, "content-type"), "text/html; charset=utf-8");
    assert.equal(header(reply, "cache-control"), "no-store");
    assert.equal(header(reply, "content-security-policy"), dashboardPolicy);
    assert.equal(header(reply, "referrer-policy"), "same-origin");
    assert.match(header(reply, "etag")!, /^"[0-9a-f]{32}"$/);
  }
  assert.equal(
    dashboardPolicy,
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
});

test("a file is kept for good, compressed, and told by its name", async () => {
  const app = new AppFiles(folder);
  const reply = await app.below(asked("/dashboard/app-0a1b2c.js", { "accept-encoding": "gzip, br" }));
  assert.equal(header(reply, "content-type"), "text/javascript; charset=utf-8");
  assert.equal(header(reply, "cache-control"), "public, max-age=31536000, immutable");
  assert.equal(header(reply, "content-encoding"), "br");
  assert.ok(reply.body.length < 1_000);
  const plain = await app.below(asked("/dashboard/app-0a1b2c.js"));
  assert.equal(String(plain.body), script);
  const known = { "if-none-match": header(plain, "etag")! };
  assert.equal((await app.below(asked("/dashboard/app-0a1b2c.js", known))).status, 304);
});

test("what is no file of the app is not found, however it is asked for", async () => {
  const app = new AppFiles(folder);
  for (const path of [
    "index.html",
    "app-000000.js",
    "secret.pem",
    "inner/x.js",
    "../package.json",
    "..%2fpackage.json",
    "codes/app-0a1b2c.js",
    "constructor.js",
    "api/v1/nothing",
    "api/",
  ]) {
    await assert.rejects(app.below(asked(`/dashboard/${path}`)), isNotFound, path);
  }
});

test("without a build that is said, and a build that comes later is found", async () => {
  const later = join(folder, "later");
  const app = new AppFiles(later);
  await assert.rejects(app.page(asked("/dashboard")), /not built/);
  await assert.rejects(app.below(asked("/dashboard/app.js")), isNotFound);
  await mkdir(later);
  await writeFile(join(later, "index.html"), "there");
  assert.equal(String((await app.page(asked("/dashboard"))).body), "there");
});

test("the routes: GET and HEAD of pages, JSON where the API is, and no other method", async () => {
  const ask = (method: string, path: string) => fetch(server.url + path, { method, redirect: "manual" });
  const page = await ask("GET", "/dashboard");
  assert.ok([200, 404].includes(page.status));
  for (const path of ["/dashboard/codes", "/dashboard/codes/qr_1/analytics"]) {
    assert.equal((await ask("GET", path)).status, page.status);
    const head = await ask("HEAD", path);
    assert.deepEqual([head.status, await head.text()], [page.status, ""]);
  }
  for (const path of ["/dashboard/api/nothing", "/dashboard/api/v1/nothing", "/dashboard/nothing.js"]) {
    const answer = await ask("GET", path);
    assert.deepEqual([answer.status, codeOf(await answer.json())], [404, "not_found"], path);
  }
  for (const [method, path] of [
    ["POST", "/dashboard"],
    ["DELETE", "/dashboard/codes"],
    ["PUT", "/dashboard/api/session"],
  ] as const) {
    const answer = await ask(method, path);
    assert.deepEqual([answer.status, codeOf(await answer.json())], [405, "method_not_allowed"], path);
  }
});
