/** What a scanner of a public link experiences, from the API call that made the link to the answer. */
import assert from "node:assert/strict";
import test from "node:test";
import { ManualClock } from "../fakes/manual-clock.ts";
import { type Answer, assertRefused, Client } from "../support/client.ts";
import { startServer } from "../support/server.ts";

// Tuesday, 15 January 2030, 12:00 UTC.
const clock = new ManualClock();
const server = await startServer({
  clock,
  env: { COUNTRY_HEADER: "x-country", TRUSTED_PROXIES: "127.0.0.1" },
});
const { api, admin, account } = server;
const scanner = new Client(server.url);

const target = "https://example.com/target";
const agents = {
  ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15",
  android: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36",
  desktop: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
};

const scan = (slug: string, headers?: Record<string, string>) => scanner.get(`/${slug}`, undefined, headers);
const patch = (id: string, body: object) => api.patch(`/v1/qr-codes/${id}`, body, 200);
const count = async (id: string) => (await api.get(`/v1/qr-codes/${id}`, 200)).body.scan_count;
function assertLeadsTo(answer: Answer, url: string): void {
  assert.equal(answer.status, 302, answer.text);
  assert.equal(answer.headers.get("location"), url);
}

test("a scan is a 302 to the target that nobody keeps, without a cookie", async () => {
  const { slug, qr_id } = await api.createRendered();
  const answer = await scan(slug);
  assertLeadsTo(answer, target);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("x-robots-tag"), "noindex");
  assert.equal(answer.headers.get("set-cookie"), null);
  assert.equal(answer.text, "");
  assert.equal(await count(qr_id), 1);
});

test("the scanner's query is not passed on", async () => {
  const { slug } = await api.createRendered();
  assertLeadsTo(await scan(`${slug}?utm=1&next=https://evil.example/`), target);
});

test("a target with odd characters arrives as it was stored", async () => {
  const code = await api.createRendered({
    redirect_url: "https://example.com/ü%0d%0aX: y?ä=1#ß".replace(" ", "%20"),
  });
  const answer = await scan(code.slug);
  assertLeadsTo(answer, code.redirect_url);
  assert.equal(answer.headers.get("x"), null);
  const long = "https://example.com/".padEnd(2_048, "a");
  assertLeadsTo(await scan((await api.createRendered({ redirect_url: long })).slug), long);
});

test("HEAD and prefetches get the same headers and are not counted", async () => {
  const { slug, qr_id } = await api.createRendered({ scan_limit: 1 });
  const answers = [
    await scanner.call("HEAD", `/${slug}`),
    await scan(slug, { "sec-purpose": "prefetch;prerender" }),
    await scan(slug, { purpose: "prefetch" }),
  ];
  for (const answer of answers) {
    assertLeadsTo(answer, target);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("x-robots-tag"), "noindex");
  }
  assert.equal(await count(qr_id), 0);
  assertLeadsTo(await scan(slug), target);
  assert.equal((await scanner.call("HEAD", `/${slug}`)).status, 410);
});

test("a link that does not exist is 404, as a page for people and an envelope for programs", async () => {
  assertRefused(await scan("qr-0000000000"), 404, "qr_not_found");
  const page = await scanner.get("/qr-0000000000", 404, { accept: "text/html,application/xhtml+xml" });
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(page.text, /<h1>This code leads nowhere<\/h1>/);
  assert.equal(page.headers.get("cache-control"), "no-store");
});

test("an archived code is 404 with the next scan, and back with the next one after it is active", async () => {
  const { slug, qr_id } = await api.createRendered();
  assertLeadsTo(await scan(slug), target);
  await patch(qr_id, { status: "archived" });
  assertRefused(await scan(slug), 404, "qr_not_found");
  await patch(qr_id, { status: "active" });
  assertLeadsTo(await scan(slug), target);
  assert.equal(await count(qr_id), 2);
});

test("the links of an archived project are 404 with the next scan, and back when it is", async () => {
  const project = (await api.post("/v1/projects", { name: "Fair" }, 201)).body.project_id;
  const { slug, qr_id } = await api.createRendered({ project_id: project });
  const path = `/admin/v1/accounts/${account.id}/projects/${project}`;
  assertLeadsTo(await scan(slug), target);
  await admin.patch(path, { archived: true }, 200);
  assertRefused(await scan(slug), 404, "qr_not_found");
  await admin.patch(path, { archived: false }, 200);
  assertLeadsTo(await scan(slug), target);
  assert.equal(await count(qr_id), 2);
});

test("after expires_at a scan is 410 qr_expired and does not count", async () => {
  const expires_at = new Date(clock.now() + 1_000).toISOString();
  const { slug, qr_id } = await api.createRendered({ expires_at });
  clock.advance(999);
  assertLeadsTo(await scan(slug), target);
  clock.advance(1);
  assertRefused(await scan(slug), 410, "qr_expired");
  const page = await scanner.get(`/${slug}`, 410, { accept: "text/html" });
  assert.match(page.text, /<h1>This code has expired<\/h1>/);
  assert.equal(await count(qr_id), 1);
  await patch(qr_id, { expires_at: null });
  assertLeadsTo(await scan(slug), target);
});

test("a code made with a time in the past is expired at once", async () => {
  const { slug } = await api.createRendered({ expires_at: "2001-01-01T00:00:00Z" });
  assertRefused(await scan(slug), 410, "qr_expired");
});

test("at scan_limit a scan is 410 qr_scan_limit_reached; a higher limit opens the link again", async () => {
  const { slug, qr_id } = await api.createRendered({ scan_limit: 2 });
  assertLeadsTo(await scan(slug), target);
  assertLeadsTo(await scan(slug), target);
  assertRefused(await scan(slug), 410, "qr_scan_limit_reached");
  const page = await scanner.get(`/${slug}`, 410, { accept: "text/html" });
  assert.match(page.text, /<h1>This code is used up<\/h1>/);
  await patch(qr_id, { scan_limit: 3 });
  assertLeadsTo(await scan(slug), target);
  assertRefused(await scan(slug), 410, "qr_scan_limit_reached");
  assert.equal(await count(qr_id), 3);
  await patch(qr_id, { scan_limit: null });
  assertLeadsTo(await scan(slug), target);
});

test("of 500 scans in parallel exactly as many succeed as the limit allows", async () => {
  const { slug, qr_id } = await api.createRendered({ scan_limit: 123 });
  const answers = await Promise.all(Array.from({ length: 500 }, () => scan(slug)));
  assert.equal(answers.filter(({ status }) => status === 302).length, 123);
  for (const answer of answers)
    if (answer.status !== 302) assertRefused(answer, 410, "qr_scan_limit_reached");
  assert.equal(await count(qr_id), 123);
});

test("expiry comes before the limit, archived before both", async () => {
  const { slug, qr_id } = await api.createRendered({ scan_limit: 1 });
  assertLeadsTo(await scan(slug), target);
  await patch(qr_id, { expires_at: "2001-01-01T00:00:00Z" });
  assertRefused(await scan(slug), 410, "qr_expired");
  await patch(qr_id, { status: "archived" });
  assertRefused(await scan(slug), 404, "qr_not_found");
});

test("rules: the first that matches wins, and what matches none goes to redirect_url", async () => {
  const to = (name: string) => `https://example.com/${name}`;
  const { slug, qr_id } = await api.createRendered({
    redirect_rules: [
      { condition: "device", value: "ios", condition2: "country", value2: "FR", url: to("ios-fr") },
      { condition: "device", value: "ios", url: to("ios") },
      { condition: "country", value: "DE", url: to("de") },
      { condition: "device", value: "android", url: to("android") },
    ],
  });
  for (const [agent, country, expected] of [
    ["ios", "FR", to("ios-fr")],
    ["ios", "DE", to("ios")],
    ["android", "DE", to("de")],
    ["android", "FR", to("android")],
    ["desktop", "FR", target],
    ["desktop", "XX", target],
  ] as const) {
    assertLeadsTo(await scan(slug, { "user-agent": agents[agent], "x-country": country }), expected);
  }
  assert.equal(await count(qr_id), 6);
});

test("rules lead to targets of any length, a short one after a long one too", async () => {
  const lengths = [2_048, 257, 256, 255, 24];
  const targets = lengths.map((length) => "https://example.com/".padEnd(length, "a"));
  const countries = ["FR", "DE", "IS", "IT", "ES"];
  const { slug } = await api.createRendered({
    redirect_rules: targets.map((url, at) => ({ condition: "country", value: countries[at], url })),
  });
  for (const [at, url] of targets.entries()) {
    const answer = await scan(slug, { "x-country": countries[at]! });
    assertLeadsTo(answer, url);
    assert.equal(answer.headers.get("x-robots-tag"), "noindex");
  }
});

test("a schedule is read in the account's time zone, from its start to before its end", async () => {
  const office = "https://example.com/office";
  const schedule = {
    condition: "schedule",
    schedule_days: ["tue"],
    schedule_start: "13:00",
    schedule_end: "14:00",
  };
  const { api: own, id } = await server.newAccount({ timezone: "Europe/Berlin" });
  const { slug } = await own.createRendered({ redirect_rules: [{ ...schedule, url: office }] });
  const at = async (time: string, expected: string) => {
    clock.set(Date.parse(`2030-01-15T${time}Z`));
    assertLeadsTo(await scan(slug), expected);
  };
  await at("12:30:00.000", office);
  await at("12:59:59.999", office);
  await at("13:00:00.000", target);
  await admin.patch(`/admin/v1/accounts/${id}`, { timezone: "UTC" }, 200);
  await at("13:00:00.000", office);
});

test("a text code answers with its text, and that counts as a scan", async () => {
  const text = "Table 7 ☕\n<b>not markup</b>";
  const { slug, qr_id } = await api.createRendered({
    redirect_url: undefined,
    type: "text",
    text,
    scan_limit: 1,
  });
  const head = await scanner.call("HEAD", `/${slug}`, { status: 200 });
  assert.equal(head.headers.get("content-length"), String(Buffer.byteLength(text)));
  const answer = await scan(slug);
  assert.deepEqual([answer.status, answer.text], [200, text]);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(await count(qr_id), 1);
  assertRefused(await scan(slug), 410, "qr_scan_limit_reached");
});

test("every PATCH is seen by the very next scan", async () => {
  const { slug, qr_id } = await api.createRendered();
  for (let turn = 0; turn < 25; turn++) {
    const redirect_url = `https://example.com/turn/${turn}`;
    await patch(qr_id, { redirect_url });
    assertLeadsTo(await scan(slug), redirect_url);
  }
  assert.equal(await count(qr_id), 25);
});

test("counts and limits survive a restart", async () => {
  const limited = await api.createRendered({ scan_limit: 5 });
  const open = await api.createRendered();
  for (let turn = 0; turn < 4; turn++) {
    assertLeadsTo(await scan(limited.slug), target);
    assertLeadsTo(await scan(open.slug), target);
  }
  await server.restart();
  assert.deepEqual([await count(limited.qr_id), await count(open.qr_id)], [4, 4]);
  assertLeadsTo(await scan(limited.slug), target);
  assertRefused(await scan(limited.slug), 410, "qr_scan_limit_reached");
  assertLeadsTo(await scan(open.slug), target);
  assert.deepEqual([await count(limited.qr_id), await count(open.qr_id)], [5, 5]);
});
