/** Scan limits where another process, with another disk, may take the accounts over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { code, sharedStoreWith, startScans, statuses, testSlug } from "../fakes/scan-server.ts";

test("exactly as many scans as the limit, over owners that die and leave no disk behind", async () => {
  let store = await sharedStoreWith(code(1, { scan_limit: 50 }), code(2));
  let redirects = 0;
  for (let owner = 0; owner < 5; owner++) {
    const server = await startScans({ store });
    redirects += (await statuses(server, 1, 12))[302] ?? 0;
    await statuses(server, 2, 3);
    server.crash();
    store = store.next();
  }
  assert.equal(redirects, 50);
  assert.equal(await store.scanCount(testSlug(1)), 50);
});

test("scans that come while counts are saved are saved together", async () => {
  const store = await sharedStoreWith(code(1, { scan_limit: 37 }));
  const server = await startScans({ store });
  await server.get(`/${testSlug(1)}`, {}, "HEAD");
  store.beforeAnswer = (method) => (method === "saveScans" ? sleep(50) : undefined);
  assert.deepEqual(await statuses(server, 1, 200), { 302: 37, 410: 163 });
  assert.ok(store.calls.get("saveScans")! < 20, `${store.calls.get("saveScans")} saves`);
  assert.equal(server.scans.links.scanCount(testSlug(1)), 37);
});

test("while the store is away limited links answer 503, others go on, and no scan of the limit is lost", async () => {
  const store = await sharedStoreWith(code(1, { scan_limit: 5 }), code(2));
  const server = await startScans({ store });
  assert.deepEqual(await statuses(server, 1, 2), { 302: 2 });
  assert.deepEqual(await statuses(server, 2, 2), { 302: 2 });
  store.isAway = true;
  assert.deepEqual(await statuses(server, 1, 4), { 503: 4 });
  assert.deepEqual(await statuses(server, 2, 3), { 302: 3 });
  store.isAway = false;
  assert.deepEqual(await statuses(server, 1, 7), { 302: 3, 410: 4 });
});

test("a save whose answer is lost may have counted, and never lets too many through", async () => {
  const store = await sharedStoreWith(code(1, { scan_limit: 5 }));
  const server = await startScans({ store });
  assert.deepEqual(await statuses(server, 1, 2), { 302: 2 });
  store.losesAnswers = true;
  assert.deepEqual(await statuses(server, 1, 1), { 503: 1 });
  store.losesAnswers = false;
  assert.deepEqual(await statuses(server, 1, 7), { 302: 2, 410: 5 });
  assert.equal(await store.scanCount(testSlug(1)), 5);
});

test("texts, rules and long targets of limited links are answered like others", async () => {
  const long = `https://example.com/${"a".repeat(300)}`;
  const store = await sharedStoreWith(
    code(1, { scan_limit: 1, type: "text", text: "hello", redirect_url: "" }),
    code(2, { scan_limit: 1, redirect_url: long }),
    code(3, {
      scan_limit: 1,
      redirect_rules: [{ condition: "device", value: "ios", url: "https://example.com/ios" }],
    }),
  );
  const server = await startScans({ store });
  const text = await server.get(`/${testSlug(1)}`);
  assert.deepEqual([text.status, text.body], [200, "hello"]);
  assert.equal((await server.get(`/${testSlug(2)}`)).headers.location, long);
  const byRule = await server.get(`/${testSlug(3)}`, { "user-agent": "iPhone" });
  assert.equal(byRule.headers.location, "https://example.com/ios");
  for (const n of [1, 2, 3]) assert.equal((await server.get(`/${testSlug(n)}`)).status, 410);
  assert.equal((await server.get(`/${testSlug(2)}`, {}, "HEAD")).status, 410);
});
