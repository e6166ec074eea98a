/** Bodies in chunks, as streaming clients send them: taken like any other, up to the same size. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyBytesMax } from "../../src/limits.ts";
import { testEngine } from "../support/engine.ts";
import { parseAnswers } from "../support/hostile/hostile.ts";
import { startServer } from "../support/server.ts";
import { countAnswers, openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startServer();

const known = () => [`x-api-key: ${server.key}`, "Content-Type: application/json"];
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const last = "0\r\n\r\n";
const post = (headers: string[], body: string) => rawRequest("POST", "/v1/projects", headers, body);

/** A body of so many bytes. */
function filled(bytes: number): string {
  const frame = '{"name":"big","filler":""}';
  return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
}

async function answerTo(message: string) {
  const connection = await openRaw(server.url);
  connection.socket.write(message);
  await connection.until("\r\n\r\n");
  await connection.until('"request_id"');
  await sleep(5);
  const [answer, ...others] = parseAnswers(connection.received());
  assert.equal(others.length, 0);
  connection.socket.destroy();
  return { status: answer!.status, body: JSON.parse(answer!.body) };
}

test("the header may be written in any case and with blanks around its value", async () => {
  for (const header of [
    "Transfer-Encoding: chunked",
    "TRANSFER-ENCODING: CHUNKED",
    "transfer-encoding:Chunked",
    "Transfer-Encoding: \tchunked  ",
  ]) {
    const { status, body } = await answerTo(post([...known(), header], chunk('{"name":"streamed"}') + last));
    assert.equal(status, 201, header);
    assert.equal(body.name, "streamed");
  }
});

test("a body is the same however it is cut into chunks, and the chunks into segments", async () => {
  const text = '{"name":"ünïcode ✓"}';
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 7, 16, 17, bytes.length]) {
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const part = bytes.subarray(at, at + size);
      parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
    }
    const message = Buffer.concat([
      Buffer.from(post([...known(), "Transfer-Encoding: chunked"], "")),
      ...parts,
      Buffer.from(last),
    ]);
    for (const segment of [message.length, 5]) {
      const connection = await openRaw(server.url);
      connection.socket.setNoDelay(true);
      for (let at = 0; at < message.length; at += segment) {
        connection.socket.write(message.subarray(at, at + segment));
        if (segment < message.length) await sleep(0);
      }
      const received = await connection.until('"updated_at"');
      assert.match(received, /^HTTP\/1\.1 201 /, `${size}, ${segment}`);
      assert.ok(received.includes(bytes.toString("latin1").slice(9, -2)), received);
      connection.socket.destroy();
    }
  }
});

test("clients that stream send this by themselves", async () => {
  const json = { "x-api-key": server.key, "content-type": "application/json" };
  const parts = ['{"na', 'me":"from ', 'a stream"}'];
  const body = new ReadableStream({
    async pull(controller) {
      await sleep(5);
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(Buffer.from(part));
    },
  });
  const options: RequestInit & { duplex: "half" } = { method: "POST", headers: json, body, duplex: "half" };
  const fetched = await fetch(`${server.url}/v1/projects`, options);
  assert.equal(fetched.status, 201);
  assert.equal(((await fetched.json()) as { name: string }).name, "from a stream");

  const status = await new Promise((resolve, reject) => {
    const sent = request(`${server.url}/v1/projects`, { method: "POST", headers: json }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on("error", reject);
    sent.write('{"name":');
    setTimeout(() => sent.end('"from node"}'), 20);
  });
  assert.equal(status, 201);
});

test("an empty body in chunks is an empty body", async () => {
  const chunks = "Transfer-Encoding: chunked";
  const { status, body } = await answerTo(post([...known(), chunks], last));
  assert.equal(status, 400);
  assert.equal(body.code, "invalid_payload");
  assert.equal((await answerTo(rawRequest("GET", "/v1/projects", [...known(), chunks], last))).status, 200);
});

test("checks that need no body come to the same as ever", async () => {
  const chunks = ["Transfer-Encoding: chunked"];
  const sent = chunk('{"name":"x"}') + last;
  assert.equal((await answerTo(post(chunks, sent))).status, 401);
  assert.equal((await answerTo(rawRequest("POST", "/no/where", chunks, sent))).status, 404);
  assert.equal((await answerTo(rawRequest("PUT", "/v1/projects", chunks, sent))).status, 405);
});

test("a body of exactly the cap is read, in one chunk or many", async () => {
  const whole = filled(bodyBytesMax);
  const many = whole
    .match(/.{1,1000}/g)!
    .map(chunk)
    .join("");
  for (const sent of [chunk(whole), many]) {
    assert.equal((await answerTo(post([...known(), "Transfer-Encoding: chunked"], sent + last))).status, 201);
  }
});

test("one byte more is 413 and closes the connection, whether or not the body ever ends", async () => {
  const over = filled(bodyBytesMax + 1);
  const many = over
    .match(/.{1,1000}/g)!
    .map(chunk)
    .join("");
  for (const sent of [chunk(over) + last, many + last, many, `ffffff\r\n${over}`]) {
    const connection = await openRaw(server.url);
    connection.socket.write(post([...known(), "Transfer-Encoding: chunked"], sent));
    const received = await connection.closed();
    assert.match(received, /^HTTP\/1\.1 413 /);
    assert.match(received, /\r\nconnection: close\r\n/i);
    assert.match(received, /"code":"payload_too_large"/);
  }
});

test("a link takes no body in chunks", async () => {
  const { slug } = await server.api.createRendered();
  for (const path of [`/${slug}`, "/qr-0000000000", "/robots.txt"]) {
    const connection = await openRaw(server.url);
    connection.socket.write(rawRequest("GET", path, ["Transfer-Encoding: chunked"], last));
    const received = await connection.closed();
    assert.match(received, /^HTTP\/1\.1 400 /, path);
    assert.match(received, /"code":"invalid_payload"/);
  }
});

test("the connection goes on where the end of chunks can be relied on, and is closed where it cannot", async () => {
  const connection = await openRaw(server.url);
  const message = post([...known(), "Transfer-Encoding: chunked"], chunk('{"name":"one of two"}') + last);
  connection.socket.write(message);
  await connection.until('"updated_at"');
  if (testEngine.readsChunksStrictly) {
    connection.socket.write(message);
    while (countAnswers(connection.received()) < 2) await sleep(5);
    assert.equal(connection.received().split("HTTP/1.1 201 Created").length, 3);
    connection.socket.destroy();
  } else {
    assert.match(await connection.closed(), /\r\nconnection: close\r\n/i);
  }
});
