import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { systemRandom } from "../../src/runtime/random.ts";
import { assertRefused } from "../support/client.ts";
import { startServer } from "../support/server.ts";

let broken = false;
const lines: { level: number; request_id?: string; err?: { message: string } }[] = [];
const log = pino(
  { level: "info" },
  {
    write(line: string) {
      lines.push(JSON.parse(line));
    },
  },
);

const server = await startServer({
  log,
  random(bytes) {
    if (broken) throw new Error("the secret source of chance ran dry");
    return systemRandom(bytes);
  },
});

test("a failure inside is a 500 that tells nothing; the log has the cause under the same request id", async () => {
  broken = true;
  const answer = await server.api.post("/v1/projects", { name: "unlucky" });
  broken = false;
  assertRefused(answer, 500, "internal_error");
  assert.doesNotMatch(answer.text, /secret|chance|Error:|\.ts/);
  const logged = lines.filter((line) => line.request_id === answer.body.request_id);
  assert.equal(logged.length, 1);
  assert.match(logged[0]!.err!.message, /ran dry/);
  assert.equal(answer.headers.get("x-request-id"), answer.body.request_id);
});

test("after a failure nothing is written and the account goes on", async () => {
  const names = async () =>
    (await server.api.get("/v1/projects", 200)).body.items.map((project: { name: string }) => project.name);
  assert.ok(!(await names()).includes("unlucky"));
  await server.api.post("/v1/projects", { name: "lucky" }, 201);
  assert.ok((await names()).includes("lucky"));
});

test("a refusal is an answer, not a fault: it is not logged", async () => {
  const before = lines.length;
  await server.api.post("/v1/projects", {}, 400);
  await server.api.get("/v1/qr-codes/none", 404);
  assert.equal(lines.length, before);
});

test("the log never has a key, a token or a body", async () => {
  const text = JSON.stringify(lines);
  assert.ok(lines.length > 0);
  assert.ok(!text.includes(server.key));
  assert.ok(!text.includes("unlucky"));
});
