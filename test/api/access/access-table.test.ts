/**
 * Who gets what: every route of the one URL table with every kind of credential; and that no answer tells whether
 * another account's object exists: it is the answer for one that does not.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { routes } from "../../../src/api/operations.ts";
import { patternOf } from "../../../src/door/route.ts";
import {
  type Credential,
  type CredentialName,
  credentialNames,
  credentials,
} from "../../support/access/access-credentials.ts";
import { objectRows } from "../../support/access/access-objects.ts";
import { type AccessRow, accessRows, type Due } from "../../support/access/access-rows.ts";
import { belongings, makeAccessWorld } from "../../support/access/access-world.ts";
import { type Answer, assertRefused, Client } from "../../support/client.ts";

const world = await makeAccessWorld();

type Served = (typeof routes)[number];

const nameOf = (route: Served) => `${route.method} ${patternOf(route)}`;

test("every route has its row, and every row its route", () => {
  assert.deepEqual(Object.keys(accessRows).sort(), routes.map(nameOf).sort());
});

test("every route that takes the id of something in an account has a row for others' objects", () => {
  for (const route of routes) {
    // Scripts of the documentation are nobody's.
    if (route.path === "/docs/:script") continue;
    const ids = route.path.split("/:").length - 1;
    // The operator's first id is the account itself, which is nobody else's.
    if (ids > (route.access === "admin" ? 1 : 0)) assert.ok(objectRows[nameOf(route)], nameOf(route));
  }
});

const unauthorized: Due = [401, "unauthorized"];

function dueFor(route: Served, row: AccessRow, credential: CredentialName): Due {
  if (route.access === "anyone") return [row.own];
  if (route.access === "admin" || route.access === "metrics")
    return credential === "the admin token" ? [row.own] : unauthorized;
  switch (credential) {
    case "the owner's key":
      return [row.own];
    case "another account's key":
      return row.other!;
    case "a key of an account without API access":
      return [403, "api_access_disabled"];
    default:
      return unauthorized;
  }
}

let callers = 0;

function call(route: Served, row: AccessRow, name: CredentialName): Promise<Answer> {
  const credential: Credential = credentials[name];
  const { headers = {}, query } = credential(world);
  const address = `203.0.${callers >> 8}.${callers++ & 255}`;
  const path = row.path(world);
  const asked = query === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
  const client = new Client(world.server.url, { ...headers, "x-forwarded-for": address });
  return client.call(route.method, asked, row.json === undefined ? {} : { json: row.json });
}

describe("who is not let in gets nothing and changes nothing", () => {
  for (const route of routes.filter(({ access }) => access !== "anyone")) {
    test(nameOf(route), async () => {
      const row = accessRows[nameOf(route)]!;
      const before = await belongings(world);
      for (const name of credentialNames) {
        const [status, errorCode] = dueFor(route, row, name);
        if (errorCode !== undefined) assertRefused(await call(route, row, name), status, errorCode);
      }
      assert.deepEqual(await belongings(world), before);
    });
  }
});

/** An id of the same form that nothing has. */
const missing = (id: string) => `${id.slice(0, -5)}00000`;

/** What an answer tells; under a key of its own, so that the answers compared are each the first of their key. */
async function told(method: string, path: string, json?: object) {
  const { server, stranger } = world;
  const { key } = (await server.admin.post(`/admin/v1/accounts/${stranger.id}/keys`, {}, 201)).body;
  const client = path.startsWith("/admin/") ? server.admin : new Client(server.url, { "x-api-key": key });
  const { status, headers, body } = await client.call(method, path, json === undefined ? {} : { json });
  const { request_id: _, ...fields } = body;
  const kept = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return { status, headers: kept, fields };
}

describe("another account's object is as one that does not exist", () => {
  for (const [route, { ids, path, json, due }] of Object.entries(objectRows)) {
    test(route, async () => {
      const method = route.split(" ")[0]!;
      const before = await belongings(world);
      for (const id of ids(world)) {
        const theirs = await told(method, path(id, world), json?.(id));
        const nobodys = await told(method, path(missing(id), world), json?.(missing(id)));
        assert.deepEqual([theirs.status, theirs.fields.code], due);
        assert.deepEqual(theirs, nobodys);
      }
      assert.deepEqual(await belongings(world), before);
    });
  }

  test("a public link that was taken back", async () => {
    const { slug } = world.archivedCode;
    assert.deepEqual(await told("GET", `/${slug}`), await told("GET", `/${missing(slug)}`));
  });
});

test("a page token of another account is no token", async () => {
  const { owner, stranger, server } = world;
  for (const list of ["/v1/projects?", "/v1/qr-codes?status=active&status=archived&"]) {
    const token = (await owner.api.get(`${list}page_size=1`, 200)).body.next_page_token;
    const itsPage = (await owner.api.get(`${list}page_size=1&page_token=${token}`, 200)).body.items;
    assert.equal(itsPage.length, 1);
    const { items } = (await stranger.api.get(`${list}page_token=${token}`, 200)).body;
    assert.deepEqual(items, (await stranger.api.get(list, 200)).body.items);
    assert.ok(!JSON.stringify(items).includes(itsPage[0].project_id));
  }
  const projects = (id: string) => `/admin/v1/accounts/${id}/projects`;
  const token = (await server.admin.get(`${projects(owner.id)}?page_size=1`, 200)).body.next_page_token;
  const { items } = (await server.admin.get(`${projects(stranger.id)}?page_token=${token}`, 200)).body;
  assert.deepEqual(items, (await server.admin.get(projects(stranger.id), 200)).body.items);
});

test("an idempotency key is the account's own: the same value elsewhere gets an answer of its own", async () => {
  const { owner, stranger, server } = world;
  const headers = { "idempotency-key": "same-value" };
  for (const [path, body, id] of [
    ["/v1/projects", { name: "once" }, "project_id"],
    ["/v1/qr-codes", { redirect_url: "https://example.com/once" }, "qr_id"],
  ] as const) {
    const first = await owner.api.post(path, body, 201, headers);
    const strangers = await stranger.api.post(path, body, 201, headers);
    assert.equal(strangers.headers.get("idempotent-replayed"), null);
    assert.notEqual(strangers.body[id], first.body[id]);
    const again = await owner.api.post(path, body, 201, headers);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal(again.text, first.text);
    // To the owner another body is a conflict; a third account must not learn of it.
    const third = await server.newAccount();
    await third.api.post(path, { ...body, name: "other" }, 201, headers);
  }
});

describe("who is let in gets what is due", () => {
  for (const route of routes) {
    test(nameOf(route), async () => {
      const row = accessRows[nameOf(route)]!;
      for (const name of credentialNames) {
        const [status, errorCode] = dueFor(route, row, name);
        if (errorCode !== undefined) continue;
        const answer = await call(route, row, name);
        assert.equal(answer.status, status, `${name}: ${answer.text}`);
        if (name === "another account's key" && route.access === "key") {
          assert.ok(!answer.text.includes(world.code.qr_id), answer.text);
        }
      }
    });
  }

  test("a public link is for everybody, whatever credential comes with it", async () => {
    const { code, server } = world;
    for (const credential of Object.values(credentials) as Credential[]) {
      const { headers = {}, query = "" } = credential(world);
      const answer = await new Client(server.url, headers).get(`/${code.slug}?${query}`, 302);
      assert.equal(answer.headers.get("location"), code.redirect_url);
    }
  });
});

test("what a route answers to GET without a credential, it answers to HEAD", async () => {
  for (const route of routes.filter(({ method }) => method === "GET")) {
    const row = accessRows[nameOf(route)]!;
    const [status] = dueFor(route, row, "no key");
    const answer = await new Client(world.server.url).call("HEAD", row.path(world));
    assert.deepEqual([answer.status, answer.text], [status, ""], route.path);
  }
});

test("an address that is not there is told to anybody, and a wrong method too", async () => {
  const { server, stranger, code } = world;
  for (const key of ["", "not-a-key", stranger.key]) {
    const client = new Client(server.url, { "x-api-key": key });
    assertRefused(await client.get("/v1/nothing"), 404, "not_found");
    assertRefused(await client.get("/admin/v1/nothing"), 404, "not_found");
    const answers = [code.qr_id, missing(code.qr_id)].map((id) => client.delete(`/v1/qr-codes/${id}`));
    for (const answer of await Promise.all(answers)) assertRefused(answer, 405, "method_not_allowed");
  }
});
