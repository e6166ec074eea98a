import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blockCode,
  failRender,
  finishRender,
  type RenderedFiles,
  readCode,
  unblockCode,
} from "../../../src/domain/code/code-commands.ts";
import {
  askAgain,
  firstRender,
  putToRest,
  rendered,
  renderFailed,
} from "../../../src/domain/code/render-state.ts";
import type { CodeDoc, CodeStatus } from "../../../src/domain/documents.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import { applied, type Belongings, commandTime as now } from "../../fakes/account-view.ts";
import { markingRules } from "../../fakes/field-rules.ts";
import { sampleAccount, sampleCode } from "../../fakes/sample-documents.ts";

const coded = (code: string) => (cause: unknown) => cause instanceof ApiError && cause.code === code;
const withStatus = (status: CodeStatus): Belongings => ({
  codes: [sampleCode({ status })],
  account: { active_codes: 5 },
});
const evil = "https://evil.com/";

const svg = { hash: "s2", bytes: new Uint8Array([1]) };
const png = { hash: "p2", bytes: new Uint8Array([2]) };
const waiting = sampleCode({ render: firstRender(1) });
const drawn = sampleCode({ render: rendered(firstRender(1), { svg: "s1", png: "p1" }, 2) });
const redrawn = { ...drawn, render: askAgain(drawn.render, 3) };
const finish = (code: CodeDoc, files: RenderedFiles) =>
  applied(finishRender("qr_1", files), { codes: [code] });
const nothing = { answer: false, writes: [] };

test("an active or blocked code can be read, an archived or unknown one is not found", () => {
  for (const status of ["active", "blocked"] as const) {
    assert.deepEqual(applied(readCode("qr_1"), withStatus(status)), {
      answer: sampleCode({ status }),
      writes: [],
    });
  }
  assert.throws(() => applied(readCode("qr_1"), withStatus("archived")), coded("qr_not_found"));
  assert.throws(() => applied(readCode("qr_2"), withStatus("active")), coded("qr_not_found"));
});

test("the first pictures are stored and go into service with the code", () => {
  const { answer, writes } = finish(waiting, { version: 1, svg, png });
  assert.equal(answer, true);
  const render = rendered(waiting.render, { svg: "s2", png: "p2" }, now);
  assert.deepEqual(writes, [
    { collection: "codes", put: { ...waiting, render } },
    { collection: "files", put: { id: "qr_1/s2.svg", account_id: "acc_1", bytes: svg.bytes } },
    { collection: "files", put: { id: "qr_1/p2.png", account_id: "acc_1", bytes: png.bytes } },
  ]);
});

test("new pictures replace the old ones; one that came out the same stays as it is", () => {
  const files = finish(redrawn, { version: 2, svg, png }).writes.slice(1);
  assert.deepEqual(files, [
    { collection: "files", put: { id: "qr_1/s2.svg", account_id: "acc_1", bytes: svg.bytes } },
    { collection: "files", remove: "qr_1/s1.svg" },
    { collection: "files", put: { id: "qr_1/p2.png", account_id: "acc_1", bytes: png.bytes } },
    { collection: "files", remove: "qr_1/p1.png" },
  ]);
  const same = finish(redrawn, { version: 2, svg: { ...svg, hash: "s1" }, png: { ...png, hash: "p1" } });
  assert.deepEqual(same.writes.slice(1), []);
});

test("a code that wants no PNG any more loses its old one", () => {
  const { writes } = finish(redrawn, { version: 2, svg: { ...svg, hash: "s1" }, png: null });
  const render = rendered(redrawn.render, { svg: "s1", png: null }, now);
  assert.deepEqual(writes, [
    { collection: "codes", put: { ...redrawn, render } },
    { collection: "files", remove: "qr_1/p1.png" },
  ]);
  assert.equal(finish(waiting, { version: 1, svg, png: null }).writes.length, 2);
});

test("pictures that are not wanted any more are dropped, and so are their failures", () => {
  assert.deepEqual(finish(redrawn, { version: 1, svg, png }), nothing);
  assert.deepEqual(finish(drawn, { version: 1, svg, png }), nothing);
  const resting = { ...waiting, render: putToRest(waiting.render) };
  assert.deepEqual(finish(resting, { version: 1, svg, png }), nothing);
  assert.deepEqual(applied(finishRender("qr_1", { version: 1, svg, png })), nothing);
  assert.deepEqual(applied(failRender("qr_1", 1, "no", true), { codes: [redrawn] }), nothing);
});

test("a failure is noted with the code, for now or for good", () => {
  for (const final of [false, true]) {
    assert.deepEqual(applied(failRender("qr_1", 2, "no memory", final), { codes: [redrawn] }), {
      answer: true,
      writes: [
        {
          collection: "codes",
          put: { ...redrawn, render: renderFailed(redrawn.render, "no memory", final) },
        },
      ],
    });
  }
});

test("blocking takes an active code out of service and frees its place, once", () => {
  assert.deepEqual(applied(blockCode("qr_1"), withStatus("active")), {
    answer: true,
    writes: [
      { collection: "codes", put: sampleCode({ status: "blocked", updated_at: now }) },
      { collection: "accounts", put: sampleAccount({ active_codes: 4 }) },
    ],
  });
  for (const status of ["archived", "blocked"] as const) {
    assert.deepEqual(applied(blockCode("qr_1"), withStatus(status)), nothing);
  }
  assert.deepEqual(applied(blockCode("qr_2"), withStatus("active")), nothing);
});

test("unblocking puts a blocked code back into service, like a new one", () => {
  const unblocked = sampleCode({ status: "active", updated_at: now });
  assert.deepEqual(applied(unblockCode("qr_1", markingRules), withStatus("blocked")), {
    answer: unblocked,
    writes: [
      { collection: "codes", put: unblocked },
      { collection: "accounts", put: sampleAccount({ active_codes: 6 }) },
    ],
  });
  for (const status of ["active", "archived"] as const) {
    const { answer, writes } = applied(unblockCode("qr_1", markingRules), withStatus(status));
    assert.deepEqual([answer.status, writes], [status, []]);
  }
  assert.throws(
    () => applied(unblockCode("qr_2", markingRules), withStatus("blocked")),
    coded("qr_not_found"),
  );
});

test("a code is not unblocked over the cap, nor while one of its targets is unsafe", () => {
  const unblock = (code: Partial<CodeDoc>, account = {}) =>
    applied(unblockCode("qr_1", markingRules), {
      codes: [sampleCode({ status: "blocked", ...code })],
      account,
    });
  const full = { limits: { qr_cap: 5 }, active_codes: 5 };
  assert.throws(() => unblock({ redirect_url: evil }, full), coded("quota_exceeded_qr"));
  assert.throws(() => unblock({ redirect_url: evil }), /redirect_url is evil/);
  const rules: CodeDoc["redirect_rules"] = [{ condition: "country", value: "DE", url: evil }];
  assert.throws(() => unblock({ redirect_rules: rules }), /redirect_rules\[0\]\.url is evil/);
  assert.equal(unblock({ type: "text", text: "x", redirect_url: evil }).answer.status, "active");
});
