/** The analytics calls: what scans come to, what is refused. */
import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ManualClock } from "../fakes/manual-clock.ts";
import { assertRefused, Client, type Json } from "../support/client.ts";
import { startServer } from "../support/server.ts";

// Tuesday, 15 January 2030, 12:00 UTC.
const clock = new ManualClock();
const server = await startServer({
  clock,
  env: { COUNTRY_HEADER: "x-country", TRUSTED_PROXIES: "127.0.0.1" },
});
const { api, admin } = server;
const scanner = new Client(server.url);

const agents = {
  ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15",
  android: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36",
  desktop: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
};
const views = ["trend", "countries", "devices", "referrers", "hours"];
const ofCode = (id: string) => `/v2/analytics/qr-codes/${id}`;
const read = async (path: string): Promise<Json> => (await api.get(path, 200)).body;

async function scan(slug: string, device: keyof typeof agents, country = "", referer = ""): Promise<void> {
  const headers = {
    "user-agent": agents[device],
    ...(country && { "x-country": country }),
    ...(referer && { referer }),
  };
  await scanner.get(`/${slug}`, 302, headers);
}

/** Until all that was scanned is in the store. */
async function saved(): Promise<void> {
  const scannedUntil = clock.now();
  for (let tries = 0; tries < 2_000; tries++) {
    const { complete_until } = await read("/v2/analytics/account/trend");
    if (Date.parse(complete_until) > scannedUntil) return;
    clock.advance(1_000);
    await sleep(1);
  }
  throw new Error("scans are not saved");
}

test("five views of what was scanned, with one total", async () => {
  const { qr_id, slug } = await api.createRendered();
  await scan(slug, "ios", "DE", "https://news.example/a?b=c");
  await scan(slug, "ios", "DE");
  await scan(slug, "android", "AT");
  await scan(slug, "desktop");
  await saved();
  const path = ofCode(qr_id);

  const trend = await read(`${path}/trend?from=2030-01-14&to=2030-01-17`);
  assert.deepEqual(trend.items, [
    { start: "2030-01-14T00:00:00.000Z", scans: 0 },
    { start: "2030-01-15T00:00:00.000Z", scans: 4 },
    { start: "2030-01-16T00:00:00.000Z", scans: 0 },
  ]);
  assert.deepEqual(
    [trend.from, trend.to, trend.timezone, trend.interval, trend.cut],
    ["2030-01-14T00:00:00.000Z", "2030-01-17T00:00:00.000Z", "UTC", "day", false],
  );
  assert.deepEqual((await read(`${path}/countries`)).items, [
    { key: "DE", scans: 2 },
    { key: "AT", scans: 1 },
    { key: "unknown", scans: 1 },
  ]);
  assert.deepEqual((await read(`${path}/countries?limit=1`)).items, [
    { key: "DE", scans: 2 },
    { key: "other", scans: 2 },
  ]);
  assert.deepEqual((await read(`${path}/devices`)).items, [
    { key: "ios", scans: 2 },
    { key: "android", scans: 1 },
    { key: "desktop", scans: 1 },
  ]);
  assert.deepEqual((await read(`${path}/referrers`)).items, [
    { key: "direct", scans: 3 },
    { key: "news.example", scans: 1 },
  ]);
  const hours = (await read(`${path}/hours?timezone=America/New_York`)).items;
  assert.equal(hours.length, 168);
  assert.deepEqual(
    hours.filter((item: Json) => item.scans > 0),
    [{ weekday: "tue", hour: 7, scans: 4 }],
  );
  for (const view of views) assert.equal((await read(`${path}/${view}`)).total, 4, view);
});

test("the zone is the account's until another is asked for", async () => {
  const account = await server.newAccount({ timezone: "Asia/Kolkata" });
  const { body } = await account.api.get("/v2/analytics/account/trend?from=2030-01-15&to=2030-01-16", 200);
  assert.equal(body.timezone, "Asia/Kolkata");
  // Days begin at half past there; the hour in which this one begins is the range's first.
  assert.equal(body.from, "2030-01-14T18:00:00.000Z");
  const { body: utc } = await account.api.get("/v2/analytics/account/hours?timezone=UTC", 200);
  assert.equal(utc.timezone, "UTC");
});

test("mistakes are named", async () => {
  const { qr_id } = await api.createRendered();
  for (const [query, field] of [
    ["from=soon", "from"],
    ["to=2030-13-01", "to"],
    ["from=2030-01-02&to=2030-01-01", "to"],
    ["interval=second", "interval"],
    ["interval=hour&from=2029-10-01", "interval"],
    ["timezone=Nowhere", "timezone"],
    ["robots=maybe", "robots"],
  ]) {
    const answer = await api.get(`${ofCode(qr_id)}/trend?${query}`);
    assertRefused(answer, 400, "invalid_request", new RegExp(`^${field} `));
  }
  assertRefused(await api.get(`${ofCode(qr_id)}/countries?limit=0`), 400, "invalid_request", /^limit /);
  assertRefused(await api.get(`${ofCode("qr_nobody")}/trend`), 404, "qr_not_found");
  assertRefused(await api.get("/v2/analytics/projects/prj_nobody/trend"), 404, "project_not_found");
  assertRefused(await api.get(`${ofCode(qr_id)}/weather`), 404, "not_found");
});

test("an archived code has its past", async () => {
  const { qr_id, slug } = await api.createRendered();
  await scan(slug, "ios");
  await saved();
  await api.patch(`/v1/qr-codes/${qr_id}`, { status: "archived" }, 200);
  assert.equal((await read(`${ofCode(qr_id)}/trend`)).total, 1);
});

test("how far back is the plan's; beyond it the refusal says which plans go there", async () => {
  const account = await server.newAccount({ plan: "free" });
  const trend = (query: string) => account.api.get(`/v2/analytics/account/trend?${query}`);
  assert.equal((await trend("")).status, 200);
  assert.equal((await trend("from=2029-12-16")).status, 200);
  const refused = await trend("from=2029-12-15");
  assertRefused(
    refused,
    403,
    "feature_disabled",
    /^from .* 30 days\. .*: starter, pro, agency, enterprise\.$/,
  );
  assertRefused(await trend("from=2029-06-01"), 403, "feature_disabled", /: pro, agency, enterprise\.$/);
  await admin.patch(`/admin/v1/accounts/${account.id}`, { limits: { analytics_days: 60 } }, 200);
  assert.equal((await trend("from=2029-12-15")).status, 200);
  // A plan with everything gets what there is.
  const old = await api.get("/v2/analytics/account/trend?from=2001-01-01&interval=month", 200);
  assert.equal(old.body.cut, true);
  assert.equal(old.body.from, "2025-01-11T00:00:00.000Z");
});
