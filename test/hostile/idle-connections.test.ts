/** Ten thousand connections that say nothing: others are answered as ever, and the memory comes back. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { test } from "node:test";
import { filesKept } from "../../src/limits.ts";
import { testEngine } from "../support/engine.ts";
import { eventually, inParallel } from "../support/hostile/hostile.ts";
import { openDeaf, spawnAttacked } from "../support/hostile/hostile-process.ts";

const wanted = 10_000;
const openFiles = Number(/^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))![1]);
const idle = Math.min(wanted, openFiles - 2 * filesKept);
const isFewer = `${idle} connections instead of ${wanted}: raise the limit of open files to ${wanted + 2 * filesKept}`;

const attacked = await spawnAttacked();

const openingMsMax = 6_000;

test("idle connections cost others nothing, and little memory, which comes back", async (t) => {
  if (idle < wanted) t.diagnostic(`LESS THAN MEANT: ${isFewer}`);
  assert.ok(idle >= 500, isFewer);
  const code = await attacked.api.createRendered();
  const scanMs = async () => {
    const asked = performance.now();
    const response = await fetch(`${attacked.url}/${code.slug}`, { redirect: "manual" });
    assert.equal(response.status, 302);
    return performance.now() - asked;
  };
  const median = async () => {
    const times: number[] = [];
    for (let scan = 0; scan < 50; scan++) times.push(await scanMs());
    return times.sort((a, b) => a - b)[25]!;
  };
  const connections = () => attacked.metric("qrelay_connections ");
  const calm = await median();
  const beginning = attacked.rssMb();

  /** As many as a slow machine can open before the first of them have been idle for too long. */
  const crowd = async (): Promise<Socket[]> => {
    const sockets: Socket[] = [];
    const end = performance.now() + openingMsMax;
    await inParallel(Array.from({ length: idle }), 200, async () => {
      if (performance.now() < end) sockets.push(await openDeaf(attacked.url));
    });
    if (sockets.length < idle)
      t.diagnostic(`LESS THAN MEANT: only ${sockets.length} could be opened in time`);
    assert.ok(sockets.length >= 500);
    await eventually("the connections", async () => (await connections()) >= sockets.length);
    return sockets;
  };
  const leave = async (sockets: Socket[]) => {
    for (const socket of sockets) socket.resetAndDestroy();
    await eventually("the end of the connections", async () => (await connections()) < 10);
  };
  const first = await crowd();
  const crowded = await median();
  await attacked.api.get("/v1/projects", 200);
  const most = attacked.rssMb();
  await leave(first);
  if (testEngine.name === "uws") await eventually("the memory", () => attacked.rssMb() < beginning + 32);
  // The collector of JavaScript keeps what it has: it came back when further crowds find room in it.
  else for (let again = 0; again < 3; again++) await leave(await crowd());
  const left = attacked.rssMb();
  t.diagnostic(
    `${beginning.toFixed()} MB, with ${idle} connections ${most.toFixed()} MB, afterwards ${left.toFixed()} MB; ` +
      `a scan took ${calm.toFixed(2)} ms, then ${crowded.toFixed(2)} ms`,
  );
  assert.ok(left < Math.max(most, beginning + 80), `${left.toFixed()} MB are left`);
  assert.ok(most - beginning < 80, `${(most - beginning).toFixed()} MB`);
  assert.ok(crowded < 10 * calm + 5, `${crowded.toFixed(2)} ms instead of ${calm.toFixed(2)} ms`);
  assert.equal((await attacked.api.get(`/v1/qr-codes/${code.qr_id}`, 200)).body.scan_count, 100);
  await attacked.api.get("/healthz", 200);
});
