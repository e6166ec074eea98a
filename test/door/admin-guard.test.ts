import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/domain/errors.ts";
import { openAdminGuard } from "../../src/door/admin-guard.ts";
import { wrongTokensMax, wrongTokensMs } from "../../src/limits.ts";
import { networkOf } from "../../src/visitor/client-address.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

const token = "correct-horse-battery-staple";
const metricsToken = "figures-for-the-scraper";
const right = `Bearer ${token}`;
const wrong = "Bearer wrong-guess-1234567";

function guarded(addressesMax = 100) {
  const clock = new ManualClock();
  const logged: { detail: object; message: string }[] = [];
  const log = { warn: (detail: object, message: string) => void logged.push({ detail, message }) };
  const guard = openAdminGuard({ token, metricsToken, clock, log, addressesMax });
  const attempt = (
    authorization: string,
    address = "203.0.113.7",
    door: "check" | "checkMetrics" = "check",
  ): ApiError | null => {
    try {
      guard[door](authorization, address);
      return null;
    } catch (refusal) {
      assert.ok(refusal instanceof ApiError);
      return refusal;
    }
  };
  const useUp = (address?: string) => {
    for (let n = 0; n < wrongTokensMax; n++) assert.equal(attempt(wrong, address)?.code, "unauthorized");
  };
  return { clock, logged, attempt, useUp };
}

test("the right token passes in any spelling of its scheme, any other is refused", () => {
  const { attempt } = guarded();
  for (const scheme of ["Bearer ", "bearer ", "BEARER ", "bEaReR   "]) {
    assert.equal(attempt(scheme + token), null, scheme);
  }
  const others = ["Bearer ", "Bearer", token, `Basic ${token}`, `bearer ${token}x`, `Bearer${token}`];
  for (const given of [wrong, `Bearer ${metricsToken}`, ...others]) {
    assert.equal(attempt(given)?.status, 401, given);
  }
});

test("after too many wrong tokens an address waits with further ones until its minute is over", () => {
  const { clock, attempt, useUp } = guarded();
  attempt(wrong);
  clock.advance(20_000);
  for (let n = 1; n < wrongTokensMax; n++) assert.equal(attempt(wrong)?.status, 401);
  const refusal = attempt(wrong);
  assert.equal(refusal?.code, "rate_limited");
  assert.equal(refusal?.status, 429);
  assert.equal(refusal?.retryAfter, 40);
  clock.advance(39_999);
  assert.equal(attempt(wrong)?.retryAfter, 1);
  clock.advance(1);
  useUp();
  assert.equal(attempt(wrong)?.status, 429);
});

test("the right token always passes", () => {
  const { attempt, useUp } = guarded();
  useUp();
  assert.equal(attempt(wrong)?.status, 429);
  assert.equal(attempt(right), null);
  assert.equal(attempt(wrong)?.status, 429, "which gives no further guesses");
});

test("the figures open to their own token and to the admin's", () => {
  const { attempt } = guarded();
  assert.equal(attempt(right, undefined, "checkMetrics"), null);
  assert.equal(attempt(`bearer ${metricsToken}`, undefined, "checkMetrics"), null);
  assert.equal(attempt("", undefined, "checkMetrics")?.status, 401);
  const { attempt: guess } = guarded();
  for (let n = 0; n < wrongTokensMax; n++) assert.equal(guess(wrong, undefined, "checkMetrics")?.status, 401);
  assert.equal(guess(wrong)?.status, 429, "guesses at either door are counted together");
});

test("without a token of their own the figures open to the admin's only", () => {
  const clock = new ManualClock();
  const guard = openAdminGuard({ token, metricsToken: null, clock, log: { warn() {} } });
  guard.checkMetrics(right, "203.0.113.7");
  for (const given of ["Bearer ", "Bearer null", wrong]) {
    assert.throws(() => guard.checkMetrics(given, "203.0.113.7"), ApiError);
  }
});

test("another address is not held up", () => {
  const { attempt, useUp } = guarded();
  useUp("203.0.113.7");
  assert.equal(attempt(wrong, "203.0.113.7")?.status, 429);
  assert.equal(attempt(wrong, "203.0.113.8")?.status, 401);
});

test("one IPv6 network and one IPv4 address in any spelling are one guesser", () => {
  const { attempt, useUp } = guarded();
  useUp("2001:db8:1:2::1");
  assert.equal(attempt(wrong, "2001:0db8:0001:0002:ffff:0000:0000:0009")?.status, 429);
  assert.equal(attempt(wrong, "2001:db8:1:3::1")?.status, 401);
  useUp("::ffff:198.51.100.4");
  assert.equal(attempt(wrong, "198.51.100.4")?.status, 429);
});

test("a request without a token is no guess", () => {
  const { attempt, logged } = guarded();
  for (let n = 0; n < 3 * wrongTokensMax; n++) assert.equal(attempt("")?.status, 401);
  assert.equal(attempt(wrong)?.status, 401);
  assert.equal(logged.length, 1);
});

test("the table of addresses is bounded and forgets the oldest", () => {
  const { attempt, useUp } = guarded(3);
  for (const last of [1, 2, 3]) useUp(`198.51.100.${last}`);
  attempt(wrong, "198.51.100.4");
  assert.equal(attempt(wrong, "198.51.100.2")?.status, 429);
  assert.equal(attempt(wrong, "198.51.100.1")?.status, 401);
});

test("a clock that was set back locks nobody out", () => {
  const { clock, attempt, useUp } = guarded();
  useUp();
  clock.advance(-10 * wrongTokensMs);
  assert.equal(attempt(wrong)?.status, 401);
});

test("each wrong token is logged once, without the token and without the address", () => {
  const { attempt, useUp, logged } = guarded();
  useUp("203.0.113.77");
  for (let n = 0; n < 50; n++) attempt(wrong, "203.0.113.77");
  useUp("2001:db8:aaaa:bbbb:cccc::1");
  assert.equal(logged.length, 2 * wrongTokensMax);
  const text = JSON.stringify(logged);
  assert.doesNotMatch(text, /wrong-guess|correct-horse|113\.77|cccc|bbbb/);
  assert.deepEqual(logged[wrongTokensMax - 1]!.detail, {
    network: "203.0.113.0/24",
    wrong: wrongTokensMax,
    refused: true,
  });
  assert.equal(networkOf("2001:db8:aaaa:bbbb::1"), "2001:db8:aaaa::/48");
  assert.equal(networkOf("no address"), "unknown");
});
