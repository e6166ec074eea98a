/** The engine that serves here, on its own: it answers, and keeps to the bound of headers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testEngine } from "../support/engine.ts";

const app = testEngine.createApp();
app.any("/*", (res) => {
  res.end("served");
});
/** Too much for a socket to take in one go, as long as nobody reads. */
const long = Buffer.alloc(20_000_000, "long ");
for (const [path, parts] of [
  ["/parts", ["first, ", Buffer.from("zweitens über "), "das dritte über"]],
  ["/long-parts", ["first, ", long]],
] as const) {
  const total = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  app.get(path, (res) => {
    res.onAborted(() => {});
    const taken = parts.map((part) => res.tryEnd(part, total));
    const isWhole = taken.at(-1)![1];
    assert.deepEqual(
      taken.slice(0, -1),
      parts.slice(1).map(() => [true, false]),
    );
    const whole = Buffer.concat(parts.map((part) => Buffer.from(part)));
    if (!isWhole) res.onWritable((gone) => res.tryEnd(whole.subarray(gone), total)[0]);
  });
}
const listening = await testEngine.listen(app, "127.0.0.1", 0);
const url = `http://127.0.0.1:${listening.port}/`;
after(() => {
  listening.close();
  app.close();
});

test("a request is served", async () => {
  assert.equal(await (await fetch(url)).text(), "served");
});

test("a body that is offered in parts is one answer", async () => {
  const answer = await fetch(`${url}parts`);
  const text = "first, zweitens über das dritte über";
  assert.equal(answer.headers.get("content-length"), String(Buffer.byteLength(text)));
  assert.equal(await answer.text(), text);
  const others = await Promise.all([fetch(`${url}parts`), fetch(url)]);
  assert.deepEqual(await Promise.all(others.map((other) => other.text())), [text, "served"]);
});

test("a long body that is offered in parts comes whole, whenever it is read", async () => {
  const answer = await fetch(`${url}long-parts`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const body = Buffer.from(await answer.arrayBuffer());
  assert.equal(body.length, "first, ".length + long.length);
  assert.ok(body.equals(Buffer.concat([Buffer.from("first, "), long])));
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
