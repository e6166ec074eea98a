/** Links of a process that another one may have followed: it answers none of them from memory, and counts none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { code, sharedStoreWith, startScans, testSlug } from "../fakes/scan-server.ts";

const plain = 1;
const ruled = 2;
const archived = 3;
const limited = 4;

test("without the right to serve every kind of scan gets 503 and none is counted; with it again all go on", async () => {
  const store = await sharedStoreWith(
    code(plain),
    code(ruled, {
      redirect_rules: [{ condition: "device", value: "desktop", url: "https://example.com/desk" }],
    }),
    code(archived, { status: "archived" }),
    code(limited, { scan_limit: 5 }),
  );
  let mayServe = true;
  Object.assign(store, { membership: { ...store.membership, mayServe: () => mayServe } });
  const server = await startScans({ store });
  const statusOf = async (n: number, method = "GET") =>
    (await server.get(`/${testSlug(n)}`, {}, method)).status;
  const statuses = async () => [
    await statusOf(plain),
    await statusOf(plain, "HEAD"),
    await statusOf(ruled),
    await statusOf(archived),
    await statusOf(limited),
  ];
  const whole = [302, 302, 302, 404, 302];
  assert.deepEqual(await statuses(), whole);
  mayServe = false;
  assert.deepEqual(await statuses(), [503, 503, 503, 503, 503]);
  const refused = await server.get(`/${testSlug(plain)}`);
  assert.equal(refused.headers["retry-after"], "1");
  mayServe = true;
  assert.deepEqual(await statuses(), whole);
  await server.scans.checkpoint();
  for (const n of [plain, ruled, limited]) assert.equal(await store.scanCount(testSlug(n)), 2);
});

test("what was counted in a turn that ends without the right is taken back", async () => {
  const store = await sharedStoreWith(code(plain));
  const looks = [true, false];
  Object.assign(store, { membership: { ...store.membership, mayServe: () => looks.shift() ?? true } });
  const server = await startScans({ store });
  // The first scan loads the link, which is a look by itself.
  looks.unshift(true, true, true, true);
  const first = await server.get(`/${testSlug(plain)}`);
  assert.equal(first.status, 302);
  assert.deepEqual(looks, [true, false]);
  assert.equal((await server.get(`/${testSlug(plain)}`)).status, 503);
  assert.equal((await server.get(`/${testSlug(plain)}`)).status, 302);
  await server.scans.checkpoint();
  assert.equal(await store.scanCount(testSlug(plain)), 2);
});

test("while accounts are on their way a scan waits for the next right, and is led where the link leads then", async () => {
  const store = await sharedStoreWith(code(plain), code(limited, { scan_limit: 5 }));
  let mayServe = true;
  Object.assign(store, { membership: { ...store.membership, mayServe: () => mayServe } });
  let right: Promise<void> | null = null;
  const here = { partitionOf: () => 0, enter: () => true, leave() {}, taken: () => 0 };
  const ask = () => Promise.reject(new Error("all is decided here"));
  const elsewhere = {
    places: here,
    ask,
    keeps: () => true,
    readAgain: async () => {},
    untilRight: () => right,
  };
  const server = await startScans({ store, elsewhere });
  const scan = (n: number, method = "GET") => server.get(`/${testSlug(n)}`, {}, method);
  const each = () => Promise.all([scan(plain), scan(plain, "HEAD"), scan(limited)]);
  const statuses = (answers: Awaited<ReturnType<typeof each>>) => answers.map(({ status }) => status);
  assert.deepEqual(statuses(await each()), [302, 302, 302]);

  let end = () => {};
  const passes = () => {
    mayServe = false;
    right = new Promise((resolve) => {
      end = resolve;
    });
  };
  passes();
  const waiting = each();
  assert.equal(await Promise.race([waiting, pause(100)]), undefined);
  const moved = { ...code(plain), redirect_url: "https://example.com/moved" };
  await store.commit([{ collection: "codes", put: moved }]);
  server.scans.links.forget(moved.slug);
  mayServe = true;
  end();
  assert.deepEqual(statuses(await waiting), [302, 302, 302]);
  assert.equal((await waiting)[0].headers.location, moved.redirect_url);

  passes();
  const inVain = each();
  end();
  assert.deepEqual(statuses(await inVain), [503, 503, 503], "nobody came");
  mayServe = true;
  await server.scans.checkpoint();
  for (const n of [plain, limited]) assert.equal(await store.scanCount(testSlug(n)), 2);
});
