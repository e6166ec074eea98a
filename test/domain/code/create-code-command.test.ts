import assert from "node:assert/strict";
import { test } from "node:test";
import { createCode } from "../../../src/domain/code/create-code.ts";
import { firstRender } from "../../../src/domain/code/render-state.ts";
import { codeStatuses, madeByApi } from "../../../src/domain/documents.ts";
import { defaultMetadata } from "../../../src/domain/looks/render-metadata.ts";
import type { CreateCodeBody } from "../../../src/domain/requests.ts";
import {
  applied,
  assertRefusal,
  type Belongings,
  countedRandom,
  commandTime as now,
  refusalOf,
} from "../../fakes/account-view.ts";
import { markingRules } from "../../fakes/field-rules.ts";
import { sampleAccount, sampleProject } from "../../fakes/sample-documents.ts";

const url = "https://example.com/menu";
const evil = "https://evil.com/";
const command = (body: CreateCodeBody) =>
  createCode(body, markingRules, { slug: "qr-new", random: countedRandom });
const create = (body: CreateCodeBody, owned?: Belongings) => applied(command(body), owned);

test("a new code is active, waits for its first picture, and counts as one more", () => {
  const { answer, writes } = create({ redirect_url: url }, { account: { active_codes: 3 } });
  assert.match(answer.id, /^qr_/);
  assert.deepEqual(answer, {
    id: answer.id,
    account_id: "acc_1",
    project_id: "prj_1",
    slug: "qr-new",
    label: "example.com",
    type: "url",
    status: "active",
    blocked: false,
    redirect_url: `${url}#checked`,
    text: null,
    redirect_rules: [],
    expires_at: null,
    scan_limit: null,
    analytics_enabled: true,
    metadata: defaultMetadata,
    render: firstRender(now),
    created_at: now,
    updated_at: now,
  });
  assert.deepEqual(writes, [
    { collection: "codes", put: answer, isNew: true },
    { collection: "accounts", put: sampleAccount({ active_codes: 4 }) },
  ]);
});

test("a code takes all that it is given", () => {
  const { answer } = create({
    type: "dynamic_url",
    name: "Menu",
    label: "not taken",
    redirect_url: url,
    redirect_rules: [{ condition: "device", value: "ios", url }],
    expires_at: "2032-01-01T00:00:00Z",
    scan_limit: 7,
    qr_render_metadata: { quiet_zone: 6 },
  });
  assert.deepEqual(
    [answer.type, answer.label, answer.expires_at, answer.scan_limit, answer.metadata.quiet_zone],
    ["dynamic_url", "Menu", Date.UTC(2032, 0, 1), 7, 6],
  );
  assert.deepEqual(answer.redirect_rules, [{ condition: "device", value: "ios", url: `${url}#checked` }]);
  assert.equal(create({ redirect_url: url, label: "Label" }).answer.label, "Label");
});

test("a text code holds its text and no URL", () => {
  const { answer } = create({ type: "text", text: "hello", qr_data: { text: "not taken" } });
  assert.deepEqual(
    [answer.type, answer.redirect_url, answer.text, answer.label],
    ["text", "", "hello", "hello"],
  );
  assert.equal(create({ type: "text", qr_data: { text: "by data" } }).answer.text, "by data");
  assert.equal(create({ type: "text", redirect_url: "", text: "x" }).answer.redirect_url, "");
});

test("the label of a text code is its first 40 characters, of others the host, at most 200 characters", () => {
  assert.equal(create({ type: "text", text: `${"😀".repeat(40)}y` }).answer.label, "😀".repeat(40));
  const host = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.com`;
  assert.equal(create({ redirect_url: `https://${host}/` }).answer.label, host.slice(0, 200));
});

test("a field that the type needs is required, one that it cannot have is refused", () => {
  const cases: [CreateCodeBody, RegExp][] = [
    [{}, /^invalid_request: redirect_url is required when type is "url"$/],
    [{ redirect_url: "" }, /^invalid_request: redirect_url is required/],
    [{ type: "dynamic_url" }, /^invalid_request: redirect_url is required when type is "dynamic_url"$/],
    [{ type: "text" }, /^invalid_request: text is required/],
    [{ type: "text", text: "" }, /^invalid_request: text is required/],
    [{ type: "text", text: "x", redirect_url: url }, /^invalid_request: redirect_url must not be set/],
    [{ redirect_url: url, text: "x" }, /^invalid_request: text must not be set when type is "url"$/],
    [{ redirect_url: url, expires_at: "soon" }, /^invalid_request: expires_at /],
    [
      { redirect_url: url, qr_render_metadata: { width: 63 } },
      /^invalid_request: qr_render_metadata\.width /,
    ],
  ];
  for (const [body, refusal] of cases) assertRefusal(refusal, () => command(body));
});

test("what cannot be drawn so that a camera reads it is refused before anything is asked of the account", () => {
  const long = { type: "text", text: "x".repeat(1000), qr_render_metadata: { width: 64 } } as const;
  assertRefusal(/^invalid_request: qr_render_metadata\.width /, () => command(long));
  const full = {
    type: "text",
    text: "ü".repeat(700),
    qr_render_metadata: { error_correction: "H" },
  } as const;
  assertRefusal(/^invalid_request: text is too long/, () => command(full));
  const link = { redirect_url: url, qr_render_metadata: { width: 64 } };
  assertRefusal(/^invalid_request: qr_render_metadata\.width /, () => command(link));
});

test("a link that no symbol holds is told from a text that none does", () => {
  const rules = { ...markingRules, linkTo: () => "x".repeat(1300) };
  const body: CreateCodeBody = { redirect_url: url, qr_render_metadata: { error_correction: "H" } };
  const refusal = refusalOf(() => createCode(body, rules, { slug: "qr-new", random: countedRandom }));
  assert.match(refusal, /^invalid_request: qr_render_metadata\.error_correction is too long/);
});

test("every type of the API can be created, and a code has one of three statuses", () => {
  assert.deepEqual(madeByApi, ["url", "dynamic_url", "text"]);
  for (const type of madeByApi) {
    const body = type === "text" ? { type, text: "x" } : { type, redirect_url: url };
    assert.equal(create(body).answer.type, type);
  }
  assert.deepEqual(codeStatuses, ["active", "archived", "blocked"]);
});

test("a code goes into the project it names, otherwise into the account's default one", () => {
  const owned = { projects: [sampleProject(), sampleProject({ id: "prj_2" })] };
  assert.equal(create({ redirect_url: url, project_id: "prj_2" }, owned).answer.project_id, "prj_2");
  const moved = { ...owned, account: { default_project_id: "prj_2" } };
  assert.equal(create({ redirect_url: url }, moved).answer.project_id, "prj_2");
});

test("the order of refusals: plan, advanced fields, project, archived project, cap, target, targets of rules", () => {
  const body: CreateCodeBody = {
    redirect_url: evil,
    project_id: "prj_2",
    scan_limit: 1,
    redirect_rules: [
      { condition: "device", value: "ios", url: "https://evil.com/1" },
      { condition: "device", value: "ios", url: "https://evil.com/2" },
    ],
  };
  const archived = [sampleProject({ id: "prj_2", is_archived: true })];
  const open = [sampleProject({ id: "prj_2" })];
  const full = { limits: { qr_cap: 5 }, active_codes: 5 };
  const over = { limits: { qr_cap: 5 }, active_codes: 6 };
  const safe = { ...body, redirect_url: url };
  const steps: [CreateCodeBody, Belongings, RegExp][] = [
    [body, { account: { ...full, plan: "viewer" } }, /^feature_disabled: .*creating/],
    [body, { account: { ...full, plan: "free" } }, /^feature_disabled: .*redirect_rules/],
    [body, { account: full }, /^project_not_found: /],
    [body, { account: full, projects: archived }, /^project_forbidden: /],
    [body, { account: full, projects: open }, /^quota_exceeded_qr: .*\b5\b/],
    [body, { account: over, projects: open }, /^quota_exceeded_qr: .*\b5\b/],
    [body, { projects: open }, /^unsafe_url: redirect_url is evil$/],
    [safe, { projects: open }, /^unsafe_url: redirect_rules\[0\]\.url is evil$/],
    [
      { ...safe, redirect_rules: [] },
      { projects: open, account: { ...full, active_codes: 4 } },
      /^accepted$/,
    ],
  ];
  for (const [given, owned, refusal] of steps) assertRefusal(refusal, () => create(given, owned));
});

test("without the plan for it no advanced field can be set, and each can be cleared", () => {
  const onFree: Belongings = { account: { plan: "free" } };
  const set: CreateCodeBody[] = [
    { redirect_rules: [{ condition: "device", value: "ios", url }] },
    { expires_at: "2032-01-01T00:00:00Z" },
    { scan_limit: 1 },
  ];
  for (const field of set) {
    const [name] = Object.keys(field);
    const refusal = refusalOf(() => create({ redirect_url: url, ...field }, onFree));
    const having = "Plans that do: agency, enterprise.";
    assert.equal(refusal, `feature_disabled: The plan "free" does not include ${name}. ${having}`);
  }
  const cleared: CreateCodeBody[] = [
    { redirect_rules: null },
    { redirect_rules: [] },
    { expires_at: null },
    { scan_limit: null },
  ];
  for (const field of cleared) {
    const { answer } = create({ redirect_url: url, ...field }, onFree);
    assert.deepEqual([answer.redirect_rules, answer.expires_at, answer.scan_limit], [[], null, null]);
  }
});
