import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Client, Json } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const count = 105;

const server = await startServer();
const account = await server.newAccount();
const { api } = account;
await Promise.all(Array.from({ length: count }, (_, at) => api.createCode({ name: `code ${at}` })));
await Promise.all(
  Array.from({ length: count - 1 }, (_, at) => api.post("/v1/projects", { name: `p${at}` }, 201)),
);

const lists = [
  { path: "/v1/projects", id: "project_id", belowOne: 20 },
  { path: "/v1/qr-codes", id: "qr_id", belowOne: 1 },
];

for (const { path, id, belowOne } of lists) {
  describe(path, () => {
    const page = async (query: Record<string, string>, api: Client = account.api) => {
      const { body } = await api.get(`${path}?${new URLSearchParams(query)}`, 200);
      return { ids: body.items.map((item: Json) => item[id]) as string[], token: body.next_page_token };
    };
    const all = async (size: string): Promise<string[]> => {
      const ids: string[] = [];
      for (let token: string | null = ""; token !== null; ) {
        const next = await page({ page_size: size, ...(token && { page_token: token }) });
        ids.push(...next.ids);
        token = next.token;
      }
      return ids;
    };

    test("page_size is never refused", async () => {
      const sizes: [given: string, items: number][] = [
        ["1", 1],
        ["7", 7],
        ["100", 100],
        ["101", 100],
        ["1000000", 100],
        ["99999999999999999999999", 100],
        ["0", belowOne],
        ["-1", belowOne],
        ["-100", belowOne],
        ["", 20],
        ["abc", 20],
        ["10abc", 20],
        ["1.5", 20],
        ["null", 20],
      ];
      for (const [given, items] of sizes) {
        assert.equal((await page({ page_size: given })).ids.length, items, `page_size=${given}`);
      }
      assert.equal((await page({})).ids.length, 20);
    });

    test("pages of any size join to the whole list, with no item twice", async () => {
      const whole = await all("100");
      assert.equal(whole.length, count);
      assert.equal(new Set(whole).size, count);
      for (const size of ["7", "35", "99"]) assert.deepEqual(await all(size), whole);
    });

    test("the token is null when the list ends with the page, to the item", async () => {
      let token: string | null = null;
      for (let at = 0; at < count / 35; at++) {
        const next = await page({ page_size: "35", ...(token && { page_token: token }) });
        assert.equal(next.ids.length, 35);
        token = next.token;
      }
      assert.equal(token, null);
    });

    test("a token stays good with another page_size, and after a restart", async () => {
      const whole = await all("100");
      const { token } = await page({ page_size: "10" });
      assert.deepEqual((await page({ page_size: "3", page_token: token })).ids, whole.slice(10, 13));
      await server.restart();
      assert.deepEqual((await page({ page_size: "3", page_token: token })).ids, whole.slice(10, 13));
    });

    test("a token that is not one starts from the first page", async () => {
      const first = await page({ page_size: "5" });
      const good: string = first.token;
      const foreign = await server.newAccount();
      await foreign.api.createCode();
      await foreign.api.createCode();
      await foreign.api.post("/v1/projects", { name: "more" }, 201);
      const other = lists.find((list) => list.path !== path)!.path;
      const bad = [
        "",
        "x",
        "null",
        `${good}A`,
        good.slice(0, -1),
        good.slice(1),
        `${good[0] === "A" ? "B" : "A"}${good.slice(1)}`,
        Buffer.from(first.ids[2]!).toString("base64url"),
        first.ids[2]!,
        "é".repeat(50),
        "A".repeat(1_500),
        (await page({ page_size: "1" }, foreign.api)).token,
        (await account.api.get(`${other}?page_size=5`, 200)).body.next_page_token,
      ];
      for (const token of bad) {
        const again = await page({ page_size: "5", page_token: token });
        assert.deepEqual(again.ids, first.ids, `page_token=${token}`);
      }
    });
  });
}

test("a token counts only with the filters that it was given for", async () => {
  const { api, projectId } = account;
  const ids = async (query: string) =>
    (await api.get(`/v1/qr-codes?page_size=5&${query}`, 200)).body.items.map((item: Json) => item.qr_id);
  const token = async (query: string) =>
    (await api.get(`/v1/qr-codes?page_size=5&${query}`, 200)).body.next_page_token;
  const filters = ["", `project_id=${projectId}`, "type=url", "status=active", "label_contains=code"];
  for (const given of filters) {
    for (const used of filters) {
      const page = await ids(`${used}&page_token=${await token(given)}`);
      const first = await ids(used);
      if (given === used) assert.notDeepEqual(page, first);
      else assert.deepEqual(page, first, `${given} used with ${used}`);
    }
  }
  const swapped = await token("status=active&status=blocked");
  assert.notDeepEqual(
    await ids(`status=blocked&status=active&page_token=${swapped}`),
    await ids("status=active&status=blocked"),
  );
});

test("while codes come and go, none that is there all along is skipped or repeated", async () => {
  const { api } = await server.newAccount();
  const start: string[] = [];
  for (let at = 0; at < 40; at++) start.push((await api.createCode()).qr_id);
  const archive = (id: string, status = "archived") => api.patch(`/v1/qr-codes/${id}`, { status }, 200);
  const seen: string[] = [];
  const leaving = new Set(start.filter((_, at) => at % 4 === 1));
  const returning = [...leaving].filter((_, at) => at % 2 === 0);
  let token: string | null = null;
  for (let round = 0; ; round++) {
    const query: string = `page_size=3${token === null ? "" : `&page_token=${token}`}`;
    const { body } = await api.get(`/v1/qr-codes?${query}`, 200);
    seen.push(...body.items.map((item: Json) => item.qr_id));
    token = body.next_page_token;
    if (token === null) break;
    await api.createCode({ name: `newcomer ${round}` });
    const next = [...leaving][round];
    if (next !== undefined) await archive(next);
    // The very item at which the next page begins, there and back.
    await archive(seen.at(-1)!);
    await archive(seen.at(-1)!, "active");
  }
  for (const id of returning) await archive(id, "active");
  assert.equal(new Set(seen).size, seen.length, "an item was repeated");
  for (const id of start) if (!leaving.has(id)) assert.ok(seen.includes(id), `${id} was skipped`);
  assert.deepEqual(seen, seen.toSorted().reverse());
});
