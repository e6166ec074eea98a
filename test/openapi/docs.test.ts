/** The API reference: all of it from our own origin, under a policy that lets nothing else in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../support/client.ts";
import { startServer } from "../support/server.ts";

const server = await startServer();
const anyone = new Client(server.url);

const scriptsOf = (page: string) =>
  [...page.matchAll(/<script src="([^"]*)"><\/script>/g)].map(([, src]) => src!);

test("the page loads its scripts from here, and has none in itself", async () => {
  const page = await anyone.get("/docs", 200);
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(page.headers.get("cache-control"), "no-cache");
  const scripts = scriptsOf(page.text);
  assert.equal(scripts.length, 2);
  assert.equal(page.text.split("<script").length - 1, scripts.length);
  for (const [, target] of page.text.matchAll(/(?:src|href)="([^"]*)"/g))
    assert.match(target!, /^\/[^/]|^data:,$/);
  for (const path of scripts) {
    const script = await anyone.get(path, 200);
    assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.ok(path.includes(/"(\w+)/.exec(script.headers.get("etag")!)![1]!), "named by its content");
  }
});

test("the policy lets the browser ask nobody but us, and run no inline script", async () => {
  const policy = (await anyone.get("/docs", 200)).headers.get("content-security-policy")!;
  const rules = new Map(
    policy.split("; ").map((rule) => [rule.split(" ")[0]!, rule.split(" ").slice(1).join(" ")]),
  );
  assert.equal(rules.get("default-src"), "'none'");
  assert.equal(rules.get("script-src"), "'self'");
  assert.equal(rules.get("connect-src"), "'self'");
  assert.equal(rules.get("frame-ancestors"), "'none'");
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
});

test("the viewer shows both documents, and is told to leave everything outside alone", async () => {
  const [viewer, start] = scriptsOf((await anyone.get("/docs", 200)).text);
  assert.match((await anyone.get(viewer!, 200)).text, /@scalar\/api-reference 1\.46\.4/);
  const { text } = await anyone.get(start!, 200);
  const shown: { selector: string; settings: Record<string, unknown> }[] = [];
  const Scalar = {
    createApiReference: (selector: string, settings: Record<string, unknown>) =>
      shown.push({ selector, settings }),
  };
  new Function("Scalar", "location", text)(Scalar, { origin: "https://here.test" });
  const [{ selector, settings }] = shown as [(typeof shown)[0]];
  assert.equal(selector, "#reference");
  const sources = settings.sources as { url: string }[];
  assert.deepEqual(
    sources.map(({ url }) => url),
    ["/openapi.json", "/admin/openapi.json"],
  );
  for (const { url } of sources) await anyone.get(url, 200);
  assert.deepEqual(settings.servers, [{ url: "https://here.test" }]);
  assert.equal(settings.withDefaultFonts, false);
  assert.equal(settings.telemetry, false);
  assert.equal(settings.hideClientButton, true);
  assert.deepEqual(settings.agent, { disabled: true });
  assert.equal("proxyUrl" in settings, false);
});

test("a script by another name is not there", async () => {
  for (const file of ["reference.js", "start-0000.js", "..%2f..%2fpackage.json", "standalone.js"]) {
    assert.equal((await anyone.get(`/docs/${file}`, 404)).body.code, "not_found", file);
  }
});
