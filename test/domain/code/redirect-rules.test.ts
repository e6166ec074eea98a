import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { normaliseRules } from "../../../src/domain/code/redirect-rules.ts";
import { assignedCountries } from "../../../src/domain/countries.ts";
import type { Device, RedirectRule, Weekday } from "../../../src/domain/documents.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import { compileRules, matchRules } from "../../../src/link/match-rules.ts";
import { parsers } from "../../../src/schema/validators.ts";
import { scheduleRule } from "../../fakes/sample-documents.ts";

const url = "https://example.com/";
/** The shape is checked at the door, the rest by the domain. */
const normalise = (redirect_rules: readonly object[]) =>
  normaliseRules(
    "redirect_rules",
    parsers.CreateCodeBody({ redirect_rules }).redirect_rules ?? [],
    (_path, given) => new URL(given).href,
  );

function refusalOf(rule: object): string {
  try {
    normalise([{ condition: "device", value: "ios", url }, rule]);
  } catch (refusal) {
    assert.ok(refusal instanceof ApiError && refusal.code === "invalid_request", String(refusal));
    return refusal.message.split(" ")[0] ?? "";
  }
  return "accepted";
}

const schedule = scheduleRule(["mon"], "09:00", "17:00", url);

test("rules keep their order and the keys of their shape only", () => {
  const given = [
    { condition: "country", value: "de", url: "https://example.com", color: "red" },
    { condition: "device", value: "ios", condition2: "country", value2: "aT", url },
    { condition: "country", value: "US", condition2: "device", value2: "android", url },
    { ...schedule, schedule_days: ["sun", "mon", "sun"], schedule_end: "23:59" },
  ];
  assert.deepEqual(normalise(given), [
    { condition: "country", value: "DE", url },
    { condition: "device", value: "ios", condition2: "country", value2: "AT", url },
    { condition: "country", value: "US", condition2: "device", value2: "android", url },
    { ...schedule, schedule_days: ["sun", "mon"], schedule_end: "23:59" },
  ]);
});

test("a bad rule is refused with the path of the key", () => {
  const device = { condition: "device", value: "ios", url };
  const country = { condition: "country", value: "DE", url };
  const cases: [object, string][] = [
    [{ ...device, condition: "time" }, "condition"],
    [{ url }, "condition"],
    [{ ...device, value: "iOS" }, "value"],
    [{ ...device, value: undefined }, "value"],
    [{ ...device, condition2: "country" }, "value2"],
    [{ ...device, value2: "DE" }, "value2"],
    [{ ...device, condition2: "device", value2: "ios" }, "condition2"],
    [{ ...device, condition2: "schedule", value2: "DE" }, "condition2"],
    [{ ...device, condition2: "country", value2: "XX" }, "value2"],
    [{ ...device, schedule_days: ["mon"] }, "schedule_days"],
    [{ ...device, schedule_end: "17:00" }, "schedule_end"],
    [{ ...device, url: 5 }, "url"],
    [{ ...country, value: "UK" }, "value"],
    [{ ...country, value: "EU" }, "value"],
    [{ ...country, value: "DEU" }, "value"],
    [{ ...country, value: "ß" }, "value"],
    [{ ...country, value: "" }, "value"],
    [{ ...country, condition2: "country", value2: "DE" }, "condition2"],
    [{ ...country, condition2: "device", value2: "phone" }, "value2"],
    [{ ...country, schedule_start: "09:00" }, "schedule_start"],
    [{ ...schedule, value: "ios" }, "value"],
    [{ ...schedule, condition2: "device" }, "condition2"],
    [{ ...schedule, value2: "ios" }, "value2"],
    [{ ...schedule, schedule_days: [] }, "schedule_days"],
    [{ ...schedule, schedule_days: "mon" }, "schedule_days"],
    [{ ...schedule, schedule_days: ["mon", "Tue"] }, "schedule_days[1]"],
    [{ ...schedule, schedule_start: "9:00" }, "schedule_start"],
    [{ ...schedule, schedule_start: "09:60" }, "schedule_start"],
    [{ ...schedule, schedule_start: "09:00:00" }, "schedule_start"],
    [{ ...schedule, schedule_end: "24:00" }, "schedule_end"],
    [{ ...schedule, schedule_end: "17:00\n" }, "schedule_end"],
    [{ ...schedule, schedule_end: undefined }, "schedule_end"],
    [{ ...schedule, schedule_end: "09:00" }, "schedule_start"],
    [{ ...schedule, schedule_start: "22:00", schedule_end: "06:00" }, "schedule_start"],
  ];
  for (const [rule, key] of cases) {
    assert.equal(refusalOf(rule), `redirect_rules[1].${key}`, JSON.stringify(rule));
  }
});

test("20 rules are accepted, 21 are not, none is none", () => {
  const rules = (count: number) =>
    Array.from({ length: count }, () => ({ condition: "device", value: "ios", url }));
  assert.equal(normalise(rules(20)).length, 20);
  assert.throws(() => normalise(rules(21)), /^ApiError: redirect_rules must have at most 20 entries$/);
  assert.deepEqual(normalise([]), []);
});

test("URLs are checked under their own path", () => {
  const paths: string[] = [];
  normaliseRules("redirect_rules", [schedule, { condition: "country", value: "FR", url }], (path, given) => {
    paths.push(path);
    return given;
  });
  assert.deepEqual(paths, ["redirect_rules[0].url", "redirect_rules[1].url"]);
});

const device = fc.constantFrom<Device>("ios", "android", "desktop");
const country = fc.constantFrom("DE", "US", "FR");
const day = fc.constantFrom<Weekday>("mon", "tue", "wed", "thu", "fri", "sat", "sun");
const target = fc.nat(1000).map((id) => `https://example.com/${id}`);
const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** As JSON.parse makes them. */
const plain = { noNullPrototype: true } as const;
const rule: fc.Arbitrary<RedirectRule> = fc.oneof(
  fc.record({ condition: fc.constant("device" as const), value: device, url: target }, plain),
  fc.record({ condition: fc.constant("country" as const), value: country, url: target }, plain),
  fc.record(
    {
      condition: fc.constant("device" as const),
      value: device,
      condition2: fc.constant("country" as const),
      value2: country,
      url: target,
    },
    plain,
  ),
  fc.record(
    {
      condition: fc.constant("country" as const),
      value: country,
      condition2: fc.constant("device" as const),
      value2: device,
      url: target,
    },
    plain,
  ),
  fc
    .tuple(fc.uniqueArray(day, { minLength: 1 }), fc.nat(1438), fc.nat(1439), target)
    .map(([schedule_days, a, b, url]) =>
      scheduleRule(schedule_days, time(Math.min(a, b)), time(a === b ? a + 1 : Math.max(a, b)), url),
    ),
);
const rules = fc.array(rule, { maxLength: 20 });

test("normalised rules are a fixed point", () => {
  fc.assert(
    fc.property(rules, (given) => {
      const once = normalise(given);
      assert.deepEqual(once, given);
      assert.deepEqual(normalise(once), once);
    }),
  );
});

/** The specification's words, one after the other. */
function firstMatch(
  rules: RedirectRule[],
  visitor: { device: Device; country: string | null; minute: number },
): string | null {
  const today = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][Math.floor(visitor.minute / 1440)];
  const now = time(visitor.minute % 1440);
  const holds = (condition: string | undefined, value: string | undefined) =>
    condition === undefined || value === (condition === "device" ? visitor.device : visitor.country);
  const matching = rules.filter((rule) =>
    rule.condition === "schedule"
      ? rule.schedule_days.some((day) => day === today) &&
        rule.schedule_start <= now &&
        (now < rule.schedule_end || rule.schedule_end === "23:59")
      : holds(rule.condition, rule.value) && holds(rule.condition2, rule.value2),
  );
  return matching[0]?.url ?? null;
}

test("the first match wins, as a naive reading finds it", () => {
  const visitor = fc.record({
    device,
    country: fc.option(fc.oneof(country, fc.constant("JP"))),
    minute: fc.nat(7 * 1440 - 1),
  });
  fc.assert(
    fc.property(rules, visitor, (given, visitor) => {
      const asked = { device: 0, country: 0, minute: 0 };
      const lookedUp = {
        device() {
          asked.device += 1;
          return visitor.device;
        },
        country() {
          asked.country += 1;
          return visitor.country;
        },
        minuteOfWeek() {
          asked.minute += 1;
          return visitor.minute;
        },
      };
      const found = matchRules(compileRules(given), lookedUp, "UTC", 0);
      assert.equal(found, firstMatch(given, visitor));
      assert.ok(Math.max(asked.device, asked.country, asked.minute) <= 1);
    }),
    { numRuns: 2_000 },
  );
});

test("what no reached rule needs is not asked", () => {
  const never = (): never => assert.fail("asked for nothing");
  const rules = compileRules([
    { condition: "device", value: "ios", condition2: "country", value2: "DE", url: `${url}1` },
    { condition: "device", value: "android", url: `${url}2` },
    { condition: "country", value: "DE", url: `${url}3` },
  ]);
  const visitor = { device: () => "android" as const, country: never, minuteOfWeek: never };
  assert.equal(matchRules(rules, visitor, "UTC", 0), `${url}2`);
  assert.equal(matchRules(compileRules([]), { ...visitor, device: never }, "UTC", 0), null);
});

test("an unknown country matches no country rule", () => {
  const rules = compileRules(
    assignedCountries.slice(0, 20).map((value) => ({ condition: "country", value, url })),
  );
  const visitor = { device: () => "ios" as const, country: () => null, minuteOfWeek: () => 0 };
  assert.equal(matchRules(rules, visitor, "UTC", 0), null);
});

test("the countries are the 249 that have a name", () => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  assert.equal(new Set(assignedCountries).size, 249);
  for (const code of assignedCountries) assert.ok(names.of(code) !== undefined, code);
});
