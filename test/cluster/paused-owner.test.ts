/**
 * A process that serves links flat out is stopped by a signal, in whatever it is just doing, and goes on when another one
 * owns the links: on real sockets and real clocks, with the lease in this process in place of MongoDB.
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createLease, type LeaseRecord } from "../../src/cluster/lease.ts";
import { RightToServe, systemWatches } from "../../src/cluster/right-to-serve.ts";
import { evictionWaitMs } from "../../src/limits.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { LeaseDocument, memoryLease } from "../fakes/memory-lease.ts";
import { testSlug } from "../fakes/scan-server.ts";
import { endsWithTest } from "../support/endings.ts";
import { call } from "../support/wire/call.ts";
import type { Asked } from "./lease-child.ts";

const connections = 32;
const scansBefore = 500;
const lateScans = 200;

async function startChild(record: LeaseRecord) {
  const path = fileURLToPath(new URL("./lease-child.ts", import.meta.url));
  const child = fork(path, { execArgv: ["--import", "tsx"] });
  endsWithTest(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  });
  child.on("message", (asked: Asked | { port: number }) => {
    if (!("id" in asked)) return;
    const run = record[asked.name] as (...given: unknown[]) => Promise<unknown>;
    void run(...asked.given).then((answer) => child.connected && child.send({ id: asked.id, answer }));
  });
  for (;;) {
    const [message] = (await once(child, "message")) as [Asked | { port: number }];
    if ("port" in message) return { child, url: `http://127.0.0.1:${message.port}/${testSlug(1)}` };
  }
}

test("a process that was paused answers no scan that came after another one took over", async () => {
  const document = new LeaseDocument();
  const { child, url } = await startChild(memoryLease(document));
  const standby = createLease({
    record: memoryLease(document),
    clock: systemClock,
    right: new RightToServe(systemWatches),
    holder: "the next",
    changed: () => undefined,
  });
  await standby.start();
  const isSeen = () => document.doc!.watched !== null && document.doc!.renewals > document.doc!.watched;
  while (!isSeen()) await pause(10);

  /** When another process may have answered a change. */
  let changedAt = Number.POSITIVE_INFINITY;
  const found = { before: 0, late: 0, wrong: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const scan = async (options: { agent?: Agent } = {}) => {
    const isLate = performance.now() > changedAt;
    const { status } = await call(url, options);
    if (isLate && status === 302) found.wrong++;
    else if (isLate) found.late++;
    else if (status === 302) found.before++;
  };
  let isOver = false;
  const load = Array.from({ length: connections }, async () => {
    while (!isOver) await scan({ agent }).catch(() => undefined);
  });

  while (found.before < scansBefore) {
    assert.equal(standby.state(), "standby", "the child renews");
    await pause(10);
  }
  child.kill("SIGSTOP");
  while (standby.state() !== "owner") await pause(10);
  assert.ok(standby.hasEvicted());
  await pause(evictionWaitMs);
  changedAt = performance.now();
  const late = Array.from({ length: lateScans }, () => scan());
  await pause(100);
  child.kill("SIGCONT");
  await Promise.all(late);
  isOver = true;
  await Promise.all(load);
  agent.destroy();
  await standby.release();
  assert.equal(found.wrong, 0, "scans that came late and were led on");
  assert.ok(found.late >= lateScans, `${found.late} scans after it`);
});
