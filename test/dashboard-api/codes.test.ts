/** The list of codes as people look through it, and what a visitor would get. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { scheduleRule } from "../fakes/sample-documents.ts";
import { assertRefused, type Json } from "../support/client.ts";
import { makePeople } from "../support/pages/people-world.ts";

const world = await makePeople();

const labels = ["delta", "Alpha", "charlie", "bravo", "Echo", "alpha"];

async function everyPage(query: string): Promise<string[]> {
  const found: string[] = [];
  for (let token: string | null = ""; token !== null; ) {
    const path: string = `/qr-codes?${query}&page_size=2&page_token=${encodeURIComponent(token)}`;
    const { items, next_page_token }: Json = (await world.member.get(path, 200)).body;
    found.push(...items.map(({ label }: Json) => label));
    token = next_page_token;
  }
  return found;
}

test("in every order, page by page, with search and filters", async () => {
  const { member } = world;
  const ids = new Map<string, string>();
  for (const name of labels) {
    const made = (await member.post("/v1/qr-codes", { name, redirect_url: "https://example.com/" }, 201))
      .body;
    ids.set(name, made.qr_id);
  }
  assert.deepEqual(await everyPage("sort=newest"), [...labels].reverse());
  assert.deepEqual(await everyPage(""), [...labels].reverse());
  assert.deepEqual(await everyPage("sort=oldest"), labels);
  assert.deepEqual(await everyPage("sort=label"), ["Alpha", "alpha", "bravo", "charlie", "delta", "Echo"]);
  assert.deepEqual(await everyPage("sort=label&search=LPH"), ["Alpha", "alpha"]);
  assert.deepEqual(await everyPage("sort=oldest&search=a"), ["delta", "Alpha", "charlie", "bravo", "alpha"]);
  assert.deepEqual(await everyPage("sort=label&type=text"), []);
  assert.deepEqual(await everyPage("sort=label&status=blocked"), []);

  await member.patch(`/v1/qr-codes/${ids.get("charlie")}`, { status: "archived" }, 200);
  assert.deepEqual(await everyPage("sort=label"), ["Alpha", "alpha", "bravo", "delta", "Echo"]);
  assert.deepEqual(await everyPage("sort=label&status=archived"), ["charlie"]);
  assert.deepEqual(await everyPage("sort=oldest&status=archived&status=active"), labels);
  const refused = await member.get("/qr-codes?sort=size");
  assertRefused(refused, 400, "invalid_request", /^sort must be one of newest, oldest, label/);
});

test("a token of one order is none in another", async () => {
  const { member } = world;
  const token = (await member.get("/qr-codes?sort=label&page_size=2", 200)).body.next_page_token;
  const items = (await member.get(`/qr-codes?sort=oldest&page_size=2&page_token=${token}`, 200)).body.items;
  assert.equal(items[0].label, labels[0]);
});

test("an item has the figures that a list shows", async () => {
  const { server, member } = world;
  const code = await server.api.createRendered({ name: "counted", scan_limit: 5 });
  await fetch(`${server.url}/${code.slug}`, { redirect: "manual" });
  const [item] = (await member.get("/qr-codes?search=counted", 200)).body.items;
  assert.deepEqual(
    [item.scan_count, item.scan_limit, item.expires_at, item.file_url_svg],
    [1, 5, null, code.file_url_svg],
  );
});

test("what a visitor would get, by the stored rules or those of the editor, without being counted", async () => {
  const { server, member } = world;
  const code = await server.api.createRendered({
    redirect_rules: [
      {
        condition: "device",
        value: "ios",
        condition2: "country",
        value2: "DE",
        url: "https://example.com/ios-de",
      },
      scheduleRule(["mon"], "09:00", "10:00", "https://example.com/monday"),
    ],
  });
  const visit = async (body: object): Promise<Json> =>
    (await member.post(`/qr-codes/${code.qr_id}/visit`, body, 200)).body;
  const [monday, tuesday] = ["2026-03-02T09:30:00Z", "2026-03-03T09:30:00Z"];
  const met = async (body: object) => {
    const { outcome, status, url, rule } = await visit(body);
    return [outcome, status, url, rule];
  };
  assert.deepEqual(await met({ at: tuesday }), ["redirect", 302, code.redirect_url, null]);
  assert.deepEqual(await met({ at: monday }), ["redirect", 302, "https://example.com/monday", 1]);
  assert.deepEqual(await met({ at: monday, device: "ios", country: "de" }), [
    "redirect",
    302,
    "https://example.com/ios-de",
    0,
  ]);
  assert.deepEqual(await met({ at: monday, redirect_rules: [], redirect_url: "https://example.org" }), [
    "redirect",
    302,
    "https://example.org/",
    null,
  ]);
  assertRefused(
    await member.post(`/qr-codes/${code.qr_id}/visit`, { country: "ZZ" }),
    400,
    "invalid_request",
    /^country /,
  );

  const change = (body: object) => server.api.patch(`/v1/qr-codes/${code.qr_id}`, body, 200);
  await change({ expires_at: monday });
  assert.deepEqual(await met({ at: tuesday }), ["expired", 410, null, null]);
  assert.equal((await met({ at: "2026-03-02T09:29:59Z" }))[0], "redirect");
  await change({ expires_at: null, status: "archived" });
  assert.deepEqual(await met({}), ["archived", 404, null, null]);
  await change({ status: "active", scan_limit: 1 });
  assert.equal((await met({ at: tuesday }))[0], "redirect");
  await fetch(`${server.url}/${code.slug}`, { redirect: "manual" });
  assert.deepEqual(await met({ at: tuesday }), ["limit_reached", 410, null, null]);
  const text = (await member.post("/v1/qr-codes", { type: "text", text: "Hello" }, 201)).body;
  const read = (await member.post(`/qr-codes/${text.qr_id}/visit`, {}, 200)).body;
  assert.deepEqual([read.outcome, read.status, read.text, read.url], ["text", 200, "Hello", null]);
});

test("projects: renamed, made the default, archived; never both of the last", async () => {
  const { server, member } = world;
  const { project_id } = (await member.post("/v1/projects", { name: "Second" }, 201)).body;
  const path = `/projects/${project_id}`;
  const changed = (await member.patch(path, { name: "Menus", description: "All", is_default: true }, 200))
    .body;
  assert.deepEqual(
    [changed.name, changed.description, changed.is_default, changed.is_archived, changed.created_via],
    ["Menus", "All", true, false, "dashboard"],
  );
  const made = (await member.post("/v1/qr-codes", { redirect_url: "https://example.com/" }, 201)).body;
  assert.equal(made.project_id, project_id);
  assertRefused(await member.patch(path, { archived: true }), 400, "invalid_request", /^archived /);
  const first = `/projects/${server.account.projectId}`;
  await member.patch(first, { archived: true }, 200);
  assertRefused(await member.patch(first, { is_default: true }), 400, "invalid_request", /^is_default /);
  const { items } = (await member.get("/projects", 200)).body;
  assert.deepEqual(
    items.map((item: Json) => [item.project_id, item.is_default, item.is_archived]),
    [
      [project_id, true, false],
      [server.account.projectId, false, true],
    ],
  );
  const [old] = (await member.get(`/qr-codes?project_id=${server.account.projectId}`, 200)).body.items;
  const { outcome, status } = (await member.post(`/qr-codes/${old.qr_id}/visit`, {}, 200)).body;
  assert.equal(status, 404);
  assert.match(outcome, /archived/);
});

test("owners: keys that are shown once and count, the account's name and zone", async () => {
  const { server, owner } = world;
  const made = (await owner.post("/keys", { name: "till" }, 201)).body;
  assert.match(made.key, /^api_live_\w{32}$/);
  assert.deepEqual([made.requests_this_minute, made.requests_this_day], [0, 0]);
  const asked = await fetch(`${server.url}/v1/projects`, { headers: { "x-api-key": made.key } });
  assert.equal(asked.status, 200);
  const keys = (await owner.get("/keys", 200)).body.items;
  const found = keys.find(({ key_id }: Json) => key_id === made.key_id);
  assert.deepEqual([found.name, found.requests_this_day, "key" in found], ["till", 1, false]);
  assert.notEqual(found.last_used_at, null);
  assert.notEqual((await owner.delete(`/keys/${made.key_id}`, 200)).body.revoked_at, null);
  const after = await fetch(`${server.url}/v1/projects`, { headers: { "x-api-key": made.key } });
  assert.equal(after.status, 401);

  const changed = (
    await owner.patch("/account", { name: "Bakery", timezone: "Asia/Tokyo", plan: "free" }, 200)
  ).body;
  assert.deepEqual([changed.name, changed.timezone, changed.plan], ["Bakery", "Asia/Tokyo", "enterprise"]);
  assertRefused(
    await owner.patch("/account", { timezone: "Mars/Olympus" }),
    400,
    "invalid_request",
    /^timezone /,
  );
  assertRefused(await owner.post("/users", { email: "OWNER@example.com" }), 409, "email_taken");
  assertRefused(await owner.post("/users", { email: "stranger@example.com" }), 409, "email_taken");
  assertRefused(await owner.post("/users", { email: "nobody" }), 400, "invalid_request", /^email must be/);
});
