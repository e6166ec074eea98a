/**
 * A client that asks for one redirect after the other and reads none: it waits until each was given, so that neither a
 * second request behind a held answer nor anything else but its silence can cost it the connection.
 */
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { redirectsUnseenMean } from "../../src/limits.ts";
import { code, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";
import { openDeaf } from "../support/hostile/hostile-process.ts";
import { call } from "../support/wire/call.ts";
import { rawRequest } from "../support/wire/raw-http.ts";

/** With it an answer is about as long as one can be. */
const longUrl = `https://example.com/${"a".repeat(2_000)}`;
const lookMs = 100;
/** Twice what the system keeps for a client at most, on the machines that this was tried on. */
const redirectsMax = 2 * Math.ceil((40 * 2 ** 20) / longUrl.length);

test("who asks for redirects one by one, and reads none, loses the connection", async (t) => {
  let answered = () => {};
  const observer = { scansAnswered: () => answered() };
  const server = await startScans({ store: await storeWith(code(1, { redirect_url: longUrl })), observer });
  const socket = await openDeaf(`http://127.0.0.1:${server.port}`);
  const closed = new Promise<void>((resolve) => void socket.on("close", resolve));
  let asked = 0;
  while (!socket.destroyed && asked < redirectsMax) {
    const given = new Promise<void>((resolve) => {
      answered = resolve;
    });
    socket.write(rawRequest("GET", `/${testSlug(1)}`, []));
    asked++;
    // Who does not read hears of the cut when the system refuses a further request.
    await Promise.race([given, closed, sleep(lookMs)]);
  }
  t.diagnostic(`cut after ${asked} redirects`);
  assert.ok(socket.destroyed, `${asked} redirects of ${longUrl.length} bytes, and none read`);
});

test("who reads keeps the connection, and a line break for a body now and then is all there is to see", async () => {
  const server = await startScans({ store: await storeWith(code(1)) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const bodies = { "": 0, "\n": 0 };
  for (let n = 0; n < 4 * redirectsUnseenMean; n++) {
    const answer = await call(`http://127.0.0.1:${server.port}`, { path: `/${testSlug(1)}`, agent });
    assert.equal(answer.status, 302);
    assert.ok(answer.body in bodies, answer.body);
    bodies[answer.body as keyof typeof bodies]++;
    assert.notEqual(answer.headers.connection, "close");
  }
  agent.destroy();
  assert.ok(bodies["\n"] >= 2, "at least once in twice the mean");
  assert.ok(bodies[""] > bodies["\n"]);
});
