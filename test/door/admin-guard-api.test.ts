/** Guessing the admin token over HTTP. */
import assert from "node:assert/strict";
import test from "node:test";
import { pino } from "pino";
import { wrongTokensMax, wrongTokensMs } from "../../src/limits.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { startServer } from "../support/server.ts";

let log = "";
const stream = {
  write(line: string) {
    log += line;
  },
};
const token = "the-right-token-of-this-test";
const clock = new ManualClock();
const server = await startServer({
  env: { ADMIN_TOKEN: token, TRUSTED_PROXIES: "127.0.0.1" },
  log: pino({ level: "info", base: null, timestamp: false }, stream),
  clock,
});

async function ask(address: string, bearer: string) {
  const headers = { "x-forwarded-for": address, ...(bearer !== "" && { authorization: `Bearer ${bearer}` }) };
  const answer = await fetch(`${server.url}/admin/v1/accounts`, { headers });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code, retryAfter: answer.headers.get("retry-after") };
}

const guess = "wrong-token-";

test("wrong tokens are limited by address, and logged without the token and the address", async () => {
  const guesser = "198.51.100.23";
  for (let at = 0; at < wrongTokensMax; at++) {
    assert.deepEqual(await ask(guesser, guess + at), { status: 401, code: "unauthorized", retryAfter: null });
  }
  const refused = await ask(guesser, `${guess}more`);
  assert.deepEqual(refused, { status: 429, code: "rate_limited", retryAfter: "60" });
  assert.equal((await ask(guesser, token)).status, 200, "the right token always passes");
  assert.equal((await ask("198.51.100.24", token)).status, 200, "others do not notice");

  const lines = log
    .split("\n")
    .filter((line) => line.includes("wrong admin token"))
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ network, wrong, refused }) => [network, wrong, refused]),
    Array.from({ length: wrongTokensMax }, (_, at) => ["198.51.100.0/24", at + 1, at + 1 === wrongTokensMax]),
  );
  for (const hidden of [guess, token, guesser, "127.0.0.1"]) assert.ok(!log.includes(hidden), hidden);

  clock.advance(wrongTokensMs);
  assert.equal((await ask(guesser, guess)).status, 401, "a minute later it is over");
});

test("who sends no token guesses nothing", async () => {
  const address = "198.51.100.99";
  for (let at = 0; at < wrongTokensMax + 5; at++) assert.equal((await ask(address, "")).status, 401);
  assert.equal((await ask(address, token)).status, 200);
});

test("the guesses of one do not keep the holders of keys out", async () => {
  const address = "198.51.100.42";
  for (let at = 0; at <= wrongTokensMax; at++) await ask(address, guess);
  assert.equal((await ask(address, guess)).status, 429);
  await server.api.get("/v1/projects", 200, { "x-forwarded-for": address });
});
