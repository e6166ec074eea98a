/** Who may read `/metrics`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongTokensMax } from "../../src/limits.ts";
import { assertRefused, Client } from "../support/client.ts";
import { startServer, type TestServer } from "../support/server.ts";

const metricsToken = "token-of-the-scraper-1";
const figures = /^qrelay_build_info|^# HELP /m;

const reader = (server: TestServer, authorization?: string) =>
  new Client(server.url, authorization === undefined ? {} : { authorization });

test("it needs a token: its own, or the admin's", async () => {
  const server = await startServer({ env: { METRICS_TOKEN: metricsToken } });
  for (const authorization of [`Bearer ${metricsToken}`, `bearer ${metricsToken}`]) {
    assert.match((await reader(server, authorization).get("/metrics", 200)).text, figures);
  }
  await server.admin.get("/metrics", 200);
  const refused = await reader(server).get("/metrics", 401);
  assertRefused(refused, 401, "unauthorized");
  assert.equal(refused.headers.get("www-authenticate"), 'Bearer realm="qrelay metrics"');
  assert.doesNotMatch(refused.text, figures);
  await reader(server, `Bearer ${metricsToken}`).get("/admin/v1/accounts", 401);
  await server.api.get("/metrics", 401);
});

test("its token is guarded like the admin's, and always passes", async () => {
  const server = await startServer({ env: { METRICS_TOKEN: metricsToken } });
  const guesser = reader(server, "Bearer wrong-token-of-this-test");
  for (let at = 0; at < wrongTokensMax; at++) await guesser.get("/metrics", 401);
  assert.equal((await guesser.get("/metrics", 429)).body.code, "rate_limited");
  await guesser.get("/admin/v1/accounts", 429);
  await reader(server, `Bearer ${metricsToken}`).get("/metrics", 200);
});

test("without METRICS_TOKEN the admin token is the only one", async () => {
  const server = await startServer();
  await server.admin.get("/metrics", 200);
  for (const authorization of [undefined, "Bearer ", "Bearer null"]) {
    await reader(server, authorization).get("/metrics", 401);
  }
});

test("METRICS=open opens it, METRICS=off removes it", async (t) => {
  const open = await startServer({ env: { METRICS: "open" } });
  t.after(() => open.stop());
  assert.match((await reader(open).get("/metrics", 200)).text, figures);
  const off = await startServer({ env: { METRICS: "off", METRICS_TOKEN: metricsToken } });
  t.after(() => off.stop());
  assertRefused(await reader(off, `Bearer ${metricsToken}`).get("/metrics", 404), 404, "not_found");
  await off.admin.get("/metrics", 404);
});
