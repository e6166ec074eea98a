/** What robots get: a preview of links with a limit, and the way on of others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { code, sharedStoreWith, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";

const robot = { "user-agent": "WhatsApp/2.23.20.0 A" };
const person = {
  "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15",
};

for (const [where, openStore] of [
  ["one owner", storeWith],
  ["changing owners", sharedStoreWith],
] as const) {
  test(`${where}: a robot at a link with a limit sees a page without a target and uses nothing up`, async (t) => {
    const store = await openStore(
      code(1, { scan_limit: 2 }),
      code(2, { scan_limit: 1, type: "text", text: "secret words", redirect_url: "" }),
      code(3, { scan_limit: 5, expires_at: 1 }),
    );
    const server = await startScans({ store });
    t.after(() => server.stop());
    const path = `/${testSlug(1)}`;
    for (let n = 0; n < 5; n++) {
      const answer = await server.get(path, robot);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.location, undefined);
      assert.match(answer.headers["content-type"]!, /^text\/html/);
      assert.equal(answer.headers["x-robots-tag"], "noindex");
      assert.doesNotMatch(answer.body, /example\.com/);
    }
    const head = await server.get(path, robot, "HEAD");
    assert.deepEqual([head.status, head.headers.location, head.body], [200, undefined, ""]);
    const prefetch = await server.get(path, { ...robot, purpose: "prefetch" });
    assert.deepEqual([prefetch.status, prefetch.headers.location], [200, undefined]);
    assert.equal(await server.scans.links.scanCount(testSlug(1)), 0);
    assert.doesNotMatch((await server.get(`/${testSlug(2)}`, robot)).body, /secret words/);
    assert.equal((await server.get(`/${testSlug(3)}`, robot)).status, 410);

    assert.equal((await server.get(path, person)).status, 302);
    assert.equal((await server.get(path, person)).status, 302);
    assert.equal((await server.get(path, person)).status, 410);
    assert.equal((await server.get(path, robot)).status, 410);
    assert.equal(await server.scans.links.scanCount(testSlug(1)), 2);
  });
}

test("a robot at a link without a limit is led on, counted, and kept apart", async (t) => {
  const store = await storeWith(code(1));
  const server = await startScans({ store });
  t.after(() => server.stop());
  assert.equal((await server.get(`/${testSlug(1)}`, robot)).headers.location, "https://example.com/1");
  await server.get(`/${testSlug(1)}`, person);
  assert.equal(await server.scans.links.scanCount(testSlug(1)), 2);
  await server.scans.checkpoint();
  const [hour] = await store.scanHours(testSlug(1), { from: 0, to: 8e15 }, 9);
  assert.deepEqual([hour!.people!.total, hour!.robots!.total], [1, 1]);
});
