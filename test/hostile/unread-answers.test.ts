/** Clients that ask and do not read: they lose their connection, and what they left unread costs little memory. */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { answerMsMax, metricsKeptMs } from "../../src/limits.ts";
import { eventually, parseAnswers, startHostile } from "../support/hostile/hostile.ts";
import { openDeaf, spawnAttacked } from "../support/hostile/hostile-process.ts";
import { rawRequest } from "../support/wire/raw-http.ts";

const attacked = await spawnAttacked();

/** Keeps asking until the connection is lost. */
async function askDeaf(socket: Socket, request: string, batch: number): Promise<void> {
  for (let asked = 0; asked < requestsMax && !socket.destroyed; asked += batch) {
    await new Promise<void>((sent) => void socket.write(request.repeat(batch), () => sent()));
    await sleep(1);
  }
}

const deaf = 4;
const slackMb = 48;
/** More than the system keeps for a client of any of these. */
const requestsMax = 100_000;
const get = (path: string, headers: string[] = []) => rawRequest("GET", path, headers);
/** The viewer of the documentation, some megabytes of it. */
const getViewer = async () => {
  const page = await (await fetch(`${attacked.url}/docs`)).text();
  return get(/\/docs\/reference-\w+\.js/.exec(page)![0]);
};
const { slug } = await attacked.api.createRendered();
const floods: [what: string, request: string | (() => Promise<string>), batch: number][] = [
  ["the documentation", get("/docs"), 100],
  ["its viewer, pipelined", getViewer, 100],
  ["its viewer, one by one", getViewer, 1],
  ["the contract", get("/openapi.json"), 5],
  ["paths that do not exist", get("/no/where"), 200],
  ["links that do not exist, as pages", get("/qr-0000000000", ["Accept: text/html"]), 200],
  ["a fixed file", get("/robots.txt"), 500],
  ["heads", rawRequest("HEAD", "/healthz", []), 500],
  ["heads of redirects, one by one", rawRequest("HEAD", `/${slug}`, []), 1],
  ["heads of links that do not exist, one by one", rawRequest("HEAD", "/qr-0000000000", []), 1],
  ["an icon that there is none of, one by one", get("/favicon.ico"), 1],
];

for (const [what, request, batch] of floods) {
  test(`who asks for ${what}, and does not read, is cut and costs little`, async (t) => {
    const asked = typeof request === "string" ? request : await request();
    attacked.forgetPeak();
    const beginning = attacked.rssMb();
    const sockets = await Promise.all(Array.from({ length: deaf }, () => openDeaf(attacked.url)));
    await Promise.all(sockets.map((socket) => askDeaf(socket, asked, batch)));
    await eventually("the cut", async () => (await attacked.metric("qrelay_connections ")) < deaf);
    for (const socket of sockets) socket.destroy();
    const grown = attacked.peakMb() - beginning;
    t.diagnostic(`${grown.toFixed()} MB at most`);
    assert.ok(grown < slackMb, `${grown.toFixed()} MB`);
    await attacked.api.get("/healthz", 200);
  });
}

/** Ten times as fast, so that the limit of an answer is three seconds. */
const hurry = 10;
const began = Date.now();
const fastClock = {
  now: () => began + (Date.now() - began) * hurry,
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms / hurry).unref();
    return () => clearTimeout(timer);
  },
};

test("an answer that is not taken at once", async (t) => {
  const server = await startHostile({ clock: fastClock });
  const whole = await (await fetch(`${server.url}/openapi.json`)).text();
  const request = get("/openapi.json");
  /** Figures are kept for a while: these are taken after the call. */
  const counted = async (status: string) => {
    await sleep(metricsKeptMs / hurry + 1);
    const line = `qrelay_http_requests_total{method="GET",route="/openapi.json",status="${status}"} `;
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(text.split(line)[1]?.split("\n")[0] ?? 0);
  };
  /** Asks until an answer is stuck between here and there. */
  const openStuck = async (): Promise<{ socket: Socket; asked: number }> => {
    const socket = await openDeaf(server.url);
    for (let asked = 1; ; asked++) {
      const before = await counted("200");
      socket.write(request);
      if ((await counted("200")) === before) return { socket, asked };
      assert.ok(asked < 1_000);
    }
  };

  await t.test("arrives whole when the client reads on", async () => {
    const { socket, asked } = await openStuck();
    let received = "";
    socket.setEncoding("latin1").on("data", (chunk) => {
      received += chunk;
    });
    socket.resume();
    await eventually(
      "the last byte",
      () => received.split("HTTP/1.1 200").length - 1 === asked && received.endsWith("}"),
    );
    const answers = parseAnswers(received);
    assert.equal(answers.length, asked);
    for (const { body } of answers) assert.equal(Buffer.from(body, "latin1").toString(), whole);
    socket.write(get("/healthz"));
    await eventually("the next answer", () => received.includes("alive"));
    socket.destroy();
  });

  await t.test("ends the connection at the next request", async () => {
    const before = await counted("aborted");
    const { socket } = await openStuck();
    socket.write(request);
    await eventually("the cut", async () => (await counted("aborted")) > before, 1_000);
    socket.destroy();
  });

  await t.test("is cut in bounded time when the client reads a trickle", async () => {
    const before = await counted("aborted");
    const { socket } = await openStuck();
    const start = Date.now();
    let isClosed = false;
    let read = 0;
    socket.on("close", () => {
      isClosed = true;
    });
    socket.on("data", (chunk) => {
      read += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 400).unref();
    });
    socket.resume();
    await eventually("the cut", async () => (await counted("aborted")) > before, (2 * answerMsMax) / hurry);
    assert.ok(Date.now() - start < (1.5 * answerMsMax) / hurry);
    assert.ok(read > 0 && !isClosed, "the client was reading to the end");
    socket.destroy();
  });

  await server.assertUnharmed();
});
