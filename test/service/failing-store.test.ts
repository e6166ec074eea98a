/** Over HTTP, on a store that hangs or fails: nobody waits for ever, and the log says what happened and no more. */
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { handlerMsMax } from "../../src/limits.ts";
import { compose } from "../../src/service/compose.ts";
import { faulty } from "../fakes/faulty-store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { parseExposition, sampleValue } from "../metrics/metrics-format.ts";
import { assertRefused, Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { testEngine } from "../support/engine.ts";

let log = "";
const stream = {
  write(line: string) {
    log += line;
  },
};
const clock = new ManualClock();
const memory = new MemoryStore();
const store = faulty(memory);
const config = readConfig({
  PORT: "0",
  DATA_DIR: temporaryFolder(),
  RENDER_THREADS: "1",
  ACCESS_LOG: "all",
  METRICS: "open",
});
const parts = await compose(config, testEngine, store, { log: pino({ level: "trace" }, stream), clock });
after(async () => {
  store.release();
  await parts.stop();
});
const url = `http://127.0.0.1:${parts.port}`;
const api = new Client(url, { "x-api-key": parts.firstKey! });

/** Lets what was sent arrive: a later request on another connection is answered. */
const arrived = () => new Client(url).get("/healthz", 200);

test("a request that takes longer than ten seconds is answered 503, and its connection closed", async () => {
  store.hold();
  const hanging = [1, 2, 3].map((at) => api.post("/v1/projects", { name: `hanging ${at}` }));
  let answered = false;
  void Promise.race(hanging).then(() => {
    answered = true;
  });
  await arrived();
  clock.advance(handlerMsMax - 1);
  await arrived();
  assert.equal(answered, false);
  clock.advance(handlerMsMax / 10 + 1);
  for (const answer of await Promise.all(hanging)) {
    assertRefused(answer, 503, "unavailable", /took too long/);
    assert.equal(answer.headers.get("retry-after"), "1");
    assert.equal(answer.headers.get("connection"), "close");
  }
  const metrics = parseExposition((await api.get("/metrics", 200)).text);
  const labels = { method: "POST", route: "/v1/projects", status: "503" };
  assert.equal(sampleValue(metrics, "qrelay_http_requests_total", labels), 3);

  store.release();
  await api.post("/v1/projects", { name: "not hanging" }, 201);
});

test("a failure is 500 or 503 without its cause, and a key in the path does not get into the log", async () => {
  const key = parts.firstKey!;
  const get = store.get;
  store.get = () => Promise.reject(new Error("the inside"));
  const answer = await api.get(`/v1/qr-codes/${key}`);
  store.get = get;
  assertRefused(answer, 500, "internal_error");
  assert.ok(!answer.text.includes("the inside"));
  const lines = log.split("\n").filter((line) => line.includes(answer.body.request_id));
  assert.equal(lines.length, 2);
  assert.match(lines[0]!, /"path":"\/v1\/qr-codes\/api_live_…".*"msg":"request failed"/);
  assert.match(lines[0]!, /the inside/);
  assert.match(lines[1]!, /"route":"\/v1\/qr-codes\/:id","status":500.*"msg":"request"/);
  assert.ok(!log.includes(key));
});
