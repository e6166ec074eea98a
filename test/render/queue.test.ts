/** Turns, replacement, cancellation, back-off: when the render queue draws what. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { CodeDoc } from "../../src/domain/documents.ts";
import { unavailable } from "../../src/domain/errors.ts";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import type { Renderer } from "../../src/render/pool.ts";
import type { RenderOutcomes, RenderRequest, RenderResult } from "../../src/render/render-job.ts";
import { openRenderQueue, type RenderQueue } from "../../src/render/render-queue.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { sampleCode, sampleRender } from "../fakes/sample-documents.ts";

const file = { hash: "0".repeat(32), bytes: new Uint8Array(1) };
const picture: RenderResult = { svg: file, png: file };

function wanted(account: string, code: string, version = 1, attempt = 0): RenderRequest {
  const job = { content: `${code} v${version}`, metadata: defaultMetadata };
  return { account_id: account, code_id: code, version, job, attempt };
}

function pending(account: string, id: string): CodeDoc {
  return sampleCode({ id, account_id: account, render: sampleRender("pending") });
}

/** A renderer whose jobs end when the test says so, and a record of what became of them. */
function bench(options: { queueMax?: number } = {}) {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const begun: { content: string; end: (error?: string) => void }[] = [];
  const log: string[] = [];
  const errors: unknown[] = [];
  let refusals = 0;
  const renderer: Renderer = {
    hasRoom: () => begun.length === 0,
    render: ({ content }) =>
      new Promise((resolve, reject) => {
        begun.push({ content, end: (error) => (error ? reject(new Error(error)) : resolve(picture)) });
      }),
    close: async () => {},
  };
  const outcomes: RenderOutcomes = {
    async rendered({ code_id, version }) {
      if (refusals-- > 0) throw unavailable("The store is away.");
      log.push(`${code_id} v${version} rendered`);
      const code = await store.get("codes", code_id);
      if (code !== null) {
        await store.commit([{ collection: "codes", put: { ...code, render: sampleRender("done") } }]);
      }
    },
    async failed({ code_id, attempt }, error, final) {
      log.push(`${code_id} attempt ${attempt} failed: ${error}${final ? " for good" : ""}`);
    },
  };
  const queue: RenderQueue = openRenderQueue({
    renderer,
    store,
    clock,
    outcomes,
    toRequest: (code) => wanted(code.account_id, code.id, code.render.version, code.render.attempt),
    report: (error) => errors.push(error),
    queueMax: options.queueMax,
  });
  return {
    clock,
    store,
    queue,
    log,
    errors,
    refuse: (times: number) => {
      refusals = times;
    },
    drawing: () => begun.map(({ content }) => content),
    /** Ends the job that began first and lets everything follow from it. */
    async end(error?: string): Promise<string> {
      const job = begun.shift();
      assert.ok(job !== undefined, "nothing is being drawn");
      job.end(error);
      for (let n = 0; n < 5; n++) await turn();
      return job.content;
    },
  };
}

test("accounts take turns; within an account first come is first served", async () => {
  const { queue, end } = bench();
  for (let n = 0; n < 1_000; n++) queue.request(wanted("many", `m${n}`));
  queue.request(wanted("one", "single"));
  queue.request(wanted("two", "first"));
  queue.request(wanted("two", "second"));
  const order: string[] = [];
  for (let n = 0; n < 7; n++) order.push(await end());
  assert.deepEqual(order, ["m0 v1", "m1 v1", "single v1", "first v1", "m2 v1", "second v1", "m3 v1"]);
});

test("a newer version takes the place of a waiting one", async () => {
  const { queue, end, log } = bench();
  queue.request(wanted("a", "busy"));
  queue.request(wanted("a", "code", 1));
  queue.request(wanted("a", "code", 2));
  queue.request(wanted("a", "code", 1));
  assert.equal(queue.depth(), 2);
  await end();
  assert.equal(await end(), "code v2");
  assert.deepEqual(log, ["busy v1 rendered", "code v2 rendered"]);
  assert.equal(queue.depth(), 0);
});

test("the result of a version that is no longer wanted is dropped", async () => {
  const { queue, end, log } = bench();
  queue.request(wanted("a", "code", 1));
  queue.request(wanted("a", "code", 2));
  queue.request(wanted("a", "code", 3));
  assert.equal(await end(), "code v1");
  assert.deepEqual(log, []);
  assert.equal(await end(), "code v3");
  assert.deepEqual(log, ["code v3 rendered"]);
});

test("the same version asked for twice is drawn once", async () => {
  const { queue, end, log } = bench();
  queue.request(wanted("a", "code"));
  queue.request(wanted("a", "code"));
  await end();
  assert.deepEqual(log, ["code v1 rendered"]);
  assert.equal(queue.depth(), 0);
});

test("a cancelled code is not drawn, and not stored when it was being drawn", async () => {
  const { queue, end, log, drawing } = bench();
  queue.request(wanted("a", "drawn"));
  queue.request(wanted("a", "waiting"));
  queue.request(wanted("a", "last"));
  assert.deepEqual([queue.isRendering("drawn"), queue.isRendering("waiting")], [true, false]);
  queue.cancel("drawn");
  queue.cancel("waiting");
  queue.cancel("unknown");
  await end();
  assert.deepEqual(drawing(), ["last v1"]);
  await end();
  assert.deepEqual(log, ["last v1 rendered"]);
  assert.equal(queue.depth(), 0);
});

test("a code that is cancelled and asked for again while it is drawn gets its image", async () => {
  const { queue, end, log } = bench();
  queue.request(wanted("a", "code"));
  queue.cancel("code");
  queue.request(wanted("a", "code"));
  await end();
  await end();
  assert.deepEqual(log, ["code v1 rendered"]);
});

test("a failed render is tried again after 200 ms and 1 s, then given up", async () => {
  const { queue, end, log, clock, drawing } = bench();
  queue.request(wanted("a", "code"));
  await end("The render thread died.");
  clock.advance(199);
  assert.deepEqual(drawing(), []);
  clock.advance(1);
  await end("The render thread died.");
  clock.advance(999);
  assert.deepEqual(drawing(), []);
  clock.advance(1);
  await end("Rendering took longer than 5000 ms.");
  clock.advance(60_000);
  assert.deepEqual(drawing(), []);
  assert.deepEqual(log, [
    "code attempt 0 failed: The render thread died.",
    "code attempt 1 failed: The render thread died.",
    "code attempt 2 failed: Rendering took longer than 5000 ms. for good",
  ]);
  assert.equal(queue.depth(), 0);
});

test("attempts made before a restart count", async () => {
  const { queue, end, log } = bench();
  queue.request(wanted("a", "code", 1, 2));
  await end("broken");
  assert.deepEqual(log, ["code attempt 2 failed: broken for good"]);
});

test("while one request rests, others are drawn; a newer version ends the rest", async () => {
  const { queue, end, clock, drawing } = bench();
  queue.request(wanted("a", "code"));
  await end("broken");
  queue.request(wanted("a", "other"));
  assert.equal(await end(), "other v1");
  queue.request(wanted("a", "code", 2));
  assert.deepEqual(drawing(), ["code v2"]);
  clock.advance(10_000);
  assert.deepEqual(drawing(), ["code v2"]);
});

test("an outcome that cannot be stored is tried again, later and later, and never counts as an attempt", async () => {
  const { queue, end, log, clock, drawing, refuse, errors } = bench();
  refuse(4);
  queue.request(wanted("a", "code"));
  for (const ms of [200, 400, 800, 1_600]) {
    await end();
    assert.equal(queue.depth(), 1);
    clock.advance(ms - 1);
    assert.deepEqual(drawing(), []);
    clock.advance(1);
    assert.deepEqual(drawing(), ["code v1"]);
  }
  await end();
  assert.deepEqual(log, ["code v1 rendered"]);
  assert.equal(errors.length, 4);
});

test("what is pending in the store is drawn after a restart, each code once", async () => {
  const { queue, store, end, log } = bench();
  const put = (code: CodeDoc) => ({ collection: "codes", put: code }) as const;
  await store.commit([put(pending("a", "qr_1")), put(pending("b", "qr_2")), put(sampleCode({ id: "qr_3" }))]);
  queue.request(wanted("a", "qr_1"));
  await queue.start();
  await end();
  await end();
  assert.deepEqual(log, ["qr_1 v1 rendered", "qr_2 v1 rendered"]);
  assert.equal(queue.depth(), 0);
});

test("a store that cannot be read at the start is read again", async () => {
  const { queue, store, end, clock, errors } = bench();
  await store.commit([{ collection: "codes", put: pending("a", "qr_1") }]);
  store.isAway = true;
  await queue.start();
  assert.equal(errors.length, 1);
  store.isAway = false;
  clock.advance(1_000);
  for (let n = 0; n < 5; n++) await turn();
  assert.equal(await end(), "qr_1 v1");
});

test("closing waits for what is being drawn and begins nothing else", async () => {
  const { queue, end, log, drawing } = bench();
  queue.request(wanted("a", "drawn"));
  queue.request(wanted("a", "waiting"));
  const closing = queue.close();
  await end();
  await closing;
  assert.deepEqual(log, ["drawn v1 rendered"]);
  assert.deepEqual(drawing(), []);
});

test("when memory is full, the rest waits in the store and is drawn from there", async () => {
  const { queue, store, end, log } = bench({ queueMax: 50 });
  for (let n = 0; n < 600; n++) {
    const code = pending("a", `qr_${1_000 + n}`);
    await store.commit([{ collection: "codes", put: code }]);
    queue.request(wanted("a", code.id));
  }
  assert.equal(queue.depth(), 50);
  for (let n = 0; n < 600; n++) await end();
  assert.equal(log.length, 600);
  assert.equal(new Set(log).size, 600);
  assert.equal(queue.depth(), 0);
});

test("a newcomer takes a place in full memory from the account that has most", async () => {
  const { queue, store, end, log } = bench({ queueMax: 50 });
  for (let n = 0; n < 100; n++) {
    await store.commit([{ collection: "codes", put: pending("many", `qr_${1_000 + n}`) }]);
    queue.request(wanted("many", `qr_${1_000 + n}`));
  }
  await store.commit([{ collection: "codes", put: pending("one", "qr_2000") }]);
  queue.request(wanted("one", "qr_2000"));
  assert.equal(queue.depth(), 50);
  const order = [await end(), await end(), await end()];
  assert.ok(order.includes("qr_2000 v1"), order.join());
  for (let n = 0; n < 98; n++) await end();
  assert.equal(new Set(log).size, 101);
  assert.equal(queue.depth(), 0);
});

test("after a restart too, one code is not behind another account's thousands", async () => {
  const { queue, store, end } = bench({ queueMax: 50 });
  const writes = Array.from({ length: 2_000 }, (_, n) => pending("many", `qr_${10_000 + n}`));
  await store.commit(
    [...writes, pending("one", "qr_99999")].map((put) => ({ collection: "codes", put }) as const),
  );
  await queue.start();
  assert.equal(queue.depth(), 50);
  const order = [await end(), await end(), await end()];
  assert.ok(order.includes("qr_99999 v1"), order.join());
});

test("two accounts with long backlogs in the store are both served all along", async () => {
  const { queue, store, end } = bench({ queueMax: 40 });
  const codes = ["a", "b"].flatMap((account) =>
    Array.from({ length: 500 }, (_, n) => pending(account, `qr_${account}${1_000 + n}`)),
  );
  await store.commit(codes.map((put) => ({ collection: "codes", put }) as const));
  await queue.start();
  const served = { a: 0, b: 0 };
  for (let n = 1; n <= 1_000; n++) {
    served[(await end()).charAt(3) as "a" | "b"]++;
    if (n === 600) assert.ok(Math.min(served.a, served.b) > 200, JSON.stringify(served));
  }
  assert.deepEqual(served, { a: 500, b: 500 });
  assert.equal(queue.depth(), 0);
});
