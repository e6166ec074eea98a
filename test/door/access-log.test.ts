/** What the log holds of requests and scans, and what it must never hold. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { assertRefused, Client, type Json } from "../support/client.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

interface Logged {
  server: TestServer;
  text(): string;
  /** The lines with this message, without what differs from run to run. */
  lines(message: string): Json[];
}

async function startLogged(env: Record<string, string>, level = "trace"): Promise<Logged> {
  let text = "";
  const stream = {
    write(line: string) {
      text += line;
    },
  };
  const server = await startServer({ env, log: pino({ level, base: null, timestamp: false }, stream) });
  const lines = (message: string) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === message);
  return { server, text: () => text, lines };
}

test("the variables: off by default, a hundredth of the scans when they are on", () => {
  const { accessLog, accessLogSample } = readConfig({});
  assert.deepEqual([accessLog, accessLogSample], ["off", 0.01]);
  assert.equal(readConfig({ ACCESS_LOG: "all" }).accessLog, "all");
  for (const [value, share] of [
    ["0", 0],
    ["1", 1],
    ["0.25", 0.25],
    [".5", 0.5],
  ] as const) {
    assert.equal(readConfig({ ACCESS_LOG_SAMPLE: value }).accessLogSample, share);
  }
  assert.throws(
    () => readConfig({ ACCESS_LOG: "some" }),
    /^ConfigError: ACCESS_LOG=some is not usable: it must be one of off, api, all$/,
  );
  for (const value of ["1.1", "-1", "10%", "1e-2", "."]) {
    assert.throws(
      () => readConfig({ ACCESS_LOG_SAMPLE: value }),
      /ACCESS_LOG_SAMPLE=\S+ is not usable: .*0 to 1/,
    );
  }
});

test("off: neither requests nor scans are in the log", async () => {
  const { server, lines } = await startLogged({ ACCESS_LOG_SAMPLE: "1" });
  const { slug } = await server.api.createRendered();
  await server.api.get(`/${slug}`, 302);
  assert.deepEqual([lines("request"), lines("scan")], [[], []]);
});

test("api: every request by its route, no scan", async () => {
  const { server, lines } = await startLogged({ ACCESS_LOG: "api", ACCESS_LOG_SAMPLE: "1" });
  const { slug, qr_id } = await server.api.createRendered();
  const before = lines("request").length;
  const answers = [
    await server.api.get(`/v1/qr-codes/${qr_id}?secret=1`, 200),
    await server.api.get("/v1/qr-codes/qr_none", 404),
    await server.api.call("HEAD", "/v1/projects", { status: 200 }),
    await server.api.delete("/v1/projects", 405),
    await server.api.get("/some/where", 404),
  ];
  await server.api.get(`/${slug}`, 302);
  assert.deepEqual(
    lines("request")
      .slice(before)
      .map(({ request_id, method, route, status }) => [request_id, method, route, status]),
    [
      ["GET", "/v1/qr-codes/:id", 200],
      ["GET", "/v1/qr-codes/:id", 404],
      ["GET", "/v1/projects", 200],
      ["any", "/*", 405],
      ["any", "/*", 404],
    ].map((line, at) => [answers[at]!.headers.get("x-request-id"), ...line]),
  );
  for (const line of lines("request")) {
    assert.deepEqual(Object.keys(line), ["level", "request_id", "method", "route", "status", "ms", "msg"]);
    assert.ok(line.level === 30 && line.ms > 0);
  }
  assert.deepEqual(lines("scan"), []);
});

test("all: scans by slug and status, of every kind", async () => {
  const { server, lines } = await startLogged({ ACCESS_LOG: "all", ACCESS_LOG_SAMPLE: "1" });
  const { api } = server;
  const plain = await api.createRendered();
  const ruled = await api.createRendered({
    redirect_rules: [{ condition: "device", value: "desktop", url: "https://example.org/" }],
  });
  const limited = await api.createRendered({ scan_limit: 1 });
  const text = await api.createRendered({ type: "text", text: "hello", redirect_url: undefined });
  const expired = await api.createRendered({ expires_at: "2020-01-01T00:00:00Z" });
  const asked: [method: string, path: string, status: number][] = [
    ["GET", plain.slug, 302],
    ["GET", plain.slug, 302],
    ["GET", `${plain.slug.toUpperCase()}/`, 302],
    ["HEAD", plain.slug, 302],
    ["GET", ruled.slug, 302],
    ["GET", limited.slug, 302],
    ["GET", limited.slug, 410],
    ["GET", text.slug, 200],
    ["GET", expired.slug, 410],
    ["GET", "qr-0000000000", 404],
    ["GET", "no-slug", 404],
  ];
  for (const [method, path, status] of asked) await api.call(method, `/${path}`, { status });
  assert.deepEqual(
    lines("scan").map(({ method, slug, status }) => [method, slug, status]),
    asked.map(([method, path, status]) => [
      method,
      path === "no-slug" ? null : path.slice(0, 13).toLowerCase(),
      status,
    ]),
  );
  for (const line of lines("scan")) {
    assert.deepEqual(Object.keys(line), ["level", "method", "slug", "status", "ms", "msg"]);
  }
  assert.ok(lines("request").length > 0);
  assert.equal((await api.get(`/v1/qr-codes/${plain.qr_id}`, 200)).body.scan_count, 3);
});

test("all: a scan that is refused for its body in chunks has its line too", async () => {
  const { server, lines } = await startLogged({ ACCESS_LOG: "all", ACCESS_LOG_SAMPLE: "1" });
  const raw = await openRaw(server.url);
  raw.socket.write(rawRequest("GET", "/QR-0000000000", ["Transfer-Encoding: chunked"], "0\r\n\r\n"));
  await raw.closed();
  assert.deepEqual(
    lines("scan").map(({ method, slug, status }) => [method, slug, status]),
    [["GET", "qr-0000000000", 400]],
  );
});

test("a sample is exactly the share that was asked for", async () => {
  const { server, lines } = await startLogged({ ACCESS_LOG: "all", ACCESS_LOG_SAMPLE: "0.125" });
  const { slug } = await server.api.createRendered();
  for (let scan = 0; scan < 80; scan++) await server.api.get(`/${slug}`, 302);
  assert.equal(lines("scan").length, 10);
  const none = await startLogged({ ACCESS_LOG: "all", ACCESS_LOG_SAMPLE: "0" });
  const other = await none.server.api.createRendered();
  await none.server.api.get(`/${other.slug}`, 302);
  assert.deepEqual(none.lines("scan"), []);
});

test("with everything on, no key, no token and no address gets into the log", async () => {
  const visitor = "203.0.113.77";
  const visitor6 = "2001:db8:1:2:3:4:5:6";
  const { server, text, lines } = await startLogged({
    ACCESS_LOG: "all",
    ACCESS_LOG_SAMPLE: "1",
    TRUSTED_PROXIES: "127.0.0.1",
    COUNTRY_HEADER: "cf-ipcountry",
  });
  const from = (address: string) => ({ "x-forwarded-for": address, referer: `https://${address}/` });
  const { api, admin, key, account } = server;
  const wrongKey = `api_live_${"w".repeat(32)}`;
  const wrongToken = "a-guess-that-is-wrong";
  const { slug } = await api.createRendered();
  for (const address of [visitor, visitor6]) {
    await api.get(`/${slug}`, 302, { ...from(address), "cf-ipcountry": "DE" });
    await api.get("/v1/projects", 200, from(address));
    const guess = { ...from(address), authorization: `Bearer ${wrongToken}` };
    assertRefused(
      await new Client(server.url).get("/admin/v1/accounts", undefined, guess),
      401,
      "unauthorized",
    );
  }
  await api.get(`/${slug}`, 302);
  const wrong = new Client(server.url, { "x-api-key": wrongKey });
  assertRefused(await wrong.get("/v1/projects"), 401, "unauthorized");

  // Where people put keys by mistake.
  await api.get(`/v1/qr-codes?key=${key}`, 200);
  await api.get(`/v1/qr-codes/${key}`, 404);
  await api.get(`/files/${key}/${key}.svg`, 404);
  await api.get(`/${key}`, 404);
  await api.get(`/x/${key}`, 404);
  await api.post("/v1/qr-codes", { redirect_url: `https://example.com/?${key}` }, 201);
  await api.post("/v1/projects", { name: 1, key }, 400);
  await fetch(`${server.url}/v1/projects`, { method: key.toUpperCase() });
  await admin.get(`/admin/v1/accounts/${key}`, 404);
  const created = (await admin.post(`/admin/v1/accounts/${account.id}/keys`, { name: "second" }, 201)).body;
  await admin.delete(`/admin/v1/accounts/${account.id}/keys/${created.key_id}`, 200);
  await server.restart();
  await api.get(`/${slug}`, 302, from(visitor));

  assert.ok(
    lines("request").length > 10 && lines("scan").length === 5 && lines("wrong admin token").length === 2,
  );
  const token = readFileSync(`${server.dataDir}/admin-token`, "utf8").trim();
  const secrets = [key, created.key, wrongKey, token, wrongToken];
  const addresses = [visitor, visitor6, "127.0.0.1", "::1", "2001:db8:1:2"];
  const logged = text().toLowerCase();
  for (const hidden of [...secrets, ...addresses, "api_live_"]) {
    assert.ok(!logged.includes(hidden.toLowerCase()), `${hidden} is in the log`);
  }
});
