/** The engine that serves here, on its own: it answers, and keeps to the bound of headers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testEngine } from "../support/engine.ts";

const app = testEngine.createApp();
app.any("/*", (res) => {
  res.end("served");
});
const listening = await testEngine.listen(app, "127.0.0.1", 0);
const url = `http://127.0.0.1:${listening.port}/`;
after(() => {
  listening.close();
  app.close();
});

test("a request is served", async () => {
  assert.equal(await (await fetch(url)).text(), "served");
});

test("a head of up to 16 KiB is read, a larger one refused", async () => {
  const status = async (chars: number) =>
    (await fetch(url, { headers: { "x-long": "x".repeat(chars) } })).status;
  assert.deepEqual([await status(12_000), await status(20_000)], [200, 431]);
});

test("a port that is taken is not shared", async () => {
  const other = testEngine.createApp();
  await assert.rejects(testEngine.listen(other, "127.0.0.1", listening.port), {
    message: `cannot listen on 127.0.0.1:${listening.port}: is the port taken?`,
  });
  other.close();
});
