import assert from "node:assert/strict";
import { test } from "node:test";
import { openapiDocument } from "../../../src/api/operations.ts";
import { parsers } from "../../../src/schema/validators.ts";
import { assertRefusal, refusalOf } from "../../fakes/account-view.ts";
import { scheduleRule } from "../../fakes/sample-documents.ts";

const redirect_url = "https://example.com/";
const url = "https://example.com/rule";
const device = { condition: "device", value: "ios", url } as const;
const country = { condition: "country", value: "DE", url } as const;
const schedule = scheduleRule(["mon"], "09:00", "17:00", url);

/** Every optional field of a shape as the document lists it, with null. */
function nulls(component: string): Record<string, null> {
  const { properties, required = [] } = openapiDocument("https://qr.test").components.schemas[component]!;
  const optional = Object.entries(properties!).filter(([name]) => !required.includes(name));
  for (const [name, property] of optional) assert.equal(property.nullable, true, `${component}.${name}`);
  return Object.fromEntries(optional.map(([name]) => [name, null]));
}

test("null in a create is the same as leaving the field out, for every optional field", () => {
  const code = { ...nulls("CreateCodeBody"), redirect_url };
  assert.ok(Object.keys(code).length > 10);
  assert.deepEqual(parsers.CreateCodeBody(code), { redirect_url });
  assert.deepEqual(parsers.CreateProjectBody({ ...nulls("CreateProjectBody"), name: "x" }), { name: "x" });
  assert.deepEqual(parsers.CreateAccountBody({ name: "x", plan: null, timezone: null }), { name: "x" });
  assert.deepEqual(parsers.CreateKeyBody({ name: null }), {});
});

test("so it is in a look and in raw data", () => {
  const looks = { ...nulls("RenderMetadataInput"), dpi: 300 };
  for (const parse of [parsers.CreateCodeBody, parsers.UpdateCodeBody]) {
    assert.deepEqual(parse({ redirect_url, qr_render_metadata: looks }), {
      redirect_url,
      qr_render_metadata: { dpi: 300 },
    });
  }
  assert.deepEqual(parsers.CreateCodeBody({ type: "text", qr_data: { text: "x", url: null } }), {
    type: "text",
    qr_data: { text: "x" },
  });
  const misspelt = { redirect_url, qr_render_metadata: { dot_stile: null } };
  assertRefusal(/^invalid_request: qr_render_metadata\.dot_stile /, () => parsers.CreateCodeBody(misspelt));
});

test("so it is in a rule of any shape, on create and in a change", () => {
  const none = { condition2: null, value2: null };
  const noWindow = { schedule_days: null, schedule_start: null, schedule_end: null };
  const given = [
    { ...device, ...none, ...noWindow },
    { ...country, ...none, ...noWindow },
    { ...schedule, value: null, ...none },
  ];
  for (const parse of [parsers.CreateCodeBody, parsers.UpdateCodeBody]) {
    assert.deepEqual(parse({ redirect_url, redirect_rules: given }), {
      redirect_url,
      redirect_rules: [device, country, schedule],
    });
  }
});

test("what is required cannot be null", () => {
  const refused = (parse: (body: unknown) => unknown, body: object) => refusalOf(() => parse(body));
  assert.match(refused(parsers.CreateProjectBody, { name: null }), /^invalid_request: name must be /);
  for (const [rule, field] of [
    [{ ...device, url: null }, "url"],
    [{ ...country, value: null }, "value"],
    [{ ...schedule, schedule_end: null }, "schedule_end"],
  ] as const) {
    const refusal = refused(parsers.CreateCodeBody, { redirect_url, redirect_rules: [rule] });
    assert.ok(refusal.startsWith(`invalid_request: redirect_rules[0].${field} must be `), refusal);
  }
});

test("in a change null clears rules, expiry and limit, and is refused elsewhere", () => {
  const cleared = { redirect_rules: null, expires_at: null, scan_limit: null };
  assert.deepEqual(parsers.UpdateCodeBody(cleared), cleared);
  for (const field of ["label", "name", "redirect_url", "text", "status", "qr_render_metadata"]) {
    const refusal = refusalOf(() => parsers.UpdateCodeBody({ [field]: null }));
    assert.ok(refusal.startsWith(`invalid_request: ${field} must be `), refusal);
  }
});

test("a key that every object inherits is a key like any other", () => {
  const body = JSON.parse('{"redirect_url":"https://example.com/","__proto__":null,"constructor":null}');
  assert.deepEqual(parsers.CreateCodeBody(body), { redirect_url });
});
