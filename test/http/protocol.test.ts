import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../../src/api/operations.ts";
import { methodsByPattern } from "../../src/door/route.ts";
import { bodyBytesMax } from "../../src/limits.ts";
import { type Answer, assertRefused, Client } from "../support/client.ts";
import { testEngine } from "../support/engine.ts";
import { startServer } from "../support/server.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startServer();

const concrete = (path: string) => path.replaceAll(/:\w+/g, "x1");
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test("an unknown path is 404 for every method, with and without a key", async () => {
  for (const path of [
    "/v1",
    "/v1/",
    "/v2/projects",
    "/v1/qr-codes/a/b",
    "/v1/projects/",
    "/admin",
    "/files/x",
  ]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const client of [server.api, new Client(server.url)]) {
        const answer = await client.call(method, path, { status: 404 });
        if (method !== "HEAD") assert.equal(answer.body.code, "not_found", `${method} ${path}`);
      }
    }
  }
});

for (const [path, allowed] of methodsByPattern(routes)) {
  test(`${path} refuses the methods it does not have, and names those it has`, async () => {
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
      (method) => !allowed.includes(method),
    );
    for (const method of others) {
      const answer = await server.api.call(method, concrete(path), { status: 405 });
      assert.equal(answer.headers.get("allow"), allowed.join(", "), method);
      if (method !== "HEAD") assert.equal(answer.body.code, "method_not_allowed", method);
    }
  });
}

test("a link refuses the methods it does not have in every spelling", async () => {
  for (const path of ["/qr-0000000000", "/QR-000000000A", "/qr-0000000000/"]) {
    const answer = await server.api.call("POST", path, { status: 405 });
    assert.equal(answer.headers.get("allow"), "GET, HEAD", path);
  }
});

test("a method that nobody knows is refused like any other", async () => {
  const connection = await openRaw(server.url);
  connection.socket.write(rawRequest("BREW", "/v1/projects", ["Connection: close"]));
  // The parser of the node engine has a list of methods, and knows no request with another one.
  const expected =
    testEngine.name === "node"
      ? /^HTTP\/1\.1 400 /
      : /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, POST\r\n.*method_not_allowed/s;
  assert.match(await connection.closed(), expected);
});

test("HEAD answers as GET does, without the body", async () => {
  const code = await server.api.createRendered();
  const file = new URL(code.file_url_svg).pathname;
  for (const path of [
    "/v1/projects",
    `/v1/qr-codes/${code.qr_id}`,
    "/v1/qr-codes/none",
    file,
    "/healthz",
    "/docs",
  ]) {
    const get = await server.api.get(path);
    const head = await server.api.call("HEAD", path);
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, "");
    assert.equal(head.headers.get("content-length"), get.headers.get("content-length"), path);
    assert.equal(head.headers.get("content-type"), get.headers.get("content-type"), path);
    assert.match(head.headers.get("x-request-id") ?? "", isUuid);
  }
});

test("every answer wears the envelope, under an id of its own", async () => {
  const answers = [
    await server.api.get("/v1/projects", 200),
    await server.api.post("/v1/projects", { name: "p" }, 201),
    await server.api.post("/v1/projects", {}, 400),
    await server.api.get("/v1/qr-codes", 200),
    await server.api.get("/v1/qr-codes/none", 404),
    await server.api.get("/nowhere/at/all", 404),
    await server.api.call("PUT", "/v1/projects", { status: 405 }),
    await new Client(server.url).get("/v1/projects", 401),
    await server.admin.get("/admin/v1/accounts", 200),
    await server.api.get("/healthz", 200),
    await server.api.get("/readyz", 200),
  ];
  for (const { status, body, headers } of answers) {
    assert.equal(body.ok, status < 400);
    assert.equal(body.version, "2025-11-14-v1");
    assert.match(body.request_id, isUuid);
    assert.equal(headers.get("x-request-id"), body.request_id);
    if (status >= 400) {
      assert.deepEqual(Object.keys(body).sort(), ["code", "message", "ok", "request_id", "version"]);
    }
  }
  assert.equal(new Set(answers.map(({ body }) => body.request_id)).size, answers.length);
});

const send = (contentType: string | null, body: string | Uint8Array): Promise<Response> =>
  fetch(`${server.url}/v1/projects`, {
    method: "POST",
    headers: { "x-api-key": server.key, ...(contentType !== null && { "content-type": contentType }) },
    body: typeof body === "string" ? Buffer.from(body) : body,
  });

test("a body is taken as JSON only when it says so", async () => {
  const body = '{"name":"typed"}';
  const good = [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; charset=utf-8",
  ];
  const bad = [
    null,
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/vnd.api+json",
    "application/json; charset=latin1",
    "application/json; charset=utf-16",
    "json",
    "application/json, text/plain",
  ];
  for (const type of good) assert.equal((await send(type, body)).status, 201, type);
  for (const type of bad) {
    const response = await send(type, body);
    assert.equal(response.status, 400, String(type));
    const { code, message } = (await response.json()) as { code: string; message: string };
    assert.equal(code, "invalid_payload");
    assert.match(message, /Content-Type/);
  }
});

test("a body that is no JSON object in UTF-8 is an invalid payload", async () => {
  const bad: (string | Uint8Array)[] = [
    "",
    " ",
    "{",
    "null",
    "[]",
    '[{"name":"x"}]',
    "1",
    '"name"',
    "true",
    '{"name":"x"} {}',
    "{'name':'x'}",
    '{"name":"x",}',
    '{"name":NaN}',
    Uint8Array.of(0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d),
    Uint8Array.of(0x22, 0xc3, 0x22),
    Buffer.from('{"name":"wide"}', "utf16le"),
  ];
  for (const body of bad) {
    const response = await send("application/json", body);
    assert.equal(response.status, 400, body.toString());
    assert.equal(((await response.json()) as { code: string }).code, "invalid_payload", body.toString());
  }
});

test("a byte order mark, blanks around the object and deep nesting do no harm", async () => {
  const name = { name: "ünïcode ✓" };
  const marked = await send("application/json", `\uFEFF${JSON.stringify(name)}`);
  assert.equal(marked.status, 201);
  assert.equal(((await marked.json()) as { name: string }).name, name.name);
  assert.equal((await send("application/json", ` \r\n\t${JSON.stringify(name)}\n`)).status, 201);
  const deep = `{"name":"deep","other":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
  assert.equal((await send("application/json", deep)).status, 201);
  const inField = `{"name":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
  assert.equal((await send("application/json", inField)).status, 400);
});

test("a body of exactly the cap is read; one byte more is 413 and closes the connection", async () => {
  const filled = (bytes: number) => {
    const frame = '{"name":"big","filler":""}';
    return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
  };
  assert.equal((await send("application/json", filled(bodyBytesMax))).status, 201);
  for (const bytes of [bodyBytesMax + 1, 4 * bodyBytesMax]) {
    const response = await send("application/json", filled(bytes));
    assert.equal(response.status, 413);
    assert.equal(response.headers.get("connection"), "close");
    assert.equal(((await response.json()) as { code: string }).code, "payload_too_large");
  }
  const connection = await openRaw(server.url);
  const headers = [
    `x-api-key: ${server.key}`,
    "Content-Type: application/json",
    "Content-Length: 1000000000000",
  ];
  connection.socket.write(rawRequest("POST", "/v1/projects", headers, "{"));
  assert.match(await connection.closed(), /^HTTP\/1\.1 413 /);
});

test("the content of texts and addresses never becomes a header", async () => {
  const split = "a\r\nx-evil: 1";
  const escaped = encodeURIComponent(split);
  const answers: Answer[] = [
    await server.api.post("/v1/projects", { name: split }),
    await server.api.post("/v1/qr-codes", { redirect_url: "https://example.com/", name: split }),
    await server.api.post("/v1/qr-codes", { redirect_url: `https://example.com/${split}` }),
    await server.api.post("/v1/qr-codes", { redirect_url: `https://example.com/${escaped}` }),
    await server.api.post("/v1/qr-codes", { type: "text", text: split }),
    await server.api.get(`/v1/qr-codes/find?slug=${escaped}`),
    await server.api.get(`/v1/qr-codes/${escaped}`),
    await server.api.get(`/v1/qr-codes?page_token=${escaped}&label_contains=${escaped}`),
    await server.api.get(`/files/${escaped}/${escaped}.svg`),
    await server.api.get(`/admin/v1/accounts/${escaped}`),
  ];
  for (const answer of answers) {
    assert.equal(answer.headers.get("x-evil"), null);
    assert.ok(answer.status < 500, answer.text);
  }
  const code = await server.api.createRendered({ redirect_url: `https://example.com/${escaped}` });
  const scan = await fetch(`${server.url}/${code.slug}`, { redirect: "manual" });
  assert.equal(scan.headers.get("x-evil"), null);
  assert.equal(scan.headers.get("location"), `https://example.com/${escaped}`);
});

test("a wrong method and an unknown path need no key and cost no request", async () => {
  const account = await server.newAccount({ limits: { per_minute: 1 } });
  assertRefused(await account.api.call("PUT", "/v1/projects"), 405, "method_not_allowed");
  assertRefused(await account.api.get("/v1/nothing"), 404, "not_found");
  await account.api.get("/v1/projects", 200);
});
