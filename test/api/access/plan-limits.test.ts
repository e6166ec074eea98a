import assert from "node:assert/strict";
import { test } from "node:test";
import {
  builtInPlans,
  effectiveLimits,
  isLimit,
  parsePlans,
  planOf,
  shownLimits,
} from "../../../src/domain/account/plans.ts";
import { sampleAccount } from "../../fakes/sample-documents.ts";

const free = { qr_cap: 1, per_minute: 50, per_day: 60, burst: 40, creates: true, advanced: false };

test("the built-in plans are those of the price list", () => {
  const rows = [...builtInPlans].map(([name, { limits, creates, advanced }]) => [
    name,
    limits.qr_cap,
    limits.per_minute,
    limits.per_day,
    limits.burst,
    limits.keys,
    creates,
    advanced,
  ]);
  assert.deepEqual(rows, [
    ["viewer", 0, 30, 1_000, 5, 10, false, false],
    ["free", 10, 30, 1_000, 5, 10, true, false],
    ["starter", 100, 60, 10_000, 10, 10, true, false],
    ["pro", 1_000, 300, 100_000, 50, 10, true, false],
    ["agency", 50_000, 1_200, 1_000_000, 200, 10, true, true],
    ["enterprise", 5_000_000, 60_000, 50_000_000, 2_000, 10, true, true],
  ]);
});

test("a file that cannot be used is refused with the key that is wrong", () => {
  const without = (key: string) => Object.fromEntries(Object.entries(free).filter(([name]) => name !== key));
  const bad: [file: unknown, named: RegExp][] = [
    [{}, /free/],
    [{ gold: free }, /free is missing/],
    [{ free: null }, /free must be an object/],
    [{ free: 1 }, /free must be an object/],
    [{ free: [] }, /free\.qr_cap /],
    [{ free: { ...free, colour: "red" } }, /free\.colour/],
    [{ free, gold: { ...free, qr_caps: 1 } }, /gold\.qr_caps/],
    ...["qr_cap", "per_minute", "per_day", "burst", "creates", "advanced"].map((key): [unknown, RegExp] => [
      { free: without(key) },
      new RegExp(`free\\.${key} `),
    ]),
    ...[-1, 1.5, "60", null, true, 2 ** 60].map((value): [unknown, RegExp] => [
      { free: { ...free, per_day: value } },
      /free\.per_day /,
    ]),
    ...["yes", 1, null].map((value): [unknown, RegExp] => [
      { free: { ...free, creates: value } },
      /free\.creates /,
    ]),
    [{ free: { ...free, keys: -1 } }, /free\.keys /],
    [{ free: { ...free, projects: "20" } }, /free\.projects /],
    [[free], /object of plans/],
    ["free", /object of plans/],
    [null, /object of plans/],
  ];
  for (const [file, named] of bad)
    assert.throws(() => parsePlans(JSON.stringify(file)), named, JSON.stringify(file));
  assert.throws(() => parsePlans("{"), /not JSON/);
  assert.throws(() => parsePlans(""), /not JSON/);
});

test("a good file is read in full; the key cap may be left out", () => {
  const plans = parsePlans(JSON.stringify({ free, gold: { ...free, keys: 3, advanced: true } }));
  assert.deepEqual([...plans.keys()], ["free", "gold"]);
  assert.equal(plans.get("free")!.limits.keys, 10);
  assert.deepEqual(plans.get("gold"), {
    limits: {
      qr_cap: 1,
      per_minute: 50,
      per_day: 60,
      burst: 40,
      keys: 3,
      projects: 1_000,
      analytics_days: 30,
    },
    creates: true,
    advanced: true,
  });
});

test("a limit is a whole number, 0 or more", () => {
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) assert.equal(isLimit(value), true, String(value));
  for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1", null, undefined, 1n]) {
    assert.equal(isLimit(value), false, String(value));
  }
});

test("an account has the limits of its plan, with its own in their place", () => {
  const account = sampleAccount({ plan: "free", limits: { qr_cap: 0, keys: 99 } });
  const limits = {
    qr_cap: 0,
    per_minute: 30,
    per_day: 1_000,
    burst: 5,
    keys: 99,
    projects: 1_000,
    analytics_days: 30,
  };
  assert.deepEqual(effectiveLimits(account, builtInPlans), limits);
  assert.deepEqual(shownLimits(account, builtInPlans), limits);
  assert.equal(planOf(account, builtInPlans), builtInPlans.get("free"));
});

test("a malformed limit or an unknown plan allows nothing and says what is wrong", () => {
  const nothing = { qr_cap: 0, per_minute: 0, per_day: 0, burst: 0, keys: 0, projects: 0, analytics_days: 0 };
  const malformed = sampleAccount({ limits: { burst: -1 } });
  assert.throws(() => effectiveLimits(malformed, builtInPlans), /acc_1 has a malformed limit burst/);
  assert.deepEqual(shownLimits(malformed, builtInPlans), nothing);
  const lost = sampleAccount({ plan: "gold" });
  assert.throws(() => effectiveLimits(lost, builtInPlans), /plan "gold" is not configured/);
  assert.deepEqual(shownLimits(lost, builtInPlans), nothing);
});
