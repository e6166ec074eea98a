/** Many requests in one segment and one request in many: answers come in order, whole, and each once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { answersAtOnceMax } from "../../src/limits.ts";
import { testEngine } from "../support/engine.ts";
import { inParallel, parseAnswers, startHostile } from "../support/hostile/hostile.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const server = await startHostile();
// From now on the link is in memory, and a HEAD of it never waits.
await server.assertUnharmed();

interface Request {
  text: string;
  method: string;
  status: number;
  /** Something that only the answer to this request has. */
  mark: string;
}

const request = (
  method: string,
  path: string,
  status: number,
  mark: string,
  headers: string[] = [],
): Request => ({
  text: rawRequest(method, path, headers),
  method,
  status,
  mark,
});

const atOnce = (): Request[] => [
  request("HEAD", `/${server.slug}`, 302, ""),
  request("GET", "/robots.txt", 200, "Disallow"),
  request("HEAD", "/robots.txt", 200, ""),
  request("GET", "/nope", 404, "not_found"),
  request("GET", "/favicon.ico", 204, ""),
  request("GET", "/nope", 404, "<html", ["Accept: text/html"]),
];

const last = request("GET", "/healthz", 200, "alive", ["Connection: close"]);

/** What may wait for something: while it does, the library ends the connection at the next request. */
const later = (): Request[] => [
  request("GET", `/${server.slug}`, 302, ""),
  request("GET", "/v1/projects", 200, "next_page_token", [`x-api-key: ${server.key}`]),
  request("GET", server.filePath, 200, "<svg"),
];

function assertInOrder(received: string, sent: readonly Request[]): number {
  const answers = parseAnswers(
    received,
    sent.map(({ method }) => method),
  );
  for (const [at, answer] of answers.entries()) {
    const { status, mark } = sent[at]!;
    assert.equal(answer.status, status, `answer ${at}`);
    assert.ok(answer.body.includes(mark), `answer ${at}: ${answer.body}`);
  }
  return answers.length;
}

test("a few dozen requests in one segment are answered in order, however the segment is cut", async () => {
  const sent = Array.from({ length: Math.floor((answersAtOnceMax - 1) / atOnce().length) }, atOnce).flat();
  const text = [...sent, last].map((each) => each.text).join("");
  const answered = async (pieces: number): Promise<number> => {
    const connection = await openRaw(server.url);
    connection.socket.setNoDelay(true);
    const size = Math.ceil(text.length / pieces);
    for (let at = 0; at < text.length; at += size) {
      connection.socket.write(text.slice(at, at + size));
      await sleep(0);
    }
    return assertInOrder(await connection.closed(), [...sent, last]);
  };
  for (const pieces of [1, 2, 7, 50, 333]) {
    // An answer without a body seldom, by chance, is the last of its connection: hardly one of them, four times over.
    const tries = [];
    while (tries.at(-1) !== sent.length + 1 && tries.length < 4) tries.push(await answered(pieces));
    assert.equal(tries.at(-1), sent.length + 1, `${pieces} pieces: ${tries}`);
  }
  await server.assertUnharmed();
});

test("of hundreds in one segment the first are answered in order, and the connection may end", async () => {
  const sent = [...Array.from({ length: 60 }, atOnce).flat(), last];
  const connection = await openRaw(server.url);
  connection.socket.write(sent.map(({ text }) => text).join(""));
  assertInOrder(await connection.closed(), sent);
  await server.assertUnharmed();
});

test("behind requests that wait the connection may end; what was answered is a beginning, in order and not mixed up", async () => {
  const mixed = Array.from({ length: 30 }, (_, at) => {
    const [first, second] = [later()[at % 3]!, later()[(at + 1) % 3]!];
    return [...atOnce().slice(0, at % 6), first, ...atOnce().slice(at % 6), second, last];
  });
  const before = (await server.api.get(`/v1/qr-codes/${server.codeId}`)).body.scan_count;
  let scansSent = 0;
  let scansAnswered = 0;
  for (const sent of mixed) {
    const connection = await openRaw(server.url);
    connection.socket.write(sent.map(({ text }) => text).join(""));
    const received = await connection.closed();
    const answered = assertInOrder(received, sent);
    // The node engine serves them one after the other instead.
    if (testEngine.name === "node") assert.equal(answered, sent.length);
    const isScan = ({ method, status }: Request) => method === "GET" && status === 302;
    scansSent += sent.filter(isScan).length;
    scansAnswered += sent.slice(0, answered).filter(isScan).length;
  }
  const counted = (await server.api.get(`/v1/qr-codes/${server.codeId}`)).body.scan_count - before;
  assert.ok(counted >= scansAnswered && counted <= scansSent, `${scansAnswered} ≤ ${counted} ≤ ${scansSent}`);
  server.honestScans += counted;
  await server.assertUnharmed();
});

test("a request that is cut in two at any byte is one request", async () => {
  const name = '{"name":"split"}';
  const json = [
    "Content-Type: application/json",
    `x-api-key: ${server.key}`,
    `Content-Length: ${name.length}`,
  ];
  const whole: [text: string, status: number][] = [
    [rawRequest("GET", `/${server.slug}`, ["X-A: b"]), 302],
    [rawRequest("POST", "/v1/projects", json, name), 201],
    [rawRequest("GET", "/qr-0000000000", []), 404],
  ];
  const before = (await server.api.get("/v1/projects?page_size=1")).body.items[0].project_id;
  for (const [text, status] of whole) {
    const cuts = Array.from({ length: text.length - 1 }, (_, at) => at + 1);
    await inParallel(cuts, 40, async (cut) => {
      const connection = await openRaw(server.url);
      connection.socket.setNoDelay(true);
      connection.socket.write(text.slice(0, cut));
      await sleep(10);
      connection.socket.write(text.slice(cut));
      await connection.until("\r\n\r\n");
      await sleep(5);
      const [answer, ...others] = parseAnswers(connection.received());
      assert.equal(answer?.status, status, `cut at ${cut}`);
      assert.equal(others.length, 0);
      connection.socket.destroy();
    });
    if (status === 302) server.honestScans += cuts.length;
  }
  let created = 0;
  for (let token = ""; ; ) {
    const { body } = await server.api.get(`/v1/projects?page_size=100&page_token=${token}`, 200);
    const at = body.items.findIndex((project: { project_id: string }) => project.project_id === before);
    created += at < 0 ? body.items.length : at;
    if (at >= 0 || body.next_page_token === null) break;
    token = body.next_page_token;
  }
  assert.equal(created, whole[1]![0].length - 1);
  await server.assertUnharmed();
});
