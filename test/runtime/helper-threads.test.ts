import assert from "node:assert/strict";
import { getPriority } from "node:os";
import { test } from "node:test";
import { helperPriority, helpersAmong, type Thread, threadsOf } from "../../src/runtime/helper-threads.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";

const named = (...ids: number[]): Thread[] => ids.map((id) => ({ id, name: "node" }));

test("helpers are told by their names", () => {
  const threads = [
    { id: 7, name: "MainThread" },
    { id: 8, name: "DelayedTaskSche" },
    { id: 9, name: "V8Worker" },
    { id: 10, name: "libuv-worker" },
    { id: 3, name: "V8Worker" },
  ];
  assert.deepEqual(helpersAmong(threads, 7, ""), [9, 3]);
  assert.deepEqual(helpersAmong(threads, 7, "--v8-pool-size=2"), [9, 3]);
});

test("without names helpers are told by the order in which threads are made", () => {
  assert.deepEqual(helpersAmong(named(100, 99, 101, 108, 103, 102, 104, 106), 99, ""), [101, 102, 103, 104]);
});

test("threads that cannot be told from helpers are left as they are", () => {
  const threads = named(99, 100, 101, 102, 103, 104, 106, 108);
  assert.deepEqual(helpersAmong(threads, 99, "--v8-pool-size=2"), [], "not as many as usual");
  assert.deepEqual(
    helpersAmong(named(3, 4, ...threads.map(({ id }) => id)), 99, ""),
    [],
    "numbers began again",
  );
  assert.deepEqual(helpersAmong([], 99, ""), []);
});

test("in the service the helpers come after the loop, and the threads that write do not", {
  skip: process.platform !== "linux" && "needs the priorities of threads, which Linux has",
}, async () => {
  const service = spawnService({
    DATA_DIR: temporaryFolder(),
    PORT: "0",
    HOST: "127.0.0.1",
    LOG_LEVEL: "warn",
  });
  await service.ready();
  const { pid } = service.child;
  const priorities = threadsOf(String(pid)).map(({ id }) => ({ id, priority: getPriority(id) }));
  const helpers = priorities.filter(({ priority }) => priority === helperPriority);
  assert.equal(helpers.length, 4);
  assert.equal(priorities.find(({ id }) => id === pid)?.priority, 0);
  // Four of the pool that reads and writes files are there by then, beside the loop.
  assert.ok(priorities.filter(({ priority }) => priority === 0).length >= 5);
  // Where V8 tells of options that it does not know.
  assert.equal(service.errors(), "");
});
