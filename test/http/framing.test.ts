/** Messages whose end is unclear: each is refused and its connection closed, so that nothing can hide in one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../support/server.ts";
import { countAnswers, openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startServer();

const body = '{"name":"smuggled"}';
const length = body.length;
const chunks = `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const unclear: [what: string, headers: string[], body: string][] = [
  ["two equal lengths", [`Content-Length: ${length}`, `Content-Length: ${length}`], body],
  ["two different lengths", [`Content-Length: ${length}`, "Content-Length: 2"], body],
  ["lengths in a list", [`Content-Length: ${length}, ${length}`], body],
  ["a length in words", ["Content-Length: many"], body],
  ["a negative length", ["Content-Length: -1"], body],
  ["a signed length", [`Content-Length: +${length}`], body],
  ["a hexadecimal length", ["Content-Length: 0x13"], body],
  ["a fractional length", ["Content-Length: 19.0"], body],
  ["an empty length", ["Content-Length:"], body],
  ["an empty length before a number", ["Content-Length:", `Content-Length: ${length}`], body],
  ["a length over all bounds", ["Content-Length: 99999999999999999999"], body],
  ["a blank before the colon", [`Content-Length : ${length}`], body],
  ["a folded header", ["X-A: b", ` Content-Length: ${length}`], body],
  ["chunks in a list", ["Transfer-Encoding: gzip, chunked"], chunks],
  ["chunks twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], chunks],
  ["chunks and no encoding", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], chunks],
  ["an empty encoding before chunks", ["Transfer-Encoding:", "Transfer-Encoding: chunked"], chunks],
  ["an empty encoding and a length", ["Transfer-Encoding:", `Content-Length: ${length}`], body],
  ["an unknown encoding", ["Transfer-Encoding: xchunked"], chunks],
  ["no encoding at all", ["Transfer-Encoding: identity"], body],
  ["an empty encoding", ["Transfer-Encoding:"], body],
  ["an encoding with a blank before the colon", ["Transfer-Encoding : chunked"], chunks],
  ["an encoding and a length", ["Transfer-Encoding: chunked", `Content-Length: ${length}`], chunks],
  ["a length and an encoding", [`Content-Length: ${length}`, "Transfer-Encoding: chunked"], chunks],
  ["chunks of no size", ["Transfer-Encoding: chunked"], "zz\r\n"],
];

const projects = async () => (await server.api.get("/v1/projects?page_size=100", 200)).body.items.length;

const known = () => [`x-api-key: ${server.key}`, "Content-Type: application/json"];
const wellFramed = () => rawRequest("POST", "/v1/projects", [...known(), `Content-Length: ${length}`], body);

for (const [what, headers, sent] of unclear) {
  test(`${what}: 400 and closed, and a request hidden behind it is never seen`, async () => {
    const before = await projects();
    const message = rawRequest("POST", "/v1/projects", [...known(), ...headers], sent);
    const alone = await openRaw(server.url);
    alone.socket.write(message);
    const received = await alone.closed();
    assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(received, /\r\nconnection: close\r\n/i);
    assert.equal(countAnswers(received), 1, received);

    const hiding = await openRaw(server.url);
    hiding.socket.write(message + wellFramed());
    const answers = await hiding.closed();
    assert.doesNotMatch(answers, /HTTP\/1\.1 [^4]/);
    assert.ok(countAnswers(answers) <= 1, answers);
    assert.equal(await projects(), before);
  });
}

test("what the service itself refuses has the envelope", async () => {
  for (const headers of [["Transfer-Encoding:"], ["Content-Length: 1", "Content-Length: 1"]]) {
    const connection = await openRaw(server.url);
    connection.socket.write(rawRequest("POST", "/v1/projects", headers, "0\r\n\r\n"));
    const received = await connection.closed();
    const envelope = JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4));
    assert.equal(envelope.code, "invalid_payload");
    assert.ok(received.includes(`x-request-id: ${envelope.request_id}\r\n`));
  }
});

test("well-framed requests on one connection are answered one after the other", async () => {
  const connection = await openRaw(server.url);
  connection.socket.write(wellFramed());
  await connection.until('"created_at"');
  connection.socket.write(wellFramed().slice(0, -5));
  connection.socket.write(body.slice(-5));
  while (countAnswers(connection.received()) < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(connection.received().split("HTTP/1.1 201 Created").length, 3);
  connection.socket.destroy();
});

test("uploads that are broken off leave the server healthy and create nothing", async () => {
  const before = await projects();
  const whole = wellFramed();
  const cuts = [
    10,
    whole.indexOf("x-api-key"),
    whole.indexOf(body),
    whole.indexOf(body) + 5,
    whole.length - 1,
  ];
  await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      const connection = await openRaw(server.url);
      connection.socket.write(whole.slice(0, cuts[at % cuts.length]));
      await new Promise((resolve) => setTimeout(resolve, at % 20));
      if (at % 2 === 0) connection.socket.resetAndDestroy();
      else connection.socket.destroy();
    }),
  );
  assert.equal(await projects(), before);
});

test("clients that leave before their answer leave the server healthy", async () => {
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      const connection = await openRaw(server.url);
      connection.socket.write(wellFramed());
      setImmediate(() => connection.socket.resetAndDestroy());
    }),
  );
  await server.api.post("/v1/projects", { name: "after" }, 201);
  await server.api.get("/readyz", 200);
});
