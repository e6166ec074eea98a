import assert from "node:assert/strict";
import test from "node:test";
import {
  askAgain,
  firstRender,
  putToRest,
  rendered,
  renderFailed,
  wake,
  wantsImage,
} from "../../../src/domain/code/render-state.ts";

const files = { svg: "s1", png: "p1" };
const pending = firstRender(100);
const done = rendered(pending, files, 200);

test("pending → done: the files are in service and the error is forgotten", () => {
  assert.deepEqual(pending, {
    status: "pending",
    version: 1,
    requested_at: 100,
    attempt: 0,
    error: null,
    rendered_at: null,
    rendered_version: 0,
    svg: null,
    png: null,
  });
  const afterFailure = rendered(renderFailed(pending, "out of memory", false), files, 200);
  assert.deepEqual(afterFailure, {
    ...pending,
    ...files,
    status: "done",
    attempt: 2,
    rendered_at: 200,
    rendered_version: 1,
  });
});

test("a failure keeps the request waiting until it is the final one", () => {
  const once = renderFailed(pending, "first", false);
  assert.deepEqual([once.status, once.attempt, once.error], ["pending", 1, "first"]);
  const final = renderFailed(once, "second", true);
  assert.deepEqual([final.status, final.attempt, final.error], ["error", 2, "second"]);
  assert.equal(renderFailed(askAgain(done, 300), "third", false).status, "staging");
});

test("done → staging: asked anew, the last files stay in service", () => {
  const staging = askAgain(done, 300);
  assert.deepEqual(staging, { ...done, status: "staging", version: 2, requested_at: 300, attempt: 0 });
  assert.equal(rendered(staging, { svg: "s2", png: null }, 400).png, null);
});

test("asked anew before the first image, it stays pending, with a new version", () => {
  assert.deepEqual(askAgain(pending, 150), { ...pending, version: 2, requested_at: 150 });
});

test("error → pending or staging when something changes", () => {
  const withoutImage = renderFailed(pending, "no", true);
  const again = askAgain(withoutImage, 300);
  assert.deepEqual([again.status, again.error, again.attempt], ["pending", null, 0]);
  assert.equal(askAgain(renderFailed(askAgain(done, 300), "no", true), 400).status, "staging");
});

test("idle: nothing is wanted, whatever changes meanwhile, until the code wakes", () => {
  const idle = putToRest(done);
  assert.equal(idle.status, "idle");
  assert.deepEqual(wake(idle, 500), done);
  const changed = askAgain(idle, 400);
  assert.deepEqual(changed, { ...idle, version: 2 });
  assert.deepEqual(wake(changed, 500), {
    ...done,
    status: "staging",
    version: 2,
    requested_at: 500,
    attempt: 0,
  });
  assert.equal(wake(putToRest(pending), 500).status, "pending");
  assert.equal(wake(putToRest(renderFailed(pending, "no", true)), 500).status, "pending");
});

test("only pending and staging want an image", () => {
  const states = [pending, askAgain(done, 300), done, putToRest(pending), renderFailed(pending, "no", true)];
  assert.deepEqual(
    states.map((state) => [state.status, wantsImage(state)]),
    [
      ["pending", true],
      ["staging", true],
      ["done", false],
      ["idle", false],
      ["error", false],
    ],
  );
});

test("no transition changes the state it is given", () => {
  const frozen = Object.freeze({ ...done });
  for (const change of [
    () => askAgain(frozen, 1),
    () => putToRest(frozen),
    () => wake(frozen, 1),
    () => rendered(frozen, files, 1),
    () => renderFailed(frozen, "no", true),
  ]) {
    assert.notEqual(change(), frozen);
  }
});
