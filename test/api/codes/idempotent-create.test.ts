import assert from "node:assert/strict";
import { test } from "node:test";
import { type Attempt, once } from "../../../src/domain/account/idempotency.ts";
import type { Command } from "../../../src/domain/command.ts";
import type { AnswerDoc, Write } from "../../../src/domain/documents.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import { answerKeptMs, idempotencyKeyCharsMax } from "../../../src/limits.ts";
import { applied, type Belongings, commandTime as now } from "../../fakes/account-view.ts";
import { sampleAccount, sampleAnswer, sampleProject } from "../../fakes/sample-documents.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const write: Write = { collection: "projects", put: sampleProject() };

/** A create that counts how often it is done. */
function counted() {
  const create: Command<number> & { done: number } = {
    done: 0,
    needs: () => [{ collection: "projects", id: "prj_1" }],
    apply(view) {
      assert.equal(view.project("prj_1")?.id, "prj_1");
      create.done++;
      return { answer: create.done, writes: [write] };
    },
  };
  return create;
}

const attempt: Attempt = {
  key: "key",
  operation: "POST /v1/projects",
  body: bytes("{}"),
  requestId: "req_1",
};
const present = (count: number) => `created ${count}`;

function tryOnce(changes: Partial<Attempt>, owned: Belongings = {}, at = now) {
  const create = counted();
  const outcome = applied(once({ ...attempt, ...changes }, create, present), owned, at);
  return { ...outcome, done: create.done };
}

/** What a first try with a key leaves behind. */
function keptBy(changes: Partial<Attempt> = {}, owned: Belongings = {}): AnswerDoc {
  const [first, kept, ...others] = tryOnce(changes, owned).writes;
  assert.deepEqual([first, others], [write, []]);
  assert.ok(kept?.collection === "answers" && "put" in kept);
  return kept.put;
}

test("without a key every try is a new one and nothing is kept of it", () => {
  const { answer, writes, done } = tryOnce({ key: null }, { answers: [keptBy()] });
  assert.deepEqual(answer, { requestId: "req_1", status: 201, body: "created 1", replayed: false });
  assert.deepEqual([writes, done], [[write], 1]);
});

test("the first try with a key creates, and keeps its answer for a day in the same commit", () => {
  assert.deepEqual(tryOnce({}).answer, {
    requestId: "req_1",
    status: 201,
    body: "created 1",
    replayed: false,
  });
  const kept = keptBy();
  assert.match(kept.id, /^[0-9a-f]{64}$/);
  assert.match(kept.request_hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(kept, {
    id: kept.id,
    account_id: "acc_1",
    request_hash: kept.request_hash,
    request_id: "req_1",
    status: 201,
    body: "created 1",
    expires_at: now + answerKeptMs,
  });
});

test("a repeat gets the kept answer word for word and creates nothing", () => {
  const answers = [{ ...keptBy(), status: 207, body: "as it was" }];
  assert.deepEqual(tryOnce({ requestId: "req_2" }, { answers }), {
    answer: { requestId: "req_1", status: 207, body: "as it was", replayed: true },
    writes: [],
    done: 0,
  });
});

test("the kept answer counts until its day is over, not a moment longer", () => {
  const answers = [keptBy()];
  assert.equal(tryOnce({}, { answers }, now + answerKeptMs - 1).done, 0);
  assert.equal(tryOnce({}, { answers }, now + answerKeptMs).done, 1);
});

test("the same key with another body is a mistake", () => {
  const answers = [keptBy()];
  assert.throws(
    () => tryOnce({ body: bytes("{ }") }, { answers }),
    (cause) =>
      cause instanceof ApiError &&
      cause.code === "invalid_request" &&
      /^Idempotency-Key /.test(cause.message),
  );
  assert.equal(tryOnce({ body: bytes("{ }") }, { answers }, now + answerKeptMs).done, 1);
});

test("keys of other operations and other accounts are other keys", () => {
  const ids = [
    keptBy().id,
    keptBy({ operation: "POST /v1/qr-codes" }).id,
    keptBy({ key: "other" }).id,
    keptBy({}, { account: sampleAccount({ id: "acc_2" }) }).id,
  ];
  assert.equal(new Set(ids).size, 4);
});

test("a refused create keeps nothing, so that a repeat is a new try", () => {
  const create: Command<number> = {
    needs: () => [],
    apply() {
      throw new ApiError("quota_exceeded_qr");
    },
  };
  assert.throws(() => applied(once(attempt, create, present)), /cap/);
});

test("a key is at most 255 printable ASCII characters", () => {
  const kept = { answers: [sampleAnswer()] };
  for (const key of ["!", "~", "a".repeat(idempotencyKeyCharsMax)])
    assert.equal(tryOnce({ key }, kept).done, 1);
  for (const key of ["a b", "a\x7f", "tab\t", "ü", "a".repeat(idempotencyKeyCharsMax + 1)]) {
    assert.throws(() => tryOnce({ key }), {
      code: "invalid_request",
      message: /^Idempotency-Key must be 1 to 255 printable/,
    });
  }
});
