/** From scans on a socket to the hours in the store, over failures and restarts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { scansIn } from "../../src/domain/analytics/tally.ts";
import { hourMs } from "../../src/domain/analytics/zone.ts";
import type { ScanHourDoc } from "../../src/domain/documents.ts";
import { parseTrustedProxies } from "../../src/visitor/client-address.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryDisk } from "../fakes/memory-disk.ts";
import type { MemoryStore } from "../fakes/memory-store.ts";
import {
  code,
  type ScanServer,
  sharedStoreWith,
  startScans,
  statuses,
  storeWith,
  testSlug,
} from "../fakes/scan-server.ts";

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15";
const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36";
const crawler = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const ever = { from: 0, to: 8e15 };

const hoursOf = (store: MemoryStore, of: string): Promise<ScanHourDoc[]> => store.scanHours(of, ever, 1_000);
const totalOf = async (store: MemoryStore, of: string): Promise<number> =>
  (await hoursOf(store, of)).reduce((all, hour) => all + scansIn(hour), 0);

async function scan(server: ScanServer, n: number, times: number): Promise<void> {
  assert.deepEqual(await statuses(server, n, times), { 302: times });
}

test("scans are counted per code and hour by country, device and referring host", async (t) => {
  const clock = new ManualClock(Date.UTC(2030, 0, 15, 12, 59));
  const store = await storeWith(code(1), code(2, { analytics_enabled: false }));
  const server = await startScans({
    store,
    clock,
    trustedProxies: parseTrustedProxies("127.0.0.1"),
    countries: { lookup: (address) => (address === "203.0.113.9" ? "CH" : null) },
  });
  t.after(() => server.stop());
  const path = `/${testSlug(1)}`;
  await server.get(path, { "User-Agent": iphone, "X-Forwarded-For": "203.0.113.9" });
  await server.get(path, { "User-Agent": iphone, Referer: "https://News.example/a?b" });
  await server.get(path, { "User-Agent": android, Referer: "https://news.example:8443/" });
  await server.get(path, { Referer: "not a url" });
  await server.get(path, { "User-Agent": crawler });
  await server.get(path, { "User-Agent": iphone }, "HEAD");
  await server.get(path, { Purpose: "prefetch" });
  await server.get(`/${testSlug(2)}`);
  clock.advance(60_000);
  await server.get(path, { "User-Agent": android });
  await server.scans.checkpoint();

  const noon = Date.UTC(2030, 0, 15, 12);
  const [first, second] = await hoursOf(store, testSlug(1));
  assert.deepEqual(first, {
    id: `${testSlug(1)}/${noon}`,
    people: {
      total: 4,
      countries: { CH: 1, unknown: 3 },
      devices: { ios: 2, android: 1, desktop: 1 },
      referrers: { direct: 1, "news.example": 2, other: 1 },
    },
    robots: { total: 1, countries: { unknown: 1 }, devices: { desktop: 1 }, referrers: { direct: 1 } },
  });
  assert.equal(second!.people!.total, 1);
  assert.deepEqual(await hoursOf(store, testSlug(2)), []);
  assert.equal(await store.scanCount(testSlug(2)), 1);
  // All codes of the account are in one project.
  assert.equal(await totalOf(store, "prj_1"), 6);
  assert.equal(await totalOf(store, "acc_1"), 6);

  await server.get(path, { "User-Agent": android });
  await server.scans.checkpoint();
  assert.deepEqual(store.scanHour(`${testSlug(1)}/${noon + hourMs}`)?.people?.devices, { android: 2 });
});

test("a checkpoint may fail, lose its answer and be repeated: every scan is in the hours once", async () => {
  const store = await storeWith(code(1), code(2));
  const server = await startScans({ store });
  await scan(server, 1, 5);
  store.isAway = true;
  await assert.rejects(server.scans.checkpoint());
  store.isAway = false;
  store.losesAnswers = true;
  await assert.rejects(server.scans.checkpoint());
  await scan(server, 1, 2);
  await assert.rejects(server.scans.checkpoint());
  await scan(server, 2, 3);
  await assert.rejects(server.scans.checkpoint());
  store.losesAnswers = false;
  await server.scans.checkpoint();
  assert.equal(await totalOf(store, testSlug(1)), 7);
  assert.equal(await totalOf(store, testSlug(2)), 3);
  assert.equal(await totalOf(store, "acc_1"), 10);
  const [hour] = await hoursOf(store, testSlug(1));
  assert.deepEqual(hour!.people!.countries, { unknown: 7 });
  assert.deepEqual(hour!.people!.referrers, { direct: 7 });
  await server.stop();
});

test("the hour is that of the scan, not of the replay; referrers of the replayed scans are unknown", async () => {
  const clock = new ManualClock(Date.UTC(2030, 0, 15, 12, 30));
  const store = await storeWith(code(1), code(2, { analytics_enabled: false }));
  const disk = new MemoryDisk();
  const server = await startScans({ store, disk, clock, dataDir: "/d" });
  const get = (headers: Record<string, string>) => server.get(`/${testSlug(1)}`, headers);
  await get({ "User-Agent": iphone, Referer: "https://news.example/" });
  await server.scans.checkpoint();
  await get({ "User-Agent": android, Referer: "https://news.example/" });
  await get({ "User-Agent": crawler });
  await scan(server, 2, 4);
  clock.advance(hourMs);
  await get({ "User-Agent": iphone });
  server.crash();
  clock.advance(5 * hourMs);
  for (let start = 0; start < 2; start++) {
    const again = await startScans({ store, disk, clock, dataDir: "/d" });
    again.crash();
    const hours = await hoursOf(store, testSlug(1));
    const noon = Date.UTC(2030, 0, 15, 12);
    assert.deepEqual(
      hours.map(({ id }) => id),
      [`${testSlug(1)}/${noon}`, `${testSlug(1)}/${noon + hourMs}`],
    );
    assert.deepEqual(hours[0]!.people!.devices, { ios: 1, android: 1 });
    assert.deepEqual(hours[0]!.people!.referrers, { "news.example": 1, unknown: 1 });
    assert.equal(hours[0]!.robots!.total, 1);
    assert.deepEqual(hours[1]!.people!.devices, { ios: 1 });
    assert.equal(await totalOf(store, testSlug(2)), 0);
    assert.equal(await store.scanCount(testSlug(2)), 4);
    assert.equal(await totalOf(store, "acc_1"), 4);
  }
});

test("scans that the journal did not take are in the hours when they are counted, and only then", async () => {
  const store = await storeWith(code(1), code(2, { scan_limit: 100 }));
  const disk = new MemoryDisk();
  const server = await startScans({ store, disk });
  await scan(server, 1, 2);
  await scan(server, 2, 2);
  disk.freeBytes = 0;
  await scan(server, 1, 3);
  assert.deepEqual(await statuses(server, 2, 3), { 503: 3 });
  disk.freeBytes = 1_000_000;
  await scan(server, 2, 1);
  await server.scans.checkpoint();
  assert.equal(await totalOf(store, testSlug(1)), 5);
  assert.equal(await totalOf(store, testSlug(2)), 3);
  assert.equal(await store.scanCount(testSlug(2)), 3);
  await server.stop();
});

test("when there is no room for what is known of scans, they are unknown and not missing", async () => {
  const store = await storeWith(...Array.from({ length: 30 }, (_, n) => code(n)));
  const server = await startScans({ store, limits: { unsavedEntriesMax: 11 } });
  for (let n = 0; n < 30; n++) await scan(server, n, 2);
  assert.ok(server.scans.unsaved.unplaced >= 20);
  await server.scans.checkpoint();
  for (let n = 0; n < 30; n++) assert.equal(await totalOf(store, testSlug(n)), 2);
  assert.equal(await totalOf(store, "acc_1"), 60);
  await server.stop();
});

test("a code that moves takes its past nowhere: projects and the account still add up", async () => {
  const store = await storeWith(code(1), code(2));
  const server = await startScans({ store });
  await scan(server, 1, 3);
  await server.scans.checkpoint();
  const moved = code(1, { project_id: "prj_2" });
  await store.commit([
    { collection: "codes", put: moved },
    { collection: "projects", put: { ...(await store.get("projects", "prj_1"))!, id: "prj_2" } },
  ]);
  server.scans.links.publishCode(moved);
  await scan(server, 1, 4);
  await scan(server, 2, 1);
  await server.scans.checkpoint();
  assert.equal(await totalOf(store, testSlug(1)), 7);
  assert.equal(await totalOf(store, "prj_1"), 4);
  assert.equal(await totalOf(store, "prj_2"), 4);
  assert.equal(await totalOf(store, "acc_1"), 8);
  await server.stop();
});

test("limits that the store keeps: hours come with the count, over owners that die and leave no disk", async () => {
  let store = await sharedStoreWith(code(1, { scan_limit: 20 }), code(2));
  for (let owner = 0; owner < 3; owner++) {
    const server = await startScans({ store });
    await statuses(server, 1, 8);
    await scan(server, 2, 3);
    await server.scans.checkpoint();
    await scan(server, 2, 1);
    server.crash();
    store = store.next();
  }
  assert.equal(await store.scanCount(testSlug(1)), 20);
  assert.equal(await totalOf(store, testSlug(1)), 20);
  assert.equal(await store.scanCount(testSlug(2)), 9);
  assert.equal(await totalOf(store, testSlug(2)), 9);
  const [hour] = await hoursOf(store, testSlug(1));
  assert.deepEqual(hour!.people!.referrers, { direct: 20 });
});

test("a limit that is set while scans are not saved yet: both kinds are in the hours", async () => {
  const store = await sharedStoreWith(code(1));
  const server = await startScans({ store });
  await scan(server, 1, 5);
  const limited = code(1, { scan_limit: 8 });
  await store.commit([{ collection: "codes", put: limited }]);
  server.scans.links.publishCode(limited);
  assert.deepEqual(await statuses(server, 1, 6), { 302: 3, 410: 3 });
  const [hour] = await hoursOf(store, testSlug(1));
  assert.deepEqual(hour!.people!.referrers, { direct: 8 });
  await server.stop();
  assert.equal(await totalOf(store, "acc_1"), 8);
});

test("a save of a limited scan whose answer is lost counts in both or in neither", async () => {
  const store = await sharedStoreWith(code(1, { scan_limit: 5 }));
  const server = await startScans({ store });
  await scan(server, 1, 2);
  store.losesAnswers = true;
  assert.deepEqual(await statuses(server, 1, 1), { 503: 1 });
  store.losesAnswers = false;
  assert.deepEqual(await statuses(server, 1, 7), { 302: 2, 410: 5 });
  await server.stop();
  assert.equal(await store.scanCount(testSlug(1)), 5);
  assert.equal(await totalOf(store, testSlug(1)), 5);
});
