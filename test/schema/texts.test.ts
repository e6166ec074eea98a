import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newCodeText } from "../../src/api/code-texts.ts";
import { presentNewCode } from "../../src/api/present.ts";
import { firstRender } from "../../src/domain/code/render-state.ts";
import type { CodeDoc, RedirectRule, RenderState, Weekday } from "../../src/domain/documents.ts";
import { defaultMetadata, normaliseMetadata } from "../../src/domain/looks/render-metadata.ts";
import { documentText, plainNewCode } from "../../src/schema/texts.ts";
import { sampleAccount, sampleCode } from "../fakes/sample-documents.ts";

const text = fc.string({ unit: "binary" });
const moment = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const publicUrl = "https://qr.example.com";

const rule: fc.Arbitrary<RedirectRule> = fc.oneof(
  fc.record({ condition: fc.constant("device" as const), value: fc.constant("ios" as const), url: text }),
  fc.record({
    condition: fc.constant("country" as const),
    value: text,
    condition2: fc.constant("device" as const),
    value2: fc.constant("android" as const),
    url: text,
  }),
  fc.record({
    condition: fc.constant("schedule" as const),
    schedule_days: fc.constant<Weekday[]>(["mon", "sun"]),
    schedule_start: text,
    schedule_end: text,
    url: text,
  }),
);

const code: fc.Arbitrary<CodeDoc> = fc
  .record({
    id: text,
    slug: text,
    label: text,
    redirect_url: text,
    text: fc.option(text),
    redirect_rules: fc.array(rule, { maxLength: 3 }),
    // Moments that are shown have to be some that a date can tell.
    expires_at: fc.option(fc.integer({ min: 0, max: 4_000_000_000_000 })),
    scan_limit: fc.option(moment),
    analytics_enabled: fc.boolean(),
    metadata: fc.constantFrom(
      defaultMetadata,
      { ...defaultMetadata },
      normaliseMetadata("looks", { dot_style: "dots", padding: 1.5, bg_transparent: true }, null),
    ),
  })
  .map((fields) => sampleCode(fields));

/** With nothing of what most people leave out. */
const plain = sampleCode({
  redirect_rules: [],
  metadata: defaultMetadata,
  render: firstRender(1_700_000_000_000),
});

const plainCode: fc.Arbitrary<CodeDoc> = fc
  .record({
    id: text,
    account_id: text,
    project_id: text,
    slug: text,
    label: text,
    type: fc.constantFrom("url" as const, "dynamic_url" as const),
    redirect_url: text,
    created_at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    updated_at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    render: fc.integer({ min: 0, max: 4_000_000_000_000 }).map(firstRender),
  })
  .map((fields) => ({ ...plain, ...fields }));

/** Each in its turn takes the place of what a plain code has there. */
const others: { [Field in keyof Omit<CodeDoc, "render">]: CodeDoc[Field] } = {
  id: "qr_2",
  account_id: "acc_2",
  project_id: "prj_2",
  slug: "qr-aaaaaaaaaa",
  label: "Table 8",
  type: "text",
  status: "archived",
  blocked: true,
  redirect_url: "https://example.com/other",
  text: "hello",
  redirect_rules: [{ condition: "device", value: "ios", url: "https://example.com/ios" }],
  expires_at: 1_800_000_000_000,
  scan_limit: 5,
  analytics_enabled: false,
  metadata: normaliseMetadata("looks", { dot_style: "dots" }, null),
  created_at: 1,
  updated_at: 2,
};

const otherRenders: RenderState = {
  status: "error",
  version: 2,
  requested_at: null,
  attempt: 1,
  error: "no ink",
  rendered_at: 3,
  rendered_version: 1,
  svg: "abc",
  png: "def",
};

const nearlyPlain: CodeDoc[] = [
  ...Object.entries(others).map(([field, value]) => ({ ...plain, [field]: value })),
  ...Object.entries(otherRenders).map(([field, value]) => ({
    ...plain,
    render: { ...plain.render, [field]: value },
  })),
];

function assertStoredWhole(doc: CodeDoc): void {
  const { metadata, ...rest } = doc;
  const stored = metadata === defaultMetadata ? rest : doc;
  assert.deepEqual(JSON.parse(documentText("codes", doc)), JSON.parse(JSON.stringify(stored)));
}

function assertAnsweredWhole(doc: CodeDoc): void {
  const shown = presentNewCode(doc, publicUrl);
  assert.deepEqual(JSON.parse(`{${newCodeText(doc, publicUrl)}`), JSON.parse(JSON.stringify(shown)));
}

test("a code as it is stored is what JSON makes of it, whatever it says, but for looks that nobody asked for", () => {
  fc.assert(fc.property(fc.oneof(code, plainCode), assertStoredWhole));
});

test("the fields of a create's answer are what JSON makes of them", () => {
  fc.assert(fc.property(fc.oneof(code, plainCode), assertAnsweredWhole));
});

test("a code that is plain but for one field is stored and answered with it", () => {
  assert.notEqual(plainNewCode(plain), null);
  for (const doc of [plain, ...nearlyPlain]) {
    assertStoredWhole(doc);
    assertAnsweredWhole(doc);
  }
});

test("so are documents of other collections", () => {
  const account = sampleAccount({ name: 'A "name"' });
  assert.deepEqual(JSON.parse(documentText("accounts", account)), account);
});

test("looks that nobody asked for are one object, which nobody can change", () => {
  assert.equal(normaliseMetadata("looks", {}, null), defaultMetadata);
  assert.ok(Object.isFrozen(defaultMetadata));
});

test("the looks that are not stored stay what they were when they were left out", () => {
  assert.deepEqual(defaultMetadata, {
    format_ratio: "1:1",
    width: 512,
    height: 512,
    unit: "px",
    padding: 0,
    quiet_zone: 4,
    border_style: "none",
    dot_style: "square",
    eye_style: "square",
    foreground_color: "#000000",
    background_color: "#ffffff",
    bg_transparent: false,
    error_correction: "M",
    dpi: 300,
    export_png: true,
    output_alignment: "center",
  });
});
