import assert from "node:assert/strict";
import test from "node:test";
import { scheduleRule } from "../../fakes/sample-documents.ts";
import { assertRefused } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { api } = server;

const url = "https://example.com/rule";
const device = { condition: "device", value: "ios", url };
const country = { condition: "country", value: "DE", url };
const schedule = scheduleRule(["mon", "fri"], "09:00", "17:30", url);

test("every shape is read back exactly as it was sent, in order", async () => {
  const redirect_rules = [
    device,
    { ...device, value: "android", condition2: "country", value2: "FR" },
    { ...device, value: "desktop" },
    country,
    { ...country, value: "JP", condition2: "device", value2: "ios" },
    schedule,
    { ...schedule, schedule_days: ["sun"], schedule_start: "00:00", schedule_end: "23:59" },
  ];
  const created = await api.createCode({ redirect_rules });
  assert.deepEqual(created.redirect_rules, redirect_rules);
  assert.deepEqual((await api.get(`/v1/qr-codes/${created.qr_id}`)).body.redirect_rules, redirect_rules);
  const turned = redirect_rules.toReversed();
  const patched = await api.patch(`/v1/qr-codes/${created.qr_id}`, { redirect_rules: turned }, 200);
  assert.deepEqual(patched.body.redirect_rules, turned);
});

test("a country is upper-cased, a URL normalised, a day kept once, an unknown key dropped", async () => {
  const { redirect_rules } = await api.createCode({
    redirect_rules: [
      { ...country, value: "de", note: "mine" },
      { ...device, condition2: "country", value2: "gb", url: "HTTPS://EXAMPLE.com/a b".replace(" ", "%20") },
      { ...schedule, schedule_days: ["tue", "tue", "wed"] },
    ],
  });
  assert.deepEqual(redirect_rules, [
    country,
    { ...device, condition2: "country", value2: "GB", url: "https://example.com/a%20b" },
    { ...schedule, schedule_days: ["tue", "wed"] },
  ]);
});

test("20 rules are taken, 21 are not", async () => {
  const rules = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...device, url: `${url}/${at}` }));
  const code = await api.createCode({ redirect_rules: rules(20) });
  assert.deepEqual(code.redirect_rules, rules(20));
  const named = /^redirect_rules .*20/;
  const body = { redirect_url: url, redirect_rules: rules(21) };
  assertRefused(await api.post("/v1/qr-codes", body), 400, "invalid_request", named);
  const patched = await api.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_rules: rules(21) });
  assertRefused(patched, 400, "invalid_request", named);
  assert.equal((await api.get(`/v1/qr-codes/${code.qr_id}`)).body.redirect_rules.length, 20);
});

const without = (rule: object, key: string) => ({ ...rule, [key]: undefined });
const malformed: [what: string, rule: unknown, place: string][] = [
  ["not an object", 7, ""],
  ["null", null, ""],
  ["a list", [], ""],
  ["no condition", { value: "ios", url }, ".condition"],
  ["an unknown condition", { ...device, condition: "language" }, ".condition"],
  ["no value", without(device, "value"), ".value"],
  ["an unknown device", { ...device, value: "tv" }, ".value"],
  ["a device in capitals", { ...device, value: "iOS" }, ".value"],
  ["a country of three letters", { ...country, value: "DEU" }, ".value"],
  ["a country that is not assigned", { ...country, value: "XX" }, ".value"],
  ["a country that is a number", { ...country, value: 49 }, ".value"],
  ["no url", without(device, "url"), ".url"],
  ["an empty url", { ...device, url: "" }, ".url"],
  ["a url that is none", { ...device, url: "example" }, ".url"],
  ["device with device", { ...device, condition2: "device", value2: "android" }, ".condition2"],
  ["country with country", { ...country, condition2: "country", value2: "FR" }, ".condition2"],
  ["device with schedule", { ...device, condition2: "schedule", value2: "x" }, ".condition2"],
  ["condition2 without value2", { ...device, condition2: "country" }, ".value2"],
  ["value2 without condition2", { ...device, value2: "FR" }, ".value2"],
  ["a second country that is not assigned", { ...device, condition2: "country", value2: "ZZ" }, ".value2"],
  ["a second device that is unknown", { ...country, condition2: "device", value2: "tv" }, ".value2"],
  ["a device rule with days", { ...device, schedule_days: ["mon"] }, ".schedule_days"],
  ["a country rule with a start", { ...country, schedule_start: "08:00" }, ".schedule_start"],
  ["a schedule with a value", { ...schedule, value: "ios" }, ".value"],
  ["a schedule with condition2", { ...schedule, condition2: "device" }, ".condition2"],
  ["a schedule with value2", { ...schedule, value2: "ios" }, ".value2"],
  ["no days", without(schedule, "schedule_days"), ".schedule_days"],
  ["an empty list of days", { ...schedule, schedule_days: [] }, ".schedule_days"],
  ["an unknown day", { ...schedule, schedule_days: ["mon", "someday"] }, ".schedule_days[1]"],
  ["a day in capitals", { ...schedule, schedule_days: ["MON"] }, ".schedule_days[0]"],
  ["no start", without(schedule, "schedule_start"), ".schedule_start"],
  ["no end", without(schedule, "schedule_end"), ".schedule_end"],
  ["a start of one digit", { ...schedule, schedule_start: "9:00" }, ".schedule_start"],
  ["an end after the day", { ...schedule, schedule_end: "24:00" }, ".schedule_end"],
  ["an end with seconds", { ...schedule, schedule_end: "17:00:00" }, ".schedule_end"],
  ["a start at the end", { ...schedule, schedule_start: "17:30" }, ".schedule_start"],
  [
    "a start after the end",
    { ...schedule, schedule_start: "22:00", schedule_end: "06:00" },
    ".schedule_start",
  ],
];

for (const [what, rule, place] of malformed) {
  test(`${what}: refused with the place of the mistake`, async () => {
    const code = await api.createCode();
    const redirect_rules = [country, rule];
    const start = `redirect_rules[1]${place} `;
    for (const answer of [
      await api.post("/v1/qr-codes", { redirect_url: url, redirect_rules }),
      await api.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_rules }),
    ]) {
      assertRefused(answer, 400, "invalid_request");
      assert.ok(answer.body.message.startsWith(start), answer.body.message);
    }
    assert.deepEqual((await api.get(`/v1/qr-codes/${code.qr_id}`)).body.redirect_rules, []);
  });
}
