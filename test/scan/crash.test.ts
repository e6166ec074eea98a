/** The real server, killed without warning in the middle of its scans, again and again. */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { Agent } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { code } from "../fakes/scan-server.ts";
import { seededKey as key, seedFolder } from "../fakes/seeded-folder.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";
import { call } from "../support/wire/call.ts";

const kills = Number(process.env.SCAN_KILLS ?? 20);
const connections = 24;
const limit = 3_000;
const codes = [code(1), code(2, { analytics_enabled: false }), code(3, { scan_limit: limit })];

/** What clients know of one code, over all lives of the server. */
interface Seen {
  sent: number;
  redirected: number;
}

async function start(dataDir: string, sync: string): Promise<{ child: ChildProcess; url: string }> {
  const { child, ready } = spawnService({
    DATA_DIR: dataDir,
    PORT: "0",
    SCAN_SYNC: sync,
    QRELAY_BOOTSTRAP: "off",
    LOG_LEVEL: "warn",
  });
  return { child, url: await ready() };
}

async function scanUntilGone(url: string, seen: Seen[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      const known = seen[n % codes.length]!;
      const path = `/${codes[n % codes.length]!.slug}`;
      for (;;) {
        known.sent++;
        const answer = await call(url, { path, agent }).catch(() => null);
        if (answer === null) return;
        if (answer.status === 302) known.redirected++;
        else assert.equal(answer.status, 410);
      }
    }),
  );
  agent.destroy();
}

async function compare(url: string, seen: Seen[], life: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const [n, { id }] of codes.entries()) {
    const { body } = await call(`${url}/v1/qr-codes/${id}`, { agent, headers: { "x-api-key": key } });
    const counted = JSON.parse(body).scan_count as number;
    const { sent, redirected } = seen[n]!;
    assert.ok(
      counted >= redirected,
      `life ${life}, ${id}: ${redirected} were answered, ${counted} are counted`,
    );
    assert.ok(counted <= sent, `life ${life}, ${id}: ${sent} were sent, ${counted} are counted`);
    if (n === 2) assert.ok(counted <= limit && redirected <= limit, `life ${life}: the limit is passed`);
  }
  agent.destroy();
}

test(`no answered scan is lost and no limit passed in ${kills} kills`, { timeout: 300_000 }, async () => {
  const directory = temporaryFolder();
  await seedFolder(directory, codes);
  const seen: Seen[] = codes.map(() => ({ sent: 0, redirected: 0 }));
  for (let life = 0; life <= kills; life++) {
    const { child, url } = await start(directory, life % 2 === 0 ? "100" : "always");
    const exited = new Promise((resolve) => {
      child.once("exit", resolve);
    });
    await compare(url, seen, life);
    if (life < kills) {
      const load = scanUntilGone(url, seen);
      await sleep(50 + Math.random() * 250);
      child.kill("SIGKILL");
      await load;
    } else {
      child.kill("SIGTERM");
    }
    await exited;
  }
  assert.ok(seen.every(({ redirected }) => redirected > 0));
});
