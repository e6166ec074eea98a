import assert from "node:assert/strict";
import { test } from "node:test";
import { deferUnsafe, fieldsOf, refuseUnscannable } from "../../../src/domain/code/code-fields.ts";
import { ApiError, invalidField } from "../../../src/domain/errors.ts";
import { defaultMetadata } from "../../../src/domain/looks/render-metadata.ts";
import { markingRules } from "../../fakes/field-rules.ts";
import { scheduleRule } from "../../fakes/sample-documents.ts";

const url = "https://example.com/";
const rule = (target: string) => ({ condition: "device", value: "ios", url: target }) as const;

test("only the fields that were given are there, and null clears", () => {
  assert.deepEqual(fieldsOf({}, markingRules), { unsafe: null });
  assert.deepEqual(fieldsOf({ redirect_rules: null }, markingRules), { unsafe: null, redirect_rules: [] });
  assert.deepEqual(fieldsOf({ expires_at: null }, markingRules), { unsafe: null, expires_at: null });
  assert.deepEqual(fieldsOf({ scan_limit: null }, markingRules), { unsafe: null, scan_limit: null });
  const given = { redirect_rules: [rule(url)], expires_at: "2030-01-01T00:00:00Z", scan_limit: 2 };
  assert.deepEqual(fieldsOf(given, markingRules), {
    unsafe: null,
    redirect_rules: [rule(`${url}#checked`)],
    expires_at: Date.UTC(2030, 0, 1),
    scan_limit: 2,
  });
});

test("a bad field is refused under its name", () => {
  assert.throws(() => fieldsOf({ expires_at: "soon" }, markingRules), /^ApiError: expires_at /);
  const schedule = scheduleRule(["mon"], "10:00", "09:00", url);
  const given = { redirect_rules: [{ ...schedule, schedule_days: [...schedule.schedule_days] }] };
  assert.throws(() => fieldsOf(given, markingRules), /^ApiError: redirect_rules\[0\]\.schedule_start /);
});

test("the first unsafe target of the rules is the one that is told", () => {
  const targets = ["https://a.com/", "https://evil.com/1", "https://b.com/", "https://evil.com/2"];
  const { unsafe } = fieldsOf({ redirect_rules: targets.map(rule) }, markingRules);
  assert.equal(unsafe?.message, "redirect_rules[1].url is evil");
});

test("a refusal for safety is handed back, any other is thrown", () => {
  const unsafe = new ApiError("unsafe_url", "redirect_url is evil");
  const check = deferUnsafe((path, value) => {
    if (value === "evil") throw unsafe;
    if (value === "broken") throw new TypeError("a fault of ours");
    if (value === "") throw invalidField(path, "must not be empty");
    return `${path}=${value}`;
  });
  assert.deepEqual(check("redirect_url", "good"), { href: "redirect_url=good", unsafe: null });
  assert.deepEqual(check("redirect_url", "evil"), { href: "evil", unsafe });
  assert.throws(() => check("redirect_url", ""), /^ApiError: redirect_url must not be empty$/);
  assert.throws(() => check("redirect_url", "broken"), TypeError);
});

test("content that no symbol holds is refused under the field that can be changed", () => {
  const metadata = { ...defaultMetadata, width: 4000, height: 4000, error_correction: "H" } as const;
  refuseUnscannable(metadata, "x".repeat(1273), "text");
  const tooLong = "x".repeat(1274);
  assert.throws(() => refuseUnscannable(metadata, tooLong, "text"), /^ApiError: text is too long .* H$/);
  const field = /^ApiError: qr_render_metadata\.error_correction is too long .* H$/;
  assert.throws(() => refuseUnscannable(metadata, tooLong, null), field);
});

test("a symbol that is too fine for its canvas is refused", () => {
  const metadata = { ...defaultMetadata, width: 64, height: 64 };
  assert.throws(() => refuseUnscannable(metadata, url, null), /^ApiError: qr_render_metadata\.width /);
  refuseUnscannable({ ...metadata, quiet_zone: 0 }, url, null);
});
