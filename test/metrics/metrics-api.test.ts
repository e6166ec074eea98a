/** `/metrics` against what was really sent: exact for scans by outcome, and for requests by route and status. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { metricsKeptMs } from "../../src/limits.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { startServer } from "../support/server.ts";
import { parseExposition, sampleValue } from "./metrics-format.ts";

const blockList = join(temporaryFolder(), "blocked.txt");
await writeFile(blockList, "");
/** Runs ahead, so that every look at the figures finds them taken anew. */
let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const server = await startServer({ env: { BLOCKLIST_FILE: blockList, METRICS: "open" }, clock });
const { api, admin } = server;

type Counts = Map<string, number>;

async function families() {
  aheadMs += metricsKeptMs;
  return parseExposition((await new Client(server.url).get("/metrics", 200)).text);
}

/** The samples of a counter by the values of their labels. */
async function counts(name: string): Promise<Counts> {
  const family = (await families()).get(name)!;
  return new Map(family.samples.map(({ labels, value }) => [Object.values(labels).join(" "), value]));
}

/** What was added, without the labels to which nothing was. */
function added(before: Counts, after: Counts): Record<string, number> {
  const differences = [...after].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  return Object.fromEntries(differences.filter(([, value]) => value !== 0));
}

/** In an order that mixes everything, and many at once. */
async function load(requests: [times: number, send: () => Promise<unknown>][], atOnce = 16): Promise<void> {
  const all = requests.flatMap(([times, send]) =>
    Array.from({ length: times }, (_, at) => ({ send, place: at / times })),
  );
  const queue = all.sort((a, b) => a.place - b.place);
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next.send();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

test("scans by outcome are exactly those that were sent", async () => {
  const archivedProject = (await api.post("/v1/projects", { name: "old" }, 201)).body.project_id;
  const plain = await api.createRendered();
  const long = await api.createRendered({ redirect_url: `https://example.com/${"x".repeat(1_500)}` });
  const ruled = await api.createRendered({
    redirect_rules: [{ condition: "device", value: "desktop", url: "https://example.org/" }],
  });
  const text = await api.createRendered({ type: "text", text: "hello", redirect_url: undefined });
  const expired = await api.createRendered({ expires_at: "2020-01-01T00:00:00Z" });
  const limited = await api.createRendered({ scan_limit: 25 });
  const archived = await api.createRendered();
  const homeless = await api.createRendered({ project_id: archivedProject });
  await api.patch(`/v1/qr-codes/${archived.qr_id}`, { status: "archived" }, 200);
  await admin.patch(
    `/admin/v1/accounts/${server.account.id}/projects/${archivedProject}`,
    { archived: true },
    200,
  );
  const visitor = new Client(server.url);
  const scan = (slug: string, status?: number, headers?: Record<string, string>) => () =>
    visitor.get(`/${slug}`, status, headers);
  const before = await counts("qrelay_scans_total");
  await load([
    [90, scan(plain.slug, 302)],
    [11, scan(long.slug, 302)],
    [13, scan(ruled.slug, 302)],
    [17, scan(text.slug, 200)],
    [19, scan(expired.slug, 410)],
    [40, scan(limited.slug)],
    [7, scan(archived.slug, 404)],
    [5, scan(homeless.slug, 404)],
    [3, scan("qr-0000000000", 404)],
    [23, () => visitor.call("HEAD", `/${plain.slug}`, { status: 302 })],
    [9, scan(plain.slug, 302, { "sec-purpose": "prefetch" })],
    [4, () => visitor.call("HEAD", `/${expired.slug}`, { status: 410 })],
  ]);
  assert.deepEqual(added(before, await counts("qrelay_scans_total")), {
    redirect: 90 + 11 + 13 + 25,
    text: 17,
    expired: 19 + 4,
    limit_reached: 15,
    not_found: 7 + 5 + 3,
    uncounted: 23 + 9,
  });
  assert.equal(sampleValue(await families(), "qrelay_scans_aborted_total"), 0);
  const { scan_count } = (await api.get(`/v1/qr-codes/${plain.qr_id}`, 200)).body;
  assert.equal(scan_count, 90);
});

test("a blocked link is an outcome of its own", async () => {
  const code = await api.createRendered({ redirect_url: "https://turned.example.net/" });
  await writeFile(blockList, "turned.example.net\n");
  for (const deadline = Date.now() + 10_000; ; ) {
    const { body } = await api.get(`/v1/qr-codes/${code.qr_id}`, 200);
    if (body.status === "blocked") break;
    assert.ok(Date.now() < deadline, "it was not blocked in time");
  }
  const before = await counts("qrelay_scans_total");
  await load([[12, () => api.get(`/${code.slug}`, 403)]]);
  assert.deepEqual(added(before, await counts("qrelay_scans_total")), { blocked: 12 });
});

test("requests by route and status are exactly those that were sent", async () => {
  const { qr_id } = await api.createRendered();
  const small = await server.newAccount({ limits: { burst: 2_000, per_day: 10 } });
  const wrong = new Client(server.url, { "x-api-key": "api_live_wrong" });
  const anyone = new Client(server.url);
  const before = await counts("qrelay_http_requests_total");
  const scansBefore = await counts("qrelay_scans_total");
  await load([
    [40, () => api.get(`/v1/qr-codes/${qr_id}`, 200)],
    [8, () => api.get("/v1/qr-codes/qr_none", 404)],
    [3, () => api.call("HEAD", `/v1/qr-codes/${qr_id}`, { status: 200 })],
    [21, () => api.get("/v1/qr-codes?page_size=2", 200)],
    [14, () => api.post("/v1/projects", { name: "load" }, 201)],
    [6, () => api.post("/v1/projects", {}, 400)],
    [5, () => api.call("POST", "/v1/projects", { raw: "{", status: 400 })],
    [9, () => wrong.get("/v1/projects", 401)],
    [16, () => small.api.get("/v1/projects")],
    [4, () => api.post("/v1/qr-codes", { redirect_url: "http://127.0.0.1/" }, 422)],
    [2, () => api.delete("/v1/projects", 405)],
    [7, () => anyone.get("/no/where", 404)],
    [6, () => anyone.get("/healthz", 200)],
    [3, () => admin.get(`/admin/v1/accounts/${small.id}`, 200)],
    [1, () => anyone.get("/admin/v1/accounts", 401)],
  ]);
  assert.deepEqual(added(before, await counts("qrelay_http_requests_total")), {
    "GET /v1/qr-codes/:id 200": 43,
    "GET /v1/qr-codes/:id 404": 8,
    "GET /v1/qr-codes 200": 21,
    "POST /v1/projects 201": 14,
    "POST /v1/projects 400": 11,
    "GET /v1/projects 401": 9,
    "GET /v1/projects 200": 10,
    "GET /v1/projects 429": 6,
    "POST /v1/qr-codes 422": 4,
    "any /* 405": 2,
    "any /* 404": 7,
    "GET /healthz 200": 6,
    "GET /admin/v1/accounts/:id 200": 3,
    "GET /admin/v1/accounts 401": 1,
    // The reading before, and the one of the scans.
    "GET /metrics 200": 2,
  });
  assert.deepEqual(added(scansBefore, await counts("qrelay_scans_total")), {});
  const family = (await families()).get("qrelay_http_request_seconds")!;
  const timed = family.samples.find(
    ({ name, labels }) => name.endsWith("_count") && labels.route === "/v1/qr-codes/:id",
  );
  const answered = await counts("qrelay_http_requests_total");
  assert.equal(
    timed?.value,
    answered.get("GET /v1/qr-codes/:id 200")! + answered.get("GET /v1/qr-codes/:id 404")!,
  );
});
