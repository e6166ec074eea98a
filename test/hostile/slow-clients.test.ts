/**
 * Clients that take their time: each is cut in bounded time whatever it dribbles, and nobody else notices.
 * The bounds are the engine's and run on the system's clock, so all of them run out at the same time here.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testEngine } from "../support/engine.ts";
import { startHostile } from "../support/hostile/hostile.ts";
import { openRaw, type RawConnection, rawRequest } from "../support/wire/raw-http.ts";

/** Ten seconds, kept to within four, and what a loaded machine adds. */
const cutMsMax = 17_000;
const dripMs = 150;

const server = await startHostile();

async function drip({ socket }: RawConnection, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return;
    socket.write(byte);
    await sleep(dripMs);
  }
}

const long = "x".repeat(1_000);
const body = `{"name":"${long}"}`;
const known = () => [`x-api-key: ${server.key}`, "Content-Type: application/json"];
const withBody = (method: string, path: string, headers: string[] = []) =>
  rawRequest(method, path, [...headers, `Content-Length: ${body.length}`]);

const slow: Record<string, (connection: RawConnection) => void | Promise<void>> = {
  "nothing at all": () => {},
  "half a request line": ({ socket }) => void socket.write("GET /he"),
  "headers byte by byte": (connection) =>
    drip(connection, rawRequest("GET", "/healthz", [`X-Slow: ${long}`])),
  "a header that never ends": ({ socket }) => void socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: b"),
  // The parser of the node engine refuses it at once.
  ...(testEngine.name === "uws" && {
    "a bare CR in a header": ({ socket }: RawConnection) =>
      void socket.write("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n"),
  }),
  "an answered request and no other": ({ socket }) => void socket.write(rawRequest("GET", "/healthz", [])),
  "an answered scan and then headers byte by byte": async (connection) => {
    connection.socket.write(rawRequest("GET", `/${server.slug}`, []));
    server.honestScans++;
    await connection.until("302 Found");
    await drip(connection, rawRequest("GET", "/healthz", [`X-Slow: ${long}`]));
  },
  "a body byte by byte": async (connection) => {
    connection.socket.write(withBody("POST", "/v1/projects", known()));
    await drip(connection, body);
  },
  "a body byte by byte, without a key": async (connection) => {
    connection.socket.write(withBody("POST", "/v1/projects"));
    await drip(connection, body);
  },
  "a body byte by byte, to the admin API": async (connection) => {
    connection.socket.write(withBody("POST", "/admin/v1/accounts"));
    await drip(connection, body);
  },
  "a body byte by byte, to a scan": async (connection) => {
    connection.socket.write(withBody("GET", `/${server.slug}`));
    server.honestScans++;
    await drip(connection, body);
  },
  "a body that does not come": ({ socket }) => void socket.write(withBody("POST", "/v1/projects", known())),
  "a body after a while, where nobody wants one": (connection) =>
    late(connection, withBody("GET", "/healthz")),
  "a body after a while, without a key": (connection) => late(connection, withBody("POST", "/v1/projects")),
  "a body after a while, to nowhere": (connection) => late(connection, withBody("POST", "/no/where")),
  "a body after a while, to a wrong method": (connection) =>
    late(connection, withBody("PUT", "/v1/projects")),
};

/** A request that could be answered without its body, whose body then comes, and then nothing. */
async function late(connection: RawConnection, head: string): Promise<void> {
  connection.socket.write(head);
  await sleep(300);
  connection.socket.write(body);
}

test("every slow client is cut in bounded time, and others are answered meanwhile", async () => {
  let slowOnes = 0;
  const cuts = Object.entries(slow).map(async ([what, send]) => {
    const connection = await openRaw(server.url);
    const start = Date.now();
    slowOnes++;
    void send(connection);
    await connection.closed(cutMsMax).catch(() => assert.fail(`${what} was not cut`));
    slowOnes--;
    assert.doesNotMatch(connection.received(), /201 Created|internal_error/, what);
    assert.ok(Date.now() - start > 1_000, `${what} was cut at once`);
  });
  const all = Promise.all(cuts);
  await sleep(500);
  for (let look = 0; look < 10; look++) {
    const asked = performance.now();
    await server.assertUnharmed();
    assert.ok(performance.now() - asked < 1_000);
    await sleep(200);
  }
  assert.equal(slowOnes, Object.keys(slow).length);
  await all;
  await server.assertUnharmed();
});
