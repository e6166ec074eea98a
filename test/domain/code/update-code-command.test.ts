import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askAgain,
  firstRender,
  putToRest,
  rendered,
  renderFailed,
  wake,
} from "../../../src/domain/code/render-state.ts";
import { updateCode } from "../../../src/domain/code/update-code.ts";
import type { CodeDoc } from "../../../src/domain/documents.ts";
import type { UpdateCodeBody } from "../../../src/domain/requests.ts";
import {
  applied,
  assertRefusal,
  type Belongings,
  commandTime as now,
  refusalOf,
} from "../../fakes/account-view.ts";
import { markingRules } from "../../fakes/field-rules.ts";
import { sampleAccount, sampleCode, sampleRender } from "../../fakes/sample-documents.ts";

const url = "https://example.com/new";
const evil = "https://evil.com/";
const archived = sampleCode({ status: "archived", render: putToRest(sampleRender("done")) });

function update(code: CodeDoc, body: UpdateCodeBody, owned: Belongings = {}) {
  return applied(updateCode(code.id, body, markingRules), {
    codes: [code],
    account: { active_codes: 5 },
    ...owned,
  });
}

test("a code that is not the account's is not found", () => {
  assertRefusal(/^qr_not_found: /, () => update(sampleCode(), {}, { codes: [] }));
});

test("a body that changes nothing writes nothing and leaves the time of the last change", () => {
  const code = sampleCode({ label: "Same", redirect_url: `${url}#checked` });
  for (const body of [
    {},
    { label: "Same" },
    { redirect_url: url },
    { status: "active" },
  ] as UpdateCodeBody[]) {
    const { answer, writes } = update(code, body);
    assert.equal(answer, code);
    assert.deepEqual(writes, []);
  }
  assert.deepEqual(update(archived, { status: "archived" }), { answer: archived, writes: [] });
});

test("a change replaces what it names, keeps the rest, and is dated", () => {
  const code = sampleCode({ expires_at: 5, scan_limit: 6 });
  const rule = { condition: "country", value: "DE", url } as const;
  const cases: [UpdateCodeBody, Partial<CodeDoc>][] = [
    [{ label: "L" }, { label: "L" }],
    [{ name: "N" }, { label: "N" }],
    [{ name: "N", label: "L" }, { label: "L" }],
    [{ expires_at: null }, { expires_at: null }],
    [{ expires_at: "2032-01-01T00:00:00Z" }, { expires_at: Date.UTC(2032, 0, 1) }],
    [{ scan_limit: null }, { scan_limit: null }],
    [{ scan_limit: 9 }, { scan_limit: 9 }],
    [{ redirect_rules: null }, { redirect_rules: [] }],
    [{ redirect_rules: [rule] }, { redirect_rules: [{ ...rule, url: `${url}#checked` }] }],
  ];
  for (const [body, expected] of cases) {
    const { answer, writes } = update(code, body);
    assert.deepEqual(answer, { ...code, ...expected, updated_at: now });
    assert.deepEqual(writes, [{ collection: "codes", put: answer }]);
  }
});

test("a new target or new looks ask for a new picture; other changes do not", () => {
  const code = sampleCode();
  const moved = update(code, { redirect_url: url }).answer;
  assert.equal(moved.redirect_url, `${url}#checked`);
  assert.deepEqual(moved.render, askAgain(code.render, now));
  const looks = update(code, { qr_render_metadata: { quiet_zone: 8 } }).answer;
  assert.deepEqual(looks.metadata, { ...code.metadata, quiet_zone: 8 });
  assert.deepEqual(looks.render, askAgain(code.render, now));
  assert.deepEqual(update(code, { qr_render_metadata: {} }).writes, []);
  assert.deepEqual(update(code, { label: "other" }).answer.render, code.render);
});

test("a change that needs no new picture leaves a waiting or failed request for one as it is", () => {
  for (const render of [firstRender(1), renderFailed(firstRender(1), "no memory", true)]) {
    for (const status of ["active", "blocked"] as const) {
      assert.deepEqual(update(sampleCode({ status, render }), { label: "other" }).answer.render, render);
    }
  }
});

test("looks under which the code could not be scanned are refused", () => {
  const text = sampleCode({ type: "text", redirect_url: "", redirect_rules: [], text: "ü".repeat(700) });
  const high = { qr_render_metadata: { error_correction: "H" } } as const;
  assertRefusal(/^invalid_request: text is too long/, () => update(text, high));
  const link = sampleCode({ slug: "s".repeat(1300) });
  assertRefusal(/^invalid_request: qr_render_metadata\.error_correction is too long/, () =>
    update(link, high),
  );
  const tiny = { qr_render_metadata: { width: 64 } };
  assertRefusal(/^invalid_request: qr_render_metadata\.width /, () => update(sampleCode(), tiny));
});

test("the target can be changed for type url only", () => {
  for (const type of ["dynamic_url", "text"] as const) {
    const refusal = refusalOf(() => update(sampleCode({ type }), { redirect_url: url }));
    assert.match(refusal, new RegExp(`^invalid_request: redirect_url can only .*"${type}"$`));
    assert.equal(update(sampleCode({ type }), { label: "x" }).answer.label, "x");
  }
});

test("archiving rests the picture and frees a place, reactivating takes one and wakes it", () => {
  const code = sampleCode();
  const gone = update(code, { status: "archived" });
  assert.deepEqual(gone.answer, {
    ...code,
    status: "archived",
    render: putToRest(code.render),
    updated_at: now,
  });
  assert.deepEqual(gone.writes, [
    { collection: "codes", put: gone.answer },
    { collection: "accounts", put: sampleAccount({ active_codes: 4 }) },
  ]);
  const back = update(archived, { status: "active" });
  assert.deepEqual(back.answer, { ...archived, status: "active", render: code.render, updated_at: now });
  assert.deepEqual(back.writes, [
    { collection: "codes", put: back.answer },
    { collection: "accounts", put: sampleAccount({ active_codes: 6 }) },
  ]);
});

test("a code changed while archived is drawn again when it comes back, not before", () => {
  const changed = update(archived, { redirect_url: url }).answer;
  assert.equal(changed.render.status, "idle");
  const back = update(changed, { status: "active" }).answer;
  assert.equal(back.render.status, "staging");
  assert.equal(rendered(back.render, { svg: "s", png: null }, now).status, "done");
  assert.deepEqual(
    update(archived, { redirect_url: url, status: "active" }).answer.render,
    wake(changed.render, now),
  );
});

test("reactivating needs room under the cap; archiving and other changes do not", () => {
  const full: Belongings = { account: { limits: { qr_cap: 5 }, active_codes: 5 } };
  assertRefusal(/^quota_exceeded_qr: .*\b5\b/, () => update(archived, { status: "active" }, full));
  const roomy: Belongings = { account: { limits: { qr_cap: 5 }, active_codes: 4 } };
  assert.equal(update(archived, { status: "active" }, roomy).answer.status, "active");
  for (const body of [{ status: "active" }, { status: "archived" }, { label: "x" }] as UpdateCodeBody[]) {
    assert.doesNotThrow(() => update(sampleCode(), body, full));
  }
});

test("a blocked code can be archived, which frees no place, but not activated", () => {
  const blocked = sampleCode({ status: "blocked" });
  assertRefusal(/^feature_disabled: .*blocked/, () => update(blocked, { status: "active" }));
  const { answer, writes } = update(blocked, { status: "archived" });
  assert.equal(answer.status, "archived");
  assert.deepEqual(writes, [{ collection: "codes", put: answer }]);
});

test("new targets must be safe", () => {
  const rules = [{ condition: "device", value: "ios", url: evil }] as const;
  assertRefusal("unsafe_url: redirect_url is evil", () => update(sampleCode(), { redirect_url: evil }));
  const refusal = refusalOf(() => update(sampleCode(), { redirect_rules: [...rules] }));
  assert.equal(refusal, "unsafe_url: redirect_rules[0].url is evil");
});

test("the targets that a code keeps must be safe when it comes back, and only then", () => {
  const rules = [{ condition: "device", value: "ios", url: evil }] as CodeDoc["redirect_rules"];
  const badTarget = { ...archived, redirect_url: evil };
  const badRule = { ...archived, redirect_rules: rules };
  const refused = (code: CodeDoc, body: UpdateCodeBody) =>
    refusalOf(() => update(code, { status: "active", ...body }));
  assert.equal(refused(badTarget, {}), "unsafe_url: redirect_url is evil");
  assert.equal(refused(badTarget, { redirect_url: url }), "accepted");
  assert.equal(refused(badRule, {}), "unsafe_url: redirect_rules[0].url is evil");
  assert.equal(refused(badRule, { redirect_rules: [] }), "accepted");
  assert.equal(refused({ ...badTarget, type: "text", text: "x" }, {}), "accepted");
  for (const code of [badTarget, badRule]) {
    assert.doesNotThrow(() => update(code, { label: "x" }));
    assert.doesNotThrow(() => update({ ...code, status: "active" }, { status: "archived" }));
    assert.doesNotThrow(() => update({ ...code, status: "active" }, { status: "active" }));
  }
});

test("the order of refusals: type, looks, plan, status, safety", () => {
  const blocked = sampleCode({ status: "blocked" });
  const body: UpdateCodeBody = {
    redirect_url: evil,
    qr_render_metadata: { width: 63 },
    scan_limit: 1,
    status: "active",
  };
  const onFree: Belongings = { account: { plan: "free" } };
  assertRefusal(/^invalid_request: redirect_url/, () => update({ ...blocked, type: "text" }, body, onFree));
  assertRefusal(/^invalid_request: qr_render_metadata\.width/, () => update(blocked, body, onFree));
  const { qr_render_metadata: _, ...drawable } = body;
  assertRefusal(/^feature_disabled: .*scan_limit/, () => update(blocked, drawable, onFree));
  assertRefusal(/^feature_disabled: .*blocked/, () => update(blocked, drawable));
  assertRefusal(/^unsafe_url: redirect_url/, () => update(archived, drawable));
});

test("the text of a text code may be sent again, not another one; a code that has none takes none", () => {
  const text = sampleCode({ type: "text", text: "Locker 17", redirect_url: "", redirect_rules: [] });
  const { answer, writes } = update(text, { text: "Locker 17" });
  assert.deepEqual([answer, writes], [text, []]);
  assert.equal(update(text, { text: "Locker 17", label: "Desk" }).answer.label, "Desk");
  assertRefusal(/^invalid_request: text cannot be changed/, () =>
    update(text, { text: "Locker 18", label: "Desk" }),
  );
  for (const type of ["url", "dynamic_url"] as const) {
    assertRefusal(
      new RegExp(`^invalid_request: text is only for codes of type "text", this code is "${type}"`),
      () => update(sampleCode({ type }), { text: "Locker 17" }),
    );
  }
});
