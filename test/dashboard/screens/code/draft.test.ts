/** What an edited code asks the service to change: that which is different, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, draftOfCode } from "../../../../src/dashboard/screens/code/draft.ts";
import { inUnit, looksOf, readLooks } from "../../../../src/dashboard/screens/code/looks/looks.ts";
import {
  draftOf,
  isWhole,
  newRule,
  ruleOf,
} from "../../../../src/dashboard/screens/code/rules/rule-draft.ts";
import type { RedirectRule } from "../../../../src/domain/documents.ts";
import { defaultMetadata } from "../../../../src/domain/looks/render-metadata.ts";
import { answerExamples } from "../../../../src/openapi/examples.ts";
import type { Code } from "../../../../src/schema/responses.ts";

const code = answerExamples.code as unknown as Code;
const url = "https://example.com/";
const rules: RedirectRule[] = [
  { condition: "device", value: "ios", url },
  { condition: "country", value: "DE", url },
  { condition: "device", value: "android", condition2: "country", value2: "FR", url },
  {
    condition: "schedule",
    schedule_days: ["mon", "sun"],
    schedule_start: "08:00",
    schedule_end: "23:59",
    url,
  },
];

test("a code that is only looked at has nothing to save", () => {
  for (const each of [
    code,
    { ...code, redirect_rules: rules, scan_limit: 5, expires_at: "2030-01-01T00:00:00.000Z" },
  ]) {
    assert.equal(changesOf(draftOfCode(each), each).body, null);
  }
});

test("each field that is changed is told alone", () => {
  const draft = draftOfCode(code);
  assert.deepEqual(changesOf({ ...draft, label: " Other " }, code).body, { label: "Other" });
  assert.deepEqual(changesOf({ ...draft, limit: "10" }, code).body, { scan_limit: 10 });
  assert.deepEqual(changesOf({ ...draft, expiry: "2030-01-01T00:00" }, code).body, {
    expires_at: "2030-01-01T00:00:00.000Z",
  });
  const limited = { ...code, scan_limit: 10, redirect_rules: rules };
  assert.deepEqual(changesOf({ ...draftOfCode(limited), limit: "", rules: [] }, limited).body, {
    scan_limit: null,
    redirect_rules: null,
  });
});

test("rules are the same after they were edited and left as they were; a second condition may stand first", () => {
  assert.deepEqual(
    rules.map((rule) => ruleOf(draftOf(rule))),
    rules,
  );
  const turned: RedirectRule = {
    condition: "country",
    value: "FR",
    condition2: "device",
    value2: "android",
    url,
  };
  assert.deepEqual(ruleOf(draftOf(turned)), rules[2]);
});

test("a rule is whole when all that its kind asks for is there", () => {
  const rule = { ...newRule(), url };
  assert.ok(isWhole(rule));
  assert.ok(!isWhole(newRule()));
  assert.ok(!isWhole({ ...rule, kind: "country" }));
  assert.ok(isWhole({ ...rule, kind: "both", country: "DE" }));
  assert.ok(!isWhole({ ...rule, kind: "schedule", days: [] }));
});

test("looks are read by the service's rules: the other side follows, and what is wrong is named", () => {
  const looks = looksOf(defaultMetadata);
  assert.equal(readLooks(looks, defaultMetadata).changes, null);
  const wide = readLooks({ ...looks, format_ratio: "16:9" }, defaultMetadata);
  assert.deepEqual(wide.changes, { format_ratio: "16:9" });
  assert.equal(wide.metadata.height, 288);
  const half = readLooks({ ...looks, numbers: { ...looks.numbers, width: "" } }, defaultMetadata);
  assert.equal(half.problem?.field, "qr_render_metadata.width");
  const pale = readLooks({ ...looks, foreground_color: "#eeeeee" }, defaultMetadata);
  assert.equal(pale.problem?.field, "qr_render_metadata.foreground_color");
});

test("another unit keeps the size", () => {
  const looks = inUnit(
    { ...looksOf(defaultMetadata), numbers: { width: "600", padding: "30", quiet_zone: "4", dpi: "300" } },
    "mm",
  );
  assert.equal(looks.numbers.width, "50.8");
  assert.equal(looks.numbers.padding, "2.5");
  assert.equal(inUnit(looks, "px").numbers.width, "600");
});
