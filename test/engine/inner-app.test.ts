import assert from "node:assert/strict";
import { test } from "node:test";
import { InnerApp } from "../../src/engine/inner-app.ts";
import { ageAll, OldMemory } from "../support/old-memory.ts";

const request = { method: "GET", path: "/a", query: "", headers: [], peer: "192.0.2.1" };
const asker = { onUnwanted() {}, isWaitedFor: () => true };
const ask = (app: InnerApp) => app.ask(request, new Uint8Array(), asker);

test("when the app closes, the clients of requests without an answer are gone", () => {
  const app = new InnerApp();
  let aborted = 0;
  app.get("/a", (res) => void res.onAborted(() => aborted++));
  void ask(app);
  void ask(app);
  app.close();
  assert.equal(aborted, 2);
});

test("a request that was answered is forgotten at once, not when all memory is next collected", async () => {
  const app = new InnerApp();
  app.get("/a", (res) => {
    const work = new Array(1_000).fill(0);
    res.onAborted(() => work.at(-1));
    setImmediate(() => res.end("done"));
  });
  const together = Array.from({ length: 8 });
  const answers = () => Promise.all(together.map(() => ask(app)));
  await answers();
  ageAll();
  const old = new OldMemory();
  const times = 2_000;
  for (let time = 0; time < times; time++) {
    for (const answer of await answers()) assert.equal(answer?.status, 200);
    if (time % 100 === 0) old.look();
  }
  const bytesEach = old.grownBytes / (times * together.length);
  assert.ok(bytesEach < 1_000, `${bytesEach} bytes of a request were kept`);
});
