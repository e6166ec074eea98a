import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { assertRefused, type Json } from "../../support/client.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { startServer } from "../../support/server.ts";

interface Known {
  id: string;
  project: string;
  type: string;
  status: string;
  label: string;
}

const known: Known[] = [];

const labels = ["Menu Berlin", "menu Paris", "Straße 9", "STRASSE", "Ünter", "100% (off)", "a.b*c", "x"];
const listedHost = "soon-listed.example.com";

const blockList = join(temporaryFolder(), "blocked-hosts");
await writeFile(blockList, "");
const server = await startServer({ env: { BLOCKLIST_FILE: blockList } });
const account = await server.newAccount();
const second = (await account.api.post("/v1/projects", { name: "second" }, 201)).body.project_id;
const empty = (await account.api.post("/v1/projects", { name: "empty" }, 201)).body.project_id;
const projects = [account.projectId, second, empty];
for (let at = 0; at < 48; at++) await makeCode(at, second);
await writeFile(blockList, `${listedHost}\n`);
await untilBlocked(known.filter(({ status }) => status === "blocked").length);

/** Every status, type, project and label in many combinations. */
async function makeCode(at: number, second: string): Promise<void> {
  const type = ["url", "dynamic_url", "text"][at % 3]!;
  const status = type === "text" || at % 4 < 2 ? (at % 5 === 0 ? "archived" : "active") : "blocked";
  const project = at % 2 === 0 ? account.projectId : second;
  const label = labels[at % labels.length]!;
  const host = status === "blocked" ? listedHost : "example.com";
  const target = type === "text" ? { text: `text ${at}` } : { redirect_url: `https://${host}/${at}` };
  const { qr_id } = await account.api.createCode({
    redirect_url: undefined,
    type,
    name: label,
    project_id: project,
    ...target,
  });
  if (status === "archived") await account.api.patch(`/v1/qr-codes/${qr_id}`, { status: "archived" }, 200);
  known.push({ id: qr_id, project, type, status, label });
}

async function untilBlocked(count: number): Promise<void> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(50)) {
    const { items } = (await account.api.get("/v1/qr-codes?status=blocked&page_size=100", 200)).body;
    if (items.length === count) return;
  }
  throw new Error("the codes were not blocked in time");
}

interface Filters {
  project?: string | undefined;
  statuses: string[];
  type?: string | undefined;
  text?: string | undefined;
}

function model({ project, statuses, type, text }: Filters): string[] {
  return known
    .filter((code) => project === undefined || code.project === project)
    .filter((code) => (statuses.length === 0 ? code.status !== "archived" : statuses.includes(code.status)))
    .filter((code) => type === undefined || code.type === type)
    .filter((code) => text === undefined || code.label.toLowerCase().includes(text.toLowerCase()))
    .map(({ id }) => id)
    .sort()
    .reverse();
}

function queryOf({ project, statuses, type, text }: Filters): URLSearchParams {
  const query = new URLSearchParams(statuses.map((status): [string, string] => ["status", status]));
  if (project !== undefined) query.set("project_id", project);
  if (type !== undefined) query.set("type", type);
  if (text !== undefined) query.set("label_contains", text);
  return query;
}

async function listed(filters: Filters, pageSize: number): Promise<string[]> {
  const ids: string[] = [];
  const query = queryOf(filters);
  query.set("page_size", String(pageSize));
  for (;;) {
    const { items, next_page_token } = (await account.api.get(`/v1/qr-codes?${query}`, 200)).body;
    ids.push(...items.map((item: Json) => item.qr_id));
    if (next_page_token === null) return ids;
    assert.equal(items.length, pageSize);
    query.set("page_token", next_page_token);
  }
}

test("the sample has codes of every status and type", () => {
  for (const status of ["active", "archived", "blocked"])
    assert.ok(model({ statuses: [status] }).length > 3, status);
  for (const type of ["url", "dynamic_url", "text"])
    assert.ok(model({ statuses: [], type }).length > 3, type);
});

test("each filter alone gives what a naive search gives", async () => {
  const filters: Filters[] = [
    { statuses: [] },
    ...projects.map((project) => ({ statuses: [], project })),
    ...["active", "archived", "blocked"].map((status) => ({ statuses: [status] })),
    ...["url", "dynamic_url", "text"].map((type) => ({ statuses: [], type })),
    ...[...labels, "MENU", "menu", "straße", "ü", "%", "(", ".*", "no such label"].map((text) => ({
      statuses: [],
      text,
    })),
  ];
  for (const filter of filters) {
    assert.deepEqual(await listed(filter, 100), model(filter), JSON.stringify(filter));
  }
});

test("all filters combine, in any order of repeated statuses, on pages of any size", async () => {
  const anyFilters = fc.record({
    project: fc.constantFrom(undefined, ...[0, 1, 2]),
    statuses: fc.array(fc.constantFrom("active", "archived", "blocked", "no such status"), { maxLength: 4 }),
    type: fc.constantFrom(undefined, "url", "dynamic_url", "text", "wifi"),
    text: fc.constantFrom(undefined, "menu", "STRA", "x", "b*", "nothing"),
  });
  await fc.assert(
    fc.asyncProperty(anyFilters, fc.integer({ min: 1, max: 30 }), async ({ project, ...rest }, pageSize) => {
      const filters = { ...rest, project: project === undefined ? undefined : projects[project] };
      assert.deepEqual(await listed(filters, pageSize), model(filters));
    }),
    { numRuns: 60 },
  );
});

test("the list is newest first", async () => {
  const { items } = (await account.api.get("/v1/qr-codes?page_size=100", 200)).body;
  const times = items.map((item: Json) => item.created_at);
  assert.deepEqual(times, times.toSorted().reverse());
});

test("an unknown status or type matches nothing; an empty one is as if it was not there", async () => {
  for (const query of [
    "status=paused",
    "status=ACTIVE",
    "type=wifi",
    "type=URL",
    "status=active&type=vcard",
  ]) {
    const { body } = await account.api.get(`/v1/qr-codes?${query}`, 200);
    assert.deepEqual([body.items, body.next_page_token], [[], null], query);
  }
  const some = await account.api.get("/v1/qr-codes?status=paused&status=archived&page_size=100", 200);
  assert.equal(some.body.items.length, model({ statuses: ["archived"] }).length);
  const { items } = (
    await account.api.get("/v1/qr-codes?status=&type=&label_contains=&project_id=&page_size=100", 200)
  ).body;
  assert.equal(items.length, model({ statuses: [] }).length);
});

test("a project that does not exist or is somebody else's is not found", async () => {
  const other = await server.newAccount();
  for (const project of ["prj_none", other.projectId, "%20", "x".repeat(1_000), "../accounts"]) {
    const answer = await account.api.get(`/v1/qr-codes?project_id=${project}`);
    assertRefused(answer, 404, "project_not_found");
  }
});

test("an item has exactly the short form's fields", async () => {
  const { api } = await server.newAccount();
  const created = await api.createRendered({ name: "short" });
  const [item] = (await api.get("/v1/qr-codes", 200)).body.items;
  assert.deepEqual(item, {
    qr_id: created.qr_id,
    project_id: created.project_id,
    slug: created.slug,
    label: "short",
    status: "active",
    type: "url",
    redirect_url: created.redirect_url,
    created_at: created.created_at,
    render_status: "done",
  });
});

test("unknown parameters are ignored", async () => {
  const { items } = (await account.api.get("/v1/qr-codes?sort=asc&limit=1&page_size=100", 200)).body;
  assert.equal(items.length, model({ statuses: [] }).length);
});
