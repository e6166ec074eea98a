/** Large answers that are always the same: compressed as the client likes it, sent again only when it has to be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Exchange } from "../../src/http/exchange.ts";
import { StaticAnswer } from "../../src/http/static-answer.ts";
import { assertInContract } from "../support/contract.ts";
import { startServer } from "../support/server.ts";
import { call } from "../support/wire/call.ts";

const server = await startServer();
const page = await (await fetch(`${server.url}/docs`)).text();
const scripts = [...page.matchAll(/<script src="([^"]*)"/g)].map(([, src]) => src!);
const paths = ["/openapi.json", "/admin/openapi.json", "/docs", ...scripts];

interface Got {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** As the bytes come, which `fetch` would not show. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> {
  const { status, headers: told, bytes } = await call(server.url + path, { method, headers });
  const got = { status, headers: told as Record<string, string>, body: bytes };
  const body = got.body.length === 0 ? "" : plain(got);
  assertInContract({ method, path, status: got.status, headers: got.headers, body });
  return got;
}

function plain({ headers, body }: Got): string {
  if (headers["content-encoding"] === "br") return brotliDecompressSync(body).toString();
  if (headers["content-encoding"] === "gzip") return gunzipSync(body).toString();
  return body.toString();
}

test("each comes in every encoding, is the same in all, and has a name of its own in each", async () => {
  for (const path of paths) {
    const whole = await get(path);
    assert.equal(whole.status, 200, path);
    assert.equal(whole.headers["content-encoding"], undefined, path);
    const names = new Set([whole.headers.etag]);
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["GZIP;q=1, br;q=0.5", "gzip"],
      ["br;q=0, gzip;q=0", undefined],
    ] as const) {
      const got = await get(path, { "Accept-Encoding": accepted });
      assert.equal(got.headers["content-encoding"], encoding, path);
      assert.equal(got.headers.vary, "Accept-Encoding", path);
      assert.equal(plain(got), whole.body.toString(), path);
      names.add(got.headers.etag);
      const head = await get(path, { "Accept-Encoding": accepted }, "HEAD");
      assert.equal(head.headers["content-length"], String(got.body.length), path);
      assert.equal(head.headers.etag, got.headers.etag, path);
      const again = await get(path, {
        "Accept-Encoding": accepted,
        "If-None-Match": `"x", W/${got.headers.etag}`,
      });
      assert.equal(again.status, 304, path);
      assert.equal(again.body.length, 0, path);
      assert.equal(again.headers.etag, got.headers.etag, path);
      const other = await get(path, { "Accept-Encoding": accepted, "If-None-Match": '"x"' });
      assert.equal(other.status, 200, path);
    }
    assert.equal(names.size, 3, path);
  }
});

test("pages of other sites may read the document and files, and nothing else", async () => {
  const { file_url_svg } = await server.api.createRendered();
  const file = new URL(file_url_svg).pathname;
  for (const path of ["/openapi.json", file]) {
    const got = await get(path, { Origin: "https://elsewhere.test" });
    assert.equal(got.headers["access-control-allow-origin"], "*", path);
    assert.equal(got.headers["access-control-expose-headers"], "ETag", path);
    const again = await get(path, { "If-None-Match": got.headers.etag! });
    assert.equal(again.status, 304);
    assert.equal(again.headers["access-control-allow-origin"], "*", path);
  }
  for (const path of ["/admin/openapi.json", "/docs", "/healthz", "/v1/projects"]) {
    const got = await get(path, { Origin: "https://elsewhere.test" });
    assert.equal(got.headers["access-control-allow-origin"], undefined, path);
  }
});

const asking = (headers: Record<string, string>) =>
  ({ header: (name: string) => headers[name] ?? "" }) as unknown as Exchange;

test("what is made is made once for all who wait, and made again only when it failed", async () => {
  let made = 0;
  const answer = new StaticAnswer(async () => {
    made++;
    if (made === 1) throw new Error("not this time");
    return { contentType: "text/plain", bytes: Buffer.from("hello ".repeat(1_000)), headers: [] };
  });
  await assert.rejects(answer.reply(asking({})), /not this time/);
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => answer.reply(asking({ "accept-encoding": "br" }))),
  );
  assert.equal(made, 2);
  for (const { body } of replies) assert.equal(body, replies[0]!.body);
});

test("the loop goes on while a large one is hashed and compressed", async () => {
  const bytes = Buffer.alloc(8 << 20, "It is a large one, and it takes a while. ");
  const answer = new StaticAnswer(() => ({ contentType: "text/plain", bytes, headers: [] }));
  let turns = 0;
  let under = true;
  const turn = () => {
    turns++;
    if (under) setImmediate(turn);
  };
  setImmediate(turn);
  await answer.reply(asking({ "accept-encoding": "br" }));
  under = false;
  assert.ok(turns > 100, `${turns} turns`);
});
