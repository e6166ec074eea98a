/** A machine without MongoDB: the tests that need one are left out loudly, and where it is required that is a failure. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { temporaryFolder } from "../support/endings.ts";
import { freePort } from "../support/wire/free-port.ts";

async function runOnBareMachine(
  env: Record<string, string>,
): Promise<{ code: number; errors: string; out: string }> {
  const directory = temporaryFolder();
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "scripts/test.ts", "lease", "mongo/credentials"],
    {
      // No server on the PATH, none in the cache, and an origin that refuses.
      env: {
        PATH: dirname(process.execPath),
        HOME: directory,
        MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${await freePort()}`,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const [out, errors] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, "close");
  return { code, errors: await errors, out: await out };
}

test("without a server the run passes, in CI too, and its last words are what was left out", async () => {
  const { code, errors, out } = await runOnBareMachine({ CI: "true" });
  assert.equal(code, 0, errors);
  assert.match(errors, /MongoDB cannot be downloaded: .*ECONNREFUSED/);
  const [, closing] = out.split("duration_ms");
  assert.match(closing!, /\nNOT TESTED: 6 tests in 2 files: no MongoDB to test with: .*\n/);
  assert.ok(
    closing!.includes("\n  test/cluster/lease.test.ts (5)\n  test/store/mongo/credentials.test.ts (1)\n"),
    closing,
  );
});

test("where it is required the run fails before anything runs", async () => {
  const { code, errors, out } = await runOnBareMachine({ REQUIRE_MONGODB: "1" });
  assert.deepEqual([code, out], [1, ""]);
  assert.match(errors, /REQUIRE_MONGODB=1 makes that a failure/);
});
