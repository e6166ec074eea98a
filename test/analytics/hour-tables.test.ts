import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Analytics,
  AnalyticsTable,
  countryCode,
  countryNumber,
  hourMs,
  referrerHost,
} from "../../src/analytics/hour-tables.ts";
import { AnalyticsSaving } from "../../src/analytics/saving.ts";
import { keyOfWords } from "../../src/link/slug.ts";
import { parseTrustedProxies } from "../../src/visitor/client-address.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { code, startScans, storeWith, testKey, testSlug } from "../fakes/scan-server.ts";

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15";
const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36";

test("scans are counted per code and hour by country, device and referring host", async () => {
  const clock = new ManualClock(Date.UTC(2030, 0, 15, 12, 59));
  const store = await storeWith(code(1), code(2, { analytics_enabled: false }));
  const server = await startScans({
    store,
    clock,
    trustedProxies: parseTrustedProxies("127.0.0.1"),
    countries: { lookup: (address) => (address === "203.0.113.9" ? "CH" : null) },
  });
  const path = `/${testSlug(1)}`;
  await server.get(path, { "User-Agent": iphone, "X-Forwarded-For": "203.0.113.9" });
  await server.get(path, { "User-Agent": iphone, Referer: "https://News.example/a?b" });
  await server.get(path, { "User-Agent": android, Referer: "https://news.example:8443/" });
  await server.get(path, { Referer: "not a url" });
  await server.get(path, { "User-Agent": iphone }, "HEAD");
  await server.get(path, { Purpose: "prefetch" });
  await server.get(`/${testSlug(2)}`);
  clock.advance(60_000);
  await server.get(path, { "User-Agent": android });
  await server.scans.flushAnalytics();

  const noon = Date.UTC(2030, 0, 15, 12);
  assert.deepEqual(await store.scanHour(`${testSlug(1)}/${noon}`), {
    id: `${testSlug(1)}/${noon}`,
    people: {
      total: 4,
      countries: { CH: 1, unknown: 3 },
      devices: { ios: 2, android: 1, desktop: 1 },
      referrers: { direct: 1, "news.example": 2, other: 1 },
    },
    robots: null,
  });
  assert.equal((await store.scanHour(`${testSlug(1)}/${noon + hourMs}`))?.people?.total, 1);
  assert.equal(await store.scanHour(`${testSlug(2)}/${noon}`), null);

  await server.get(path, { "User-Agent": android });
  await server.scans.flushAnalytics();
  assert.deepEqual((await store.scanHour(`${testSlug(1)}/${noon + hourMs}`))?.people?.devices, {
    android: 2,
  });
});

test("a flush that fails is taken up again and counts nothing twice", async () => {
  const codes = Array.from({ length: 40 }, (_, n) => code(n));
  const store = await storeWith(...codes);
  const analytics = new Analytics();
  const flush = new AnalyticsSaving(analytics, store);
  const now = 7 * hourMs;
  for (let n = 0; n < 40; n++) analytics.add(testKey(n), 0, 0, "", now);
  store.isAway = true;
  await assert.rejects(flush.run());
  store.isAway = false;
  store.losesAnswers = true;
  for (let tries = 0; tries < 5; tries++) await assert.rejects(flush.run());
  store.losesAnswers = false;
  await flush.run();
  await flush.run();
  for (const { slug } of codes) assert.equal((await store.scanHour(`${slug}/${now}`))?.people?.total, 1);
});

test("a table keeps every scan, whatever the number of combinations, and full ones are set aside", async () => {
  const table = new AnalyticsTable(0, 4_096);
  const keys = [keyOfWords(1, 2), keyOfWords(9, 9)] as const;
  const countries = ["AA", "CH", "DE", "ZZ", null];
  for (let n = 0; n < 3_000; n++) {
    table.add(keys[0], countryNumber(countries[n % 5]!), n % 3, table.referrer(`h${n % 700}.example`));
  }
  table.add(keys[1], 0, 0, 0);
  const found = [...table.codes()];
  assert.deepEqual(
    new Map(found.map(({ key, total }) => [key, total])),
    new Map([
      [keys[0], 3_000],
      [keys[1], 1],
    ]),
  );
  assert.equal(found.length, 2);
  const busy = found.find(({ key }) => key === keys[0])!;
  for (const counts of [busy.countries, busy.devices, busy.referrers]) {
    assert.equal(
      [...counts.values()].reduce((sum, n) => sum + n, 0),
      3_000,
    );
  }
  assert.ok(busy.referrers.has("other"));

  const analytics = new Analytics();
  for (let n = 0; n < 20_000; n++) analytics.add(keyOfWords(n, n), 0, 0, "", 1_000);
  let total = 0;
  for (let next = analytics.take(); next !== null; next = analytics.take()) {
    for (const counts of next.codes()) total += counts.total;
  }
  assert.equal(total, 20_000);
  assert.equal(analytics.dropped, 0);
});

test("what waits for the store is bounded, and what is dropped is told", () => {
  const analytics = new Analytics();
  for (let hour = 0; hour < 5_000; hour++) analytics.add(keyOfWords(1, hour), 0, 0, "", hour * hourMs);
  assert.ok(analytics.dropped > 0);
  const kept = [];
  for (let next = analytics.take(); next !== null; next = analytics.take()) kept.push(next);
  assert.equal(kept.length + analytics.dropped, 5_000);
});

test("an hour's document keeps a bounded number of referrers", async () => {
  const store = await storeWith(code(1));
  const analytics = new Analytics();
  for (let n = 0; n < 300; n++) analytics.add(testKey(1), 0, 0, `h${n}.example`, 0);
  await new AnalyticsSaving(analytics, store).run();
  const hour = (await store.scanHour(`${testSlug(1)}/0`))!.people!;
  assert.equal(Object.keys(hour.referrers).length, 101);
  assert.equal(
    Object.values(hour.referrers).reduce((sum, n) => sum + n, 0),
    300,
  );
});

test("countries are numbers and back", () => {
  for (const country of ["AA", "CH", "US", "ZZ"]) assert.equal(countryCode(countryNumber(country)), country);
  assert.equal(countryCode(countryNumber(null)), null);
});

test("only the host of a referrer is kept", () => {
  const cases = {
    "": "",
    "https://a.example": "a.example",
    "https://A.Example/secret?token=1": "a.example",
    "http://a.example:8080/x": "a.example",
    "https://user:pass@a.example/": "other",
    "https://user@a.example/": "other",
    "android-app://com.example.app/": "com.example.app",
    "javascript:alert(1)": "other",
    "https://": "other",
    "://x": "other",
    [`https://${"a".repeat(300)}/`]: "other",
  };
  for (const [referer, host] of Object.entries(cases)) assert.equal(referrerHost(referer), host, referer);
});
