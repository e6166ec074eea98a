import assert from "node:assert/strict";
import { test } from "node:test";
import { putCode, sampleProject, scheduleRule } from "../fakes/sample-documents.ts";
import { code, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";

test("a published change is seen by the very next scan, without a read, and the count goes on", async () => {
  const store = await storeWith(code(1));
  const server = await startScans({ store });
  const path = `/${testSlug(1)}`;
  await server.get(path);
  store.calls.clear();
  const { links } = server.scans;

  links.publishCode(code(1, { redirect_url: "https://example.com/new" }));
  assert.equal((await server.get(path)).headers.location, "https://example.com/new");
  const long = `https://example.com/${"x".repeat(1_500)}`;
  links.publishCode(code(1, { redirect_url: long }));
  assert.equal((await server.get(path)).headers.location, long);
  links.publishCode(code(1, { status: "archived" }));
  assert.equal((await server.get(path)).status, 404);
  links.publishCode(code(1, { status: "blocked" }));
  assert.equal((await server.get(path)).status, 403);
  const rule = { condition: "device", value: "ios", url: "https://example.com/ios" } as const;
  links.publishCode(code(1, { redirect_rules: [rule] }));
  const onPhone = await server.get(path, {
    "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)",
  });
  assert.equal(onPhone.headers.location, rule.url);
  assert.equal((await server.get(path)).headers.location, "https://example.com/1");
  links.publishCode(code(1));
  assert.equal((await server.get(path)).headers.location, "https://example.com/1");
  assert.equal(links.scanCount(testSlug(1)), 6);
  assert.deepEqual([...store.calls], []);
});

test("archiving a project stops all its links at once, and un-archiving brings them back", async () => {
  const codes = Array.from({ length: 20 }, (_, n) => code(n));
  const server = await startScans({ store: await storeWith(...codes) });
  const statuses = () =>
    Promise.all(codes.map(async ({ slug }) => (await server.get(`/${slug}`)).status)).then(
      (all) => new Set(all),
    );
  assert.deepEqual(await statuses(), new Set([302]));
  server.scans.links.publishProject(sampleProject({ is_archived: true }));
  assert.deepEqual(await statuses(), new Set([404]));
  server.scans.links.publishProject(sampleProject());
  assert.deepEqual(await statuses(), new Set([302]));
});

test("a code that gets a schedule is served by the account's clock, though the account was not loaded", async () => {
  const store = await storeWith(code(1));
  const server = await startScans({ store });
  await server.get(`/${testSlug(1)}`);
  const always = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
  const scheduled = code(1, {
    redirect_rules: [
      scheduleRule([...always], "00:00", "12:00", "https://example.com/am"),
      scheduleRule([...always], "12:00", "23:59", "https://example.com/pm"),
    ],
  });
  await store.commit([putCode(scheduled)]);
  server.scans.links.publishCode(scheduled);
  const { location } = (await server.get(`/${testSlug(1)}`)).headers;
  assert.match(location ?? "", /\/(am|pm|1)$/);
  assert.equal(server.scans.links.scanCount(testSlug(1)), 2);
  assert.equal(store.calls.get("codeBySlug"), 2);
});

test("a forgotten link is read again and keeps its count, saved or not", async () => {
  const store = await storeWith(code(1));
  const server = await startScans({ store });
  const path = `/${testSlug(1)}`;
  await server.get(path);
  await store.commit([putCode(code(1, { redirect_url: "https://example.com/truth" }))]);
  server.scans.links.forget(testSlug(1));
  assert.equal(await server.scans.links.scanCount(testSlug(1)), 1);
  assert.equal((await server.get(path)).headers.location, "https://example.com/truth");
  assert.equal(server.scans.links.scanCount(testSlug(1)), 2);
  await server.scans.checkpoint();
  server.scans.links.forget(testSlug(1));
  assert.equal(await server.scans.links.scanCount(testSlug(1)), 2);
  await server.get(path);
  assert.equal(server.scans.links.scanCount(testSlug(1)), 3);
});

test("a target that could break out of its header is never served", async () => {
  const evil = code(1, { redirect_url: "https://example.com/\r\nSet-Cookie: a=b" });
  const server = await startScans({ store: await storeWith(evil, code(2)) });
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 503);
  await server.get(`/${testSlug(2)}`);
  assert.throws(() => server.scans.links.publishCode(code(2, { redirect_url: "https://example.com/\n" })));
  assert.equal((await server.get(`/${testSlug(2)}`)).headers.location, "https://example.com/2");
});
