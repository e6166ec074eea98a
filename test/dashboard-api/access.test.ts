/** Who may ask for what: every operation of the pages, with every credential that is not the right one. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dashboardRoutes } from "../../src/dashboard-api/operations.ts";
import { isOfPages } from "../../src/http/access.ts";
import { assertRefused, Client } from "../support/client.ts";
import { PageClient } from "../support/pages/page-client.ts";
import { makePeople } from "../support/pages/people-world.ts";

const world = await makePeople();

type Route = (typeof dashboardRoutes)[number];
const guarded = dashboardRoutes.filter(({ access }) => isOfPages(access) && access !== "page");
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

/** Below `/dashboard/api`, with an id that is nobody's. */
const pathOf = ({ path }: Route) =>
  path.slice("/dashboard/api".length).replaceAll(/\{\w+\}/g, "usr_00000000000000000000zz");

function ask(client: PageClient, route: Route, headers: Record<string, string> = {}) {
  return client.call(route.method, pathOf(route), { ...(route.body && { json: {} }), headers });
}

test("the operations of both APIs are there for pages, and no others of them", () => {
  const names = dashboardRoutes.map(nameOf);
  for (const name of [
    "POST /dashboard/api/v1/qr-codes",
    "PATCH /dashboard/api/v1/qr-codes/{id}",
    "GET /dashboard/api/v1/projects",
    "GET /dashboard/api/admin/v1/accounts",
    "POST /dashboard/api/admin/v1/safety/rescan",
  ]) {
    assert.ok(names.includes(name), name);
  }
  assert.deepEqual(
    names.filter((name) => /metrics|healthz|files|docs/.test(name)),
    [],
  );
});

describe("without a session nothing is answered, whatever else is shown", () => {
  for (const route of guarded) {
    test(nameOf(route), async () => {
      const { server, adminToken } = world;
      const strange: Record<string, string>[] = [
        {},
        { "x-api-key": server.key },
        { authorization: `Bearer ${adminToken}` },
        { cookie: "qrelay=" },
        { cookie: `qrelay=${"A".repeat(43)}` },
        { cookie: `__Host-${world.owner.cookie}` },
        { cookie: `x-api-key=${server.key}` },
      ];
      for (const headers of strange) {
        const answer = await ask(new PageClient(server.url), route, headers);
        assertRefused(answer, 401, "unauthorized");
        assert.equal(answer.headers.get("www-authenticate"), 'Session realm="qrelay dashboard"');
        assert.equal(answer.headers.get("set-cookie"), null);
      }
    });
  }
});

describe("the wrong one of those who are signed in is refused", () => {
  for (const route of guarded) {
    test(nameOf(route), async () => {
      const { owner, member, operator } = world;
      const wrong = {
        user: [operator],
        owner: [member, operator],
        operator: [owner, member],
        page: [],
      }[route.access as "user" | "owner" | "operator"];
      for (const client of wrong) assertRefused(await ask(client, route), 403, "forbidden");
    });
  }
});

describe("a change that no page of ours asks for is refused, whoever is signed in", () => {
  const strange: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "" },
    { origin: "http://localhost.evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ];
  const changing = dashboardRoutes.filter(({ method, access }) => method !== "GET" && isOfPages(access));
  for (const route of changing) {
    test(nameOf(route), async () => {
      const { owner, operator } = world;
      const client = route.access === "operator" ? operator : owner;
      for (const headers of strange) assertRefused(await ask(client, route, headers), 403, "forbidden");
      const bare = new Client(world.server.url, { cookie: client.cookie });
      const json = route.body ? { json: {} } : {};
      assertRefused(await bare.call(route.method, `/dashboard/api${pathOf(route)}`, json), 403, "forbidden");
    });
  }

  test("and nobody was signed out by it", async () => {
    await world.owner.get("/session", 200);
    await world.operator.get("/session", 200);
  });
});

test("other names of this machine are as good while nobody has named the service", async () => {
  const { port } = new URL(world.server.url);
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    const client = new PageClient(world.server.url, { origin: `http://${host}:${port}` });
    client.cookie = world.owner.cookie;
    await client.patch("/account", { name: "test" }, 200);
  }
  const other = new PageClient(world.server.url, { origin: "http://localhost:1" });
  other.cookie = world.owner.cookie;
  assertRefused(await other.patch("/account", { name: "test" }), 403, "forbidden");
});

test("no session is taken where keys and tokens are", async () => {
  for (const { cookie } of [world.owner, world.operator]) {
    const client = new Client(world.server.url, { cookie });
    assertRefused(await client.get("/v1/qr-codes"), 401, "unauthorized");
    assertRefused(await client.post("/v1/qr-codes", {}), 401, "unauthorized");
    assertRefused(await client.get("/admin/v1/accounts"), 401, "unauthorized");
    assertRefused(await client.get("/metrics"), 401, "unauthorized");
  }
});

test("what is another account's is as what does not exist", async () => {
  const { server, owner, stranger } = world;
  const theirs = await stranger.api.createRendered();
  const [{ user_id }] = (await server.admin.get(`/admin/v1/accounts/${stranger.id}/users`, 200)).body.items;
  const [{ key_id }] = (await server.admin.get(`/admin/v1/accounts/${stranger.id}/keys`, 200)).body.items;
  assertRefused(await owner.get(`/qr-codes/${theirs.qr_id}`), 404, "qr_not_found");
  assertRefused(await owner.get(`/v1/qr-codes/${theirs.qr_id}`), 404, "qr_not_found");
  assertRefused(await owner.post(`/qr-codes/${theirs.qr_id}/visit`, {}), 404, "qr_not_found");
  assertRefused(
    await owner.patch(`/projects/${stranger.projectId}`, { name: "x" }),
    404,
    "project_not_found",
  );
  assertRefused(await owner.get(`/qr-codes?project_id=${stranger.projectId}`), 404, "project_not_found");
  assertRefused(await owner.delete(`/keys/${key_id}`), 404, "key_not_found");
  assertRefused(await owner.delete(`/users/${user_id}`), 404, "user_not_found");
  assertRefused(await owner.call("POST", `/users/${user_id}/reset`), 404, "user_not_found");
  assert.deepEqual((await owner.get("/qr-codes?search=", 200)).body.items, []);
});
