import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { FieldRules } from "../../src/domain/code/code-fields.ts";
import { ApiError, invalidField } from "../../src/domain/errors.ts";
import { remoteCheckLimits } from "../../src/limits.ts";
import { type RemoteCheck, type Verdict, withRemoteCheck } from "../../src/safety/remote-check.ts";
import { openWebRisk } from "../../src/safety/web-risk.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { answerJson, type RiskServer, startRiskServer, threat } from "../fakes/risk-server.ts";

let clock: ManualClock;
let logged: string[];

const risk = await startRiskServer();
beforeEach(() => {
  clock = new ManualClock();
  logged = [];
  risk.asked = [];
  risk.atOnce = 0;
  risk.answer = (uri, response) =>
    answerJson(response, uri.includes("evil") ? threat(new Date(clock.now() + 3_600_000).toISOString()) : {});
});

function open(limits: Partial<typeof remoteCheckLimits> = {}, url = risk.url, key: string | null = null) {
  const note = (_: object, message: string) => void logged.push(message);
  return openWebRisk({ url, key, clock, log: { info: note, warn: note }, limits });
}

/** Resolves when so many look-ups have arrived. */
async function askedFor(count: number): Promise<void> {
  while (risk.asked.length < count) await new Promise((resolve) => setImmediate(resolve));
}

test("a URL is safe, unsafe, or as bad as the worst among several", async () => {
  const check = open();
  assert.equal(await check.verdict(["https://good.example/"]), "safe");
  assert.equal(await check.verdict(["https://evil.example/"]), "unsafe");
  assert.equal(await check.verdict(["https://good.example/", "https://evil.example/"]), "unsafe");
  assert.equal(await check.verdict([]), "safe");
});

test("the look-up carries the URL unchanged, the kinds of threat, and the key in a header only", async () => {
  const check = open({}, risk.url, "secret-key");
  const target = "https://good.example/a?b=c&d=%20#e";
  await check.verdict([target]);
  assert.deepEqual(risk.asked, [target]);
  assert.deepEqual(risk.threatTypes, ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"]);
  assert.equal(risk.headers["x-goog-api-key"], "secret-key");
});

test("verdicts are remembered until they expire", async () => {
  const check = open();
  for (let n = 0; n < 3; n++) await check.verdict(["https://good.example/", "https://evil.example/"]);
  assert.equal(risk.asked.length, 2);
  clock.advance(remoteCheckLimits.safeMs);
  await check.verdict(["https://good.example/", "https://evil.example/"]);
  assert.equal(risk.asked.length, 3);
  clock.advance(3_600_000);
  await check.verdict(["https://evil.example/"]);
  assert.equal(risk.asked.length, 4);
});

test("many who ask for one URL at once cause one look-up", async () => {
  const check = open();
  const verdicts = await Promise.all(
    Array.from({ length: 50 }, () => check.verdict(["https://evil.example/"])),
  );
  assert.deepEqual(new Set(verdicts), new Set(["unsafe"]));
  assert.equal(risk.asked.length, 1);
});

test("no more look-ups run at once than allowed; the others wait their turn", async () => {
  const check = open({ lookupsMax: 3 });
  risk.answer = (_, response) => void setTimeout(() => answerJson(response, {}), 5);
  const urls = Array.from({ length: 20 }, (_, n) => `https://good.example/${n}`);
  assert.equal(await check.verdict(urls), "safe");
  assert.equal(risk.atOnce, 3);
  assert.equal(risk.asked.length, 20);
});

test("when too many wait, the rest is unknown at once", async () => {
  const check = open({ lookupsMax: 1, waitingMax: 1 });
  const pending: (() => void)[] = [];
  risk.answer = (_, response) => void pending.push(() => answerJson(response, {}));
  const first = check.verdict(["https://good.example/1"]);
  const second = check.verdict(["https://good.example/2"]);
  assert.equal(await check.verdict(["https://good.example/3"]), "unknown");
  await askedFor(1);
  pending.shift()!();
  assert.equal(await first, "safe");
  await askedFor(2);
  pending.shift()!();
  assert.equal(await second, "safe");
});

test("no answer in time is unknown, also for those who waited for a place", async () => {
  const check = open({ lookupsMax: 1, timeoutMs: 1_000 });
  risk.answer = () => {};
  const verdicts = Promise.all([
    check.verdict(["https://good.example/1"]),
    check.verdict(["https://good.example/2"]),
  ]);
  await askedFor(1);
  clock.advance(1_000);
  assert.deepEqual(await verdicts, ["unknown", "unknown"]);
});

test("answers that cannot be understood are unknown and not remembered", async () => {
  const answers: RiskServer["answer"][] = [
    (_, response) => answerJson(response, { error: "quota" }, 429),
    (_, response) => answerJson(response, {}, 500),
    (_, response) => void response.end("not json"),
    (_, response) => answerJson(response, []),
    (_, response) => answerJson(response, null),
    (_, response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
    (_, response) => answerJson(response, { padding: "x".repeat(remoteCheckLimits.answerBytesMax) }),
    (_, response) => void response.destroy(),
  ];
  for (const answer of answers) {
    const check = open();
    risk.answer = answer;
    assert.equal(await check.verdict(["https://good.example/"]), "unknown", String(answer));
    risk.answer = (_, response) => answerJson(response, {});
    assert.equal(await check.verdict(["https://good.example/"]), "safe", String(answer));
  }
});

test("a service that is away is not asked for a while, and told of once", async () => {
  const { failuresMax, awayMs } = remoteCheckLimits;
  const check = open();
  risk.answer = (_, response) => answerJson(response, {}, 503);
  for (let n = 0; n < failuresMax; n++) await check.verdict([`https://good.example/${n}`]);
  assert.equal(await check.verdict(["https://good.example/x"]), "unknown");
  assert.equal(risk.asked.length, failuresMax);
  clock.advance(awayMs);
  await check.verdict(["https://good.example/x"]);
  assert.equal(risk.asked.length, failuresMax + 1);
  assert.deepEqual(logged, ["the remote URL check is away"]);
  risk.answer = (_, response) => answerJson(response, {});
  clock.advance(awayMs);
  assert.equal(await check.verdict(["https://good.example/x"]), "safe");
  assert.deepEqual(logged, ["the remote URL check is away", "the remote URL check answers again"]);
});

test("closing ends the look-ups under way", async () => {
  const check = open();
  risk.answer = () => {};
  const verdict = check.verdict(["https://good.example/"]);
  await askedFor(1);
  check.close();
  assert.equal(await verdict, "unknown");
  assert.equal(await check.verdict(["https://other.example/"]), "unknown");
});

test("the memory of verdicts is bounded and forgets what nobody asked for", async () => {
  const check = open({ cacheEntriesMax: 2 });
  const addressOf = (name: string) => `https://${name}.example/`;
  for (const name of ["a", "b", "a", "c", "a", "b"]) await check.verdict([addressOf(name)]);
  assert.deepEqual(risk.asked, ["a", "b", "c", "b"].map(addressOf));
});

const localRules: FieldRules = {
  checkUrl(path, value) {
    if (!value.startsWith("https://")) throw invalidField(path, "must be a URL");
    const unsafe = value.includes("local") ? new ApiError("unsafe_url", `${path} is local`) : null;
    return { href: value, unsafe };
  },
  linkTo: (slug) => slug,
};

function checkThatSays(verdict: Verdict): RemoteCheck & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async verdict(urls) {
      asked.push(...urls);
      return urls.some((url) => url.includes("evil")) ? "unsafe" : verdict;
    },
    close() {},
  };
}

const targets = {
  redirect_url: "https://good.example/",
  redirect_rules: [{ url: "https://evil.example/" }, { url: "https://local.example/" }, { url: "no URL" }],
};

test("rules with a remote check refuse what it finds, name the field, and ask only what is locally safe", async () => {
  const check = checkThatSays("safe");
  const rules = await withRemoteCheck(localRules, { check, fail: "open" }, targets);
  assert.deepEqual(check.asked, ["https://good.example/", "https://evil.example/"]);
  assert.equal(rules.checkUrl("redirect_url", "https://good.example/").unsafe, null);
  const { unsafe } = rules.checkUrl("redirect_rules[0].url", "https://evil.example/");
  assert.equal(unsafe?.code, "unsafe_url");
  assert.match(unsafe!.message, /^redirect_rules\[0\]\.url leads to a destination that is known/);
  assert.equal(rules.checkUrl("f", "https://local.example/").unsafe?.message, "f is local");
  assert.throws(() => rules.checkUrl("f", "no URL"), /f must be a URL/);
  assert.equal(rules.linkTo("qr-x"), "qr-x");
});

test("without an opinion a URL passes when the check fails open, and gets 503 when it fails closed", async () => {
  for (const fail of ["open", "closed"] as const) {
    const rules = await withRemoteCheck(localRules, { check: checkThatSays("unknown"), fail }, targets);
    const { unsafe } = rules.checkUrl("redirect_url", "https://good.example/");
    assert.equal(unsafe?.status ?? null, fail === "open" ? null : 503);
    assert.equal(rules.checkUrl("f", "https://evil.example/").unsafe?.status, 422);
    assert.equal(rules.checkUrl("f", "https://local.example/").unsafe?.status, 422);
  }
});

test("without a remote check the rules stay as they are", async () => {
  assert.equal(await withRemoteCheck(localRules, null, targets), localRules);
});
