/** Connections that are half closed or reset, at every point of a request, in thousands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inParallel, parseAnswers, startHostile } from "../support/hostile/hostile.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startHostile();

const body = '{"redirect_url":"https://example.com/reset"}';
const known = () => [
  `x-api-key: ${server.key}`,
  "Content-Type: application/json",
  `Content-Length: ${body.length}`,
];
const patch = () => rawRequest("PATCH", "/v1/qr-codes/none", known(), body);

test("a client that closes its half behind a request gets the answer, or a clean close", async () => {
  const requests = [
    rawRequest("GET", "/healthz", []),
    rawRequest("GET", "/docs", []),
    rawRequest("GET", "/qr-0000000000", []),
    rawRequest("GET", "/robots.txt", []),
    rawRequest("GET", server.filePath, []),
    patch(),
    patch().slice(0, -5),
    "GET /heal",
    "",
  ];
  await inParallel(Array.from({ length: 20 }, () => requests).flat(), 50, async (request) => {
    const connection = await openRaw(server.url);
    connection.socket.end(request);
    const answers = parseAnswers(await connection.closed());
    assert.ok(answers.length <= 1);
    for (const { status } of answers) assert.ok([200, 404].includes(status), `${status} to ${request}`);
  });
  await server.assertUnharmed();
});

test("thousands of resets, from the first byte to the middle of an answer, harm nobody", async () => {
  const scanned = await server.api.createRendered();
  const scan = rawRequest("GET", `/${scanned.slug}`, []);
  const docs = rawRequest("GET", "/docs", []);
  const acts: ((at: number) => string)[] = [
    () => "",
    (at) => scan.slice(0, 1 + (at % (scan.length - 1))),
    () => scan,
    () => rawRequest("GET", "/qr-0000000000", []),
    (at) => patch().slice(0, -1 - (at % body.length)),
    () => patch(),
    () => docs,
    () => docs.repeat(20),
    () => rawRequest("GET", "/v1/projects", [`x-api-key: ${server.key}`]),
    () => rawRequest("GET", server.filePath, []),
  ];
  let scansSent = 0;
  const resets = Array.from({ length: 3_000 }, (_, at) => at);
  await inParallel(resets, 50, async (at) => {
    const { socket } = await openRaw(server.url);
    const text = acts[at % acts.length]!(Math.floor(at / acts.length));
    if (text === scan) scansSent++;
    await new Promise<void>((written) => void socket.write(text, () => written()));
    if (at % 3 === 1) await sleep(0);
    if (at % 3 === 2) await sleep(at % 5);
    socket.resetAndDestroy();
  });
  await sleep(50);
  const { scan_count } = (await server.api.get(`/v1/qr-codes/${scanned.qr_id}`, 200)).body;
  assert.ok(scan_count <= scansSent, `${scan_count} of ${scansSent}`);
  await server.assertUnharmed();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const open = Number(/^qrelay_connections (\d+)/m.exec(metrics)![1]);
  assert.ok(open < 20, `${open} connections are left`);
});
