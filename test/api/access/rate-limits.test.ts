import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInPlans, effectiveLimits } from "../../../src/domain/account/plans.ts";
import type { AccountDoc } from "../../../src/domain/documents.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { sampleAccount } from "../../fakes/sample-documents.ts";
import { openActors } from "../../support/actors.ts";
import { type Answer, assertRefused, type Client } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const clock = new ManualClock();
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;
const roomy = { per_minute: 1_000_000, per_day: 1_000_000, burst: 1_000_000 };

const server = await startServer({ clock });

/** The start of the next aligned window, and `ms` beyond it. */
const nextWindow = (lengthMs: number, ms = 0) =>
  clock.set(clock.now() - (clock.now() % lengthMs) + lengthMs + ms);

const ask = (api: Client, times: number): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, () => api.get("/v1/projects")));

function passed(answers: Answer[], code: string): number {
  for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 429, code);
  return answers.filter(({ status }) => status === 200).length;
}

const windows = [
  { limit: "burst", code: "rate_limited", lengthMs: secondMs },
  { limit: "per_minute", code: "rate_limit_minute", lengthMs: minuteMs },
  { limit: "per_day", code: "rate_limit_day", lengthMs: dayMs },
] as const;

for (const { limit, code, lengthMs } of windows) {
  test(`${code}: of parallel requests exactly the limit passes, in windows aligned to UTC`, async () => {
    const account = await server.newAccount({ limits: { ...roomy, [limit]: 7 } });
    nextWindow(lengthMs, lengthMs - 500);
    assert.equal(passed(await ask(account.api, 20), code), 7);
    clock.advance(499);
    const [refused] = await ask(account.api, 1);
    assertRefused(refused!, 429, code);
    assert.equal(refused!.headers.get("retry-after"), "1");
    clock.advance(1);
    assert.equal(clock.now() % lengthMs, 0);
    assert.equal(passed(await ask(account.api, 20), code), 7);
  });
}

test("when several windows are full, the shortest one answers", async () => {
  const account = await server.newAccount({ limits: { burst: 0, per_minute: 0, per_day: 0 } });
  assertRefused((await ask(account.api, 1))[0]!, 429, "rate_limited");
  await server.admin.patch(`/admin/v1/accounts/${account.id}`, { limits: { burst: null } }, 200);
  assertRefused((await ask(account.api, 1))[0]!, 429, "rate_limit_minute");
  await server.admin.patch(`/admin/v1/accounts/${account.id}`, { limits: { per_minute: null } }, 200);
  assertRefused((await ask(account.api, 1))[0]!, 429, "rate_limit_day");
});

test("every answer says what is left, refusals of any kind included", async () => {
  const account = await server.newAccount({ limits: { ...roomy, per_minute: 4, per_day: 50 } });
  nextWindow(dayMs, 12 * 60 * minuteMs + 10_500);
  const minuteEnd = (clock.now() - 10_500 + minuteMs) / 1000;
  const answers = [
    await account.api.get("/v1/projects", 200),
    await account.api.get("/v1/qr-codes/qr_none", 404),
    await account.api.post("/v1/projects", {}, 400),
    await account.api.call("POST", "/v1/projects", { raw: "{", status: 400 }),
    await account.api.get("/v1/projects", 429),
  ];
  const halfDay = 43_200;
  for (const [at, { headers }] of answers.entries()) {
    const used = Math.min(at + 1, 4);
    const policies = '"burst";q=1000000;w=1, "minute";q=4;w=60, "day";q=50;w=86400';
    assert.equal(headers.get("ratelimit-policy"), policies);
    const left = `"burst";r=${1_000_000 - used};t=1, "minute";r=${4 - used};t=50, "day";r=${50 - used};t=${halfDay - 10}`;
    assert.equal(headers.get("ratelimit"), at === 4 ? '"minute";r=0;t=50' : left);
    assert.equal(headers.get("x-ratelimit-limit"), "4");
    assert.equal(headers.get("x-ratelimit-remaining"), String(4 - used));
    assert.equal(headers.get("x-ratelimit-reset"), String(minuteEnd));
    assert.equal(headers.get("retry-after"), at === 4 ? "50" : null);
  }
});

test("a 429 shows the policy that refused, and no other", async () => {
  const cases = [
    ["burst", "rate_limited", secondMs],
    ["minute", "rate_limit_minute", minuteMs],
    ["day", "rate_limit_day", dayMs],
  ] as const;
  const limits = { burst: 3, per_minute: 4, per_day: 5 };
  const account = await server.newAccount({ limits });
  nextWindow(dayMs, 250);
  const begin = clock.now() - 250;
  const quotas = Object.values(limits);
  for (const [at, [policy, code, lengthMs]] of cases.entries()) {
    if (policy === "minute") clock.set(begin + secondMs);
    if (policy === "day") clock.set(begin + minuteMs);
    assert.equal(passed(await ask(account.api, 5), code), at === 0 ? 3 : 1);
    const [refused] = await ask(account.api, 1);
    assertRefused(refused!, 429, code);
    const { headers } = refused!;
    const seconds = Math.ceil((begin + lengthMs - clock.now()) / 1000);
    assert.equal(headers.get("ratelimit"), `"${policy}";r=0;t=${seconds}`);
    assert.equal(headers.get("retry-after"), String(seconds));
    assert.equal(headers.get("x-ratelimit-limit"), String(quotas[at]));
    assert.equal(headers.get("x-ratelimit-remaining"), "0");
    assert.equal(headers.get("x-ratelimit-reset"), String((begin + lengthMs) / 1000));
  }
});

test("the older headers speak of the window that runs out first", async () => {
  const account = await server.newAccount({ limits: { ...roomy, per_minute: 10, per_day: 3 } });
  nextWindow(dayMs, 60_250);
  await ask(account.api, 3);
  const [refused] = await ask(account.api, 1);
  assertRefused(refused!, 429, "rate_limit_day");
  assert.equal(refused!.headers.get("x-ratelimit-limit"), "3");
  assert.equal(refused!.headers.get("x-ratelimit-remaining"), "0");
  const dayEnd = clock.now() - 60_250 + dayMs;
  assert.equal(refused!.headers.get("x-ratelimit-reset"), String(dayEnd / 1000));
  assert.equal(refused!.headers.get("retry-after"), String(Math.ceil((dayEnd - clock.now()) / 1000)));
});

test("a request that is not authenticated has no windows, and takes nothing out of any", async () => {
  const account = await server.newAccount({ api_access: false, limits: { ...roomy, per_minute: 1 } });
  const answer = await account.api.get("/v1/projects", 403);
  assert.equal(answer.headers.get("ratelimit"), null);
  await server.admin.patch(`/admin/v1/accounts/${account.id}`, { api_access: true }, 200);
  await account.api.get("/v1/projects", 200);
  await account.api.get("/v1/projects", 429);
});

test("a refused request creates nothing and takes nothing of the quota of codes", async () => {
  const account = await server.newAccount({ limits: { ...roomy, per_minute: 2, qr_cap: 3 } });
  nextWindow(minuteMs);
  const create = () => account.api.post("/v1/qr-codes", { redirect_url: "https://example.com/" });
  const answers = await Promise.all(Array.from({ length: 10 }, create));
  assert.equal(answers.filter(({ status }) => status === 201).length, 2);
  const usage = async () => (await server.admin.get(`/admin/v1/accounts/${account.id}`, 200)).body.usage;
  assert.equal((await usage()).active_codes, 2);
  assert.equal((await usage()).requests_this_minute, 2);
  nextWindow(minuteMs);
  assert.equal((await create()).status, 201);
  assertRefused(await create(), 402, "quota_exceeded_qr");
  assert.equal((await usage()).requests_this_minute, 2);
});

test("limits are per key, not per account", async () => {
  const account = await server.newAccount({ limits: { ...roomy, per_minute: 3 } });
  const path = `/admin/v1/accounts/${account.id}/keys`;
  const { key } = (await server.admin.post(path, {}, 201)).body;
  nextWindow(minuteMs);
  assert.equal(passed(await ask(account.api, 5), "rate_limit_minute"), 3);
  const headers = { "x-api-key": key };
  for (let request = 0; request < 3; request++) await account.api.get("/v1/projects", 200, headers);
  await account.api.get("/v1/projects", 429, headers);
});

test("a change of limits or plan counts from the next request", async () => {
  const account = await server.newAccount({ limits: { ...roomy, per_minute: 2 } });
  const path = `/admin/v1/accounts/${account.id}`;
  nextWindow(minuteMs);
  assert.equal(passed(await ask(account.api, 5), "rate_limit_minute"), 2);
  await server.admin.patch(path, { limits: { ...roomy, per_minute: 5 } }, 200);
  assert.equal(passed(await ask(account.api, 9), "rate_limit_minute"), 3);
  await server.admin.patch(path, { limits: { per_minute: null }, plan: "free" }, 200);
  assert.equal(passed(await ask(account.api, 40), "rate_limit_minute"), 25);
  await server.admin.patch(path, { limits: { ...roomy, per_minute: 1 } }, 200);
  assertRefused(await account.api.get("/v1/projects"), 429, "rate_limit_minute");
});

test("windows survive an orderly restart exactly", async () => {
  const account = await server.newAccount({ limits: { ...roomy, per_minute: 160, per_day: 200 } });
  nextWindow(dayMs);
  assert.equal(passed(await ask(account.api, 33), "rate_limit_minute"), 33);
  await server.restart();
  assert.equal(passed(await ask(account.api, 150), "rate_limit_minute"), 127);
  nextWindow(minuteMs);
  await server.restart();
  assert.equal(passed(await ask(account.api, 60), "rate_limit_day"), 40);
});

test("a burst at the moment of a crash never gains a request, and loses few", async () => {
  const actors = await openActors();
  const perMinute = 64;
  const { key } = await actors.newAccount({ limits: { ...roomy, per_minute: perMinute } });
  let answered = 0;
  const crashes = 5;
  for (let life = 0; life <= crashes; life++) {
    for (let request = 0; request < (life === crashes ? 2 * perMinute : 9); request++) {
      const { refusal, wayOut } = await actors.directory.admit(key);
      await wayOut.pass(() => null, "request");
      if (refusal === null) answered++;
    }
    if (life < crashes) actors.forgetEverything();
  }
  const reserved = perMinute / 16;
  assert.ok(answered <= perMinute, `${answered} were let through`);
  assert.ok(answered >= perMinute - crashes * (reserved - 1), `only ${answered} were let through`);
  await actors.close();
});

test("a malformed limit or an unknown plan rejects, it never means unlimited", async () => {
  const malformed = [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, "60", null, undefined, {}];
  for (const value of malformed) {
    const account = sampleAccount({ limits: { per_minute: value } as unknown as AccountDoc["limits"] });
    assert.throws(() => effectiveLimits(account, builtInPlans), /acc_1.*per_minute/, String(value));
  }
  assert.throws(() => effectiveLimits(sampleAccount({ plan: "gone" }), builtInPlans), /plan "gone"/);

  const actors = await openActors();
  const { id, key } = await actors.newAccount();
  const account = (await actors.store.get("accounts", id))!;
  await actors.store.commit([{ collection: "accounts", put: { ...account, plan: "gone" } }]);
  actors.forgetEverything();
  await assert.rejects(actors.directory.admit(key), { code: "api_access_disabled", status: 403 });
  await actors.close();
});
