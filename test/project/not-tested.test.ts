/** The last lines of a run: every skipped test is counted under its reason, and none is skipped without one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collectNotTested } from "../../scripts/testing/not-tested.ts";

test("skipped tests are counted by reason and file", () => {
  const notTested = collectNotTested("/project/");
  const saw = (file: string, name: string, skip?: string | boolean) =>
    notTested.saw({ name, file: `/project/test/${file}.test.ts`, skip });
  saw("b", "one", "no server");
  saw("a", "one", "no server");
  saw("b", "two", "no server");
  saw("b", "two", "no server");
  saw("c", "one", "no tool");
  saw("d", "one");
  saw("d", "two", false);
  assert.deepEqual(notTested.lines(), [
    "NOT TESTED: 3 tests in 2 files: no server",
    "  test/a.test.ts (1)",
    "  test/b.test.ts (2)",
    "NOT TESTED: 1 test in 1 file: no tool",
    "  test/c.test.ts (1)",
  ]);
  assert.deepEqual(notTested.withoutReason(), []);
});

test("when everything was tested there is nothing to say", () => {
  const notTested = collectNotTested("/project/");
  notTested.saw({ name: "a test", file: "/project/test/a.test.ts" });
  assert.deepEqual(notTested.lines(), []);
});

test("a test that is skipped without a reason is named", () => {
  const notTested = collectNotTested("/project/");
  notTested.saw({ name: "a test", file: "/project/test/a.test.ts", skip: true });
  assert.deepEqual(notTested.withoutReason(), ["test/a.test.ts: a test"]);
});
