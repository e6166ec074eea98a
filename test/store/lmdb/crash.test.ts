import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { numbered } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { assertIndexesAgree } from "./consistency.ts";

const writer = fileURLToPath(new URL("./writer.ts", import.meta.url));
const rounds = 5;

test("what a killed process reported as committed is there, and the indexes agree", async () => {
  const path = temporaryFolder();
  let first = 0;
  for (let round = 0; round < rounds; round += 1) {
    const reported = await reportedUntilKilled(path, first, Math.random() * 250);
    assert.ok(reported.length > 0, "the writer committed something before it was killed");
    await assertCommitted(path, reported);
    await assertIndexesAgree(path);
    first = Math.max(...reported) + 1_000;
  }
});

async function reportedUntilKilled(path: string, first: number, lifeMs: number): Promise<number[]> {
  const child = spawn(process.execPath, ["--import", "tsx", writer, path, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await Promise.race([once(child.stdout, "data"), failed(child)]);
  await pause(lifeMs);
  child.kill("SIGKILL");
  await once(child, "close");
  const whole = output.slice(0, output.lastIndexOf("\n"));
  return whole.split("\n").map(Number);
}

async function failed(child: ChildProcess): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`the writer ended with ${code} before its first commit`);
}

async function assertCommitted(path: string, reported: number[]): Promise<void> {
  const store = await openLmdbStore({ path, assertDocument });
  for (const n of reported) {
    const older = await store.get("codes", numbered("qr", n));
    assert.equal(older?.label, `moved ${n}`);
    assert.equal(older?.status, "archived");
    assert.equal((await store.codeBySlug(`slug-of-${numbered("qr", n + 1)}`))?.render.status, "staging");
    assert.equal(await store.get("files", `${numbered("qr", n)}/a.svg`), null);
  }
  assert.ok((await store.scanCount("counted")) >= Math.max(...reported));
  await store.close();
}
