/** What every answer carries: the type is not to be guessed, what is an account's own is not to be kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listenStandby } from "../../src/door/standby.ts";
import { testEngine } from "../support/engine.ts";
import { startServer } from "../support/server.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startServer();
const code = await server.api.createRendered({});
const slug = code.slug;
const file = new URL(code.file_url_svg).pathname;
const { body } = await server.api.post("/v1/qr-codes", { type: "text", text: "hello" }, 201);
const textSlug = (await server.api.rendered(body.qr_id)).slug;

interface Head {
  status: number;
  headers: Headers;
}

/** The head of the answer to one request with exactly these header lines. */
async function ask(
  method: string,
  path: string,
  lines: readonly string[] = [],
  url = server.url,
): Promise<Head> {
  const connection = await openRaw(url);
  connection.socket.write(rawRequest(method, path, lines));
  const answer = await connection.until("\r\n\r\n");
  connection.socket.destroy();
  const [first, ...rest] = answer.slice(0, answer.indexOf("\r\n\r\n")).split("\r\n");
  const headers = new Headers(rest.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(first!.split(" ")[1]), headers };
}

const badFraming = ["Content-Length: 1", "Content-Length: 2"];

test("nothing under /v1, /v2 and /admin may be stored, whatever the answer", async () => {
  const key = `x-api-key: ${server.key}`;
  const asked: [status: number, method: string, path: string, lines?: string[]][] = [
    [200, "GET", "/v1/projects", [key]],
    [200, "HEAD", "/v1/projects", [key]],
    [401, "GET", "/v1/projects"],
    [401, "HEAD", "/v1/qr-codes", ["x-api-key: wrong"]],
    [404, "GET", "/v1/qr-codes/qr_none", [key]],
    [404, "GET", "/v1/nothing", [key]],
    [404, "GET", "/v2/analytics"],
    [404, "GET", "/v1"],
    [404, "GET", "/admin"],
    [404, "GET", "/admin/v1/nothing"],
    [405, "DELETE", "/v1/projects", [key]],
    [405, "PUT", "/admin/v1/accounts"],
    [400, "POST", "/v1/projects", [key, ...badFraming]],
    [401, "GET", "/admin/v1/accounts"],
    [200, "GET", "/admin/openapi.json"],
  ];
  for (const [status, method, path, lines] of asked) {
    const answer = await ask(method, path, lines);
    assert.equal(answer.status, status, `${method} ${path}`);
    assert.equal(answer.headers.get("cache-control"), "no-store", `${method} ${path} ${status}`);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff", `${method} ${path} ${status}`);
  }
});

test("no answer at all may be taken for another type", async () => {
  const page = ["Accept: text/html"];
  const asked: [status: number, method: string, path: string, lines?: string[]][] = [
    [302, "GET", `/${slug}`],
    [302, "HEAD", `/${slug}`],
    [200, "GET", `/${textSlug}`],
    [200, "HEAD", `/${textSlug}`],
    [404, "GET", "/qr-aaaaaaaaaa"],
    [404, "GET", "/qr-aaaaaaaaaa", page],
    [404, "HEAD", "/qr-aaaaaaaaaa", page],
    [405, "POST", `/${slug}`],
    [400, "GET", `/${slug}`, badFraming],
    [400, "GET", "/robots.txt", badFraming],
    [200, "GET", file],
    [200, "GET", `${file}?download=1`],
    [304, "GET", file, ["If-None-Match: *"]],
    [404, "GET", "/files/qr_none/none.svg"],
    [200, "GET", "/robots.txt"],
    [204, "GET", "/favicon.ico"],
    [200, "GET", "/docs"],
    [200, "GET", "/openapi.json"],
    [200, "GET", "/healthz"],
    [200, "GET", "/readyz"],
    [404, "GET", "/no/such/place"],
  ];
  for (const [status, method, path, lines] of asked) {
    const answer = await ask(method, path, lines);
    assert.equal(answer.status, status, `${method} ${path}`);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff", `${method} ${path} ${status}`);
    if (status >= 400) assert.equal(answer.headers.get("cache-control"), "no-store", `${method} ${path}`);
  }
});

test("a 401 says which credentials are missing", async () => {
  const key = 'ApiKey realm="qrelay", header="x-api-key"';
  assert.equal((await ask("GET", "/v1/projects")).headers.get("www-authenticate"), key);
  assert.equal(
    (await ask("POST", "/v1/qr-codes", ["x-api-key: wrong"])).headers.get("www-authenticate"),
    key,
  );
  const bearer = await ask("GET", "/admin/v1/accounts");
  assert.equal(bearer.headers.get("www-authenticate"), 'Bearer realm="qrelay admin"');
  const passed = await ask("GET", "/v1/projects", [`x-api-key: ${server.key}`]);
  assert.equal(passed.headers.get("www-authenticate"), null);
});

test("a process that stands by answers the same way", async () => {
  const standby = await listenStandby(testEngine, "127.0.0.1", 0);
  for (const path of ["/healthz", "/v1/projects", "/qr-aaaaaaaaaa"]) {
    const { headers } = await ask("GET", path, [], `http://127.0.0.1:${standby.port}`);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("cache-control"), "no-store", path);
  }
  standby.close();
});
