/**
 * Request smuggling: a request hidden in what another one says is its body, or behind a message whose end is
 * unclear, is never answered and has no effect; on every kind of route, and in every way to spread the bytes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testEngine } from "../support/engine.ts";
import { inParallel, parseAnswers, startHostile } from "../support/hostile/hostile.ts";
import { countAnswers, openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startHostile();
const hidden = rawRequest("GET", `/${server.slug}`, []);

interface Shape {
  what: string;
  headers(hidden: number): string[];
  /** What comes before the hidden request. */
  before?: string;
}

const empty = "0\r\n\r\n";
const unclear: Shape[] = [
  { what: "equal lengths", headers: (n) => [`Content-Length: ${n}`, `Content-Length: ${n}`] },
  { what: "short, then long", headers: (n) => ["Content-Length: 0", `Content-Length: ${n}`] },
  { what: "long, then short", headers: (n) => [`Content-Length: ${n}`, "Content-Length: 0"] },
  { what: "an empty length, then a number", headers: (n) => ["Content-Length:", `Content-Length: ${n}`] },
  { what: "a number, then an empty length", headers: (n) => [`Content-Length: ${n}`, "Content-Length:"] },
  {
    what: "blanks for a length, then a number",
    headers: (n) => ["Content-Length: \t ", `Content-Length: ${n}`],
  },
  { what: "an empty length", headers: () => ["Content-Length:"] },
  { what: "an empty encoding", headers: () => ["Transfer-Encoding:"] },
  {
    what: "an empty encoding, then a length",
    headers: (n) => ["Transfer-Encoding:", `Content-Length: ${n}`],
  },
  { what: "apart", headers: (n) => ["Content-Length: 0", "X-A: b", `CONTENT-LENGTH: ${n}`] },
  { what: "a list of equals", headers: (n) => [`Content-Length: ${n}, ${n}`] },
  { what: "a list", headers: (n) => [`Content-Length: 0, ${n}`] },
  { what: "a list without blank", headers: (n) => [`Content-Length: ${n},0`] },
  { what: "a sign", headers: () => ["Content-Length: +0"] },
  { what: "hexadecimal", headers: () => ["Content-Length: 0x0"] },
  { what: "a number with a blank inside", headers: () => ["Content-Length: 0 0"] },
  { what: "a blank before the colon", headers: (n) => [`Content-Length : ${n}`] },
  { what: "a tab before the colon", headers: (n) => [`Content-Length\t: ${n}`] },
  { what: "a length folded into the next line", headers: (n) => ["Content-Length:", ` ${n}`] },
  { what: "a length after a bare LF", headers: (n) => [`X-A: b\nContent-Length: ${n}`] },
  { what: "a NUL in the length", headers: () => ["Content-Length: 0\0"] },
  ...[
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: x-chunked",
    "Transfer-Encoding: xchunked",
    'Transfer-Encoding: "chunked"',
    "Transfer-Encoding: chunked;q=1",
    "Transfer-Encoding: gzip",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding\t: chunked",
    " Transfer-Encoding: chunked",
    "Transfer-Encoding:\r\n chunked",
    "X-A: b\r\n\tTransfer-Encoding: chunked",
    "X-A: b\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding:\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\0",
    "Transfer-Encoding: ch\u0001unked",
  ].flatMap((line) => [
    { what: JSON.stringify(line), headers: () => [line], before: empty },
    ...withLength(line),
  ]),
  ...[
    "Transfer-Encoding: chunked",
    "TRANSFER-ENCODING: Chunked",
    "Transfer-Encoding:  chunked  ",
    "Transfer-Encoding: \t chunked\t",
  ].flatMap(withLength),
];

function withLength(line: string): Shape[] {
  return [
    {
      what: `${JSON.stringify(line)} and a length`,
      headers: (n) => [line, `Content-Length: ${n + empty.length}`],
      before: empty,
    },
    {
      what: `a length and ${JSON.stringify(line)}`,
      headers: () => [`Content-Length: ${empty.length}`, line],
      before: empty,
    },
  ];
}

const routes = (): [method: string, path: string, headers: string[]][] => {
  const key = [`x-api-key: ${server.key}`];
  const json = "Content-Type: application/json";
  return [
    ["POST", "/v1/projects", [...key, json]],
    ["GET", `/${server.slug}`, []],
    ["HEAD", `/${server.slug}`, []],
    ["GET", "/qr-0000000000", ["Accept: text/html"]],
    ["GET", "/robots.txt", []],
    ["HEAD", "/healthz", []],
    ["GET", server.filePath, []],

    ["GET", "/v1/projects", key],
    ["HEAD", "/v1/qr-codes", key],
    ["PATCH", `/v1/qr-codes/${server.codeId}`, [...key, json]],
    ["POST", "/v1/qr-codes", []],
    ["POST", "/admin/v1/accounts", [json]],
    ["DELETE", "/admin/v1/accounts/a/keys/b", []],
    ["HEAD", server.filePath, []],
    ["GET", "/healthz", []],
    ["GET", "/docs", []],
    ["GET", "/metrics", []],
    ["HEAD", "/robots.txt", []],
    ["GET", "/favicon.ico", []],
    ["POST", "/robots.txt", []],
    ["OPTIONS", "/no/where", []],
    // To the parser of the node engine this is no method, and so no request.
    ...(testEngine.name === "node" ? [] : [["BREW", "/healthz", []] satisfies [string, string, string[]]]),
  ];
};

/** Every shape meets every kind of handler; further routes of a kind meet a share of the shapes. */
const kinds = 7;
const trials = () =>
  routes().flatMap((route, row) =>
    unclear
      .filter((_, column) => row < kinds || column % kinds === row % kinds)
      .map((shape) => ({ route, shape })),
  );

/** Where chunks end is not agreed on by all parsers. */
const oddChunks = [
  "0;a=b\r\n\r\n",
  "0;\r\n\r\n",
  "0 ;\r\n\r\n",
  "0;a=\nb\r\n\r\n",
  "0\n\n",
  "0\n\r\n",
  "000000000000000000000\r\n\r\n",
  "0\r\nX: y\r\n\r\n",
  "0\r\nContent-Length: 0\r\n\r\n",
  "0\r\nxx",
  "0\r\n",
  "\r\n\r\n",
  " 0\r\n\r\n",
  "1;\n\r\nx\r\n0\r\n\r\n",
  "1\r\nxyy0\r\n\r\n",
  "1\r\nxy\r\n0\r\n\r\n",
  "-0\r\n\r\n",
  "+0\r\n\r\n",
  "0x0\r\n\r\n",
  "g\r\n\r\n",
  "ffffffffffffffff0\r\n\r\n",
];

const ways = ["in one segment", "with the body later", "with the hidden request later"] as const;
for (const way of ways) {
  test(`what is behind an unclear message is never taken for a request: sent ${way}`, async () => {
    await inParallel(trials(), 80, async ({ route: [method, path, headers], shape }) => {
      const told = `${method} ${path} with ${shape.what}`;
      const first = shape.before ?? "";
      const head = rawRequest(method, path, [...headers, ...shape.headers(hidden.length)]);
      const segments = {
        "in one segment": [head + first + hidden],
        "with the body later": [head, first + hidden],
        "with the hidden request later": [head + first, hidden],
      }[way];
      const connection = await openRaw(server.url);
      for (const segment of segments) {
        connection.socket.write(Buffer.from(segment, "latin1"));
        if (segments.length > 1) await sleep(10);
      }
      const received = await connection.closed();
      assert.ok(countAnswers(received) <= 1, `${told}: ${received}`);
      assert.doesNotMatch(received, /^HTTP\/1\.1 [^45]|location/i, told);
    });
    await server.assertUnharmed();
  });
}

/** Idle connections are cut after ten seconds, kept to within four, and what a loaded machine adds. */
const cutMsMax = 17_000;

for (const way of ["in one segment", "with the hidden request later"] as const) {
  test(`what is behind chunks that parsers disagree on is a request of its own or nothing: sent ${way}`, async () => {
    const trials = routes().flatMap((route) => oddChunks.map((chunks) => ({ route, chunks })));
    await inParallel(trials, trials.length, async ({ route: [method, path, headers], chunks }) => {
      const told = `${method} ${path} with ${JSON.stringify(chunks)}`;
      const head = rawRequest(method, path, [...headers, "Transfer-Encoding: chunked"]);
      const connection = await openRaw(server.url);
      connection.socket.write(head + chunks + (way === "in one segment" ? hidden : ""));
      if (way !== "in one segment") {
        await sleep(50);
        connection.socket.write(hidden);
      }
      const received = await connection.closed(cutMsMax);
      const scans = received.split("HTTP/1.1 302 ").length - 1;
      assert.ok(scans <= 1 && countAnswers(received) <= 1 + scans, `${told}: ${received}`);
      server.honestScans += scans;
    });
    // Whatever was not answered was not counted either.
    await server.assertUnharmed();
  });
}

test("a bare CR in a header keeps the server waiting for an end that never comes, or is refused", async () => {
  for (const header of ["X-A: b\rContent-Length: 0", "X-A: b\rTransfer-Encoding: chunked", "X-A: \rb"]) {
    const connection = await openRaw(server.url);
    connection.socket.write(rawRequest("GET", `/${server.slug}`, [header], hidden));
    // The parser of the node engine knows at once that this is no header.
    if (testEngine.name === "node") assert.match(await connection.closed(), /^HTTP\/1\.1 400 /);
    await sleep(50);
    assert.equal(countAnswers(connection.received()), testEngine.name === "node" ? 1 : 0);
    connection.socket.destroy();
  }
  await server.assertUnharmed();
});

for (const split of ["at once", "in two", "byte by byte"] as const) {
  test(`a request inside a body of a clear length is a body and nothing else: sent ${split}`, async () => {
    await inParallel(routes(), routes().length, async ([method, path, headers]) => {
      const told = `${method} ${path}`;
      const message = rawRequest(method, path, [...headers, `Content-Length: ${hidden.length}`], hidden);
      const head = message.length - hidden.length;
      const connection = await openRaw(server.url);
      connection.socket.setNoDelay(true);
      if (split === "at once") connection.socket.write(message);
      else {
        connection.socket.write(message.slice(0, head));
        await sleep(10);
        if (split === "in two") connection.socket.write(hidden);
        else for (const byte of hidden) await new Promise((sent) => connection.socket.write(byte, sent));
      }
      await connection.until("\r\n\r\n");
      await sleep(20);
      assert.equal(countAnswers(connection.received()), 1, `${told}: ${connection.received()}`);
      if (method === "GET" && path === `/${server.slug}`) server.honestScans++;
      connection.socket.write(rawRequest("GET", "/healthz", ["Connection: close"]));
      const [, next] = parseAnswers(await connection.closed(), [method, "GET"]);
      // One in many answers without a body ends its connection.
      if (method !== "HEAD" || next !== undefined) assert.equal(next?.status, 200, told);
    });
    await server.assertUnharmed();
  });
}

const upstream =
  "the library takes a header without a name for the end of the headers; mended there, not yet released";

const todo = testEngine.name === "uws" && upstream;
test("a length behind a header without a name is not overlooked", { todo }, async () => {
  for (const header of [`Content-Length: ${hidden.length}`, "Transfer-Encoding: chunked"]) {
    const connection = await openRaw(server.url);
    connection.socket.write(rawRequest("GET", "/healthz", [": x", header], hidden));
    assert.match(await connection.closed(500), /^HTTP\/1\.1 400 /);
  }
});
