/** A machine without MongoDB: the tests that need one are left out loudly, and in CI that is a failure. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { temporaryDirectory } from "./fakes/scan-server.ts";
import { freePort } from "./support/server.ts";

async function runOnBareMachine(
  env: Record<string, string>,
): Promise<{ code: number; errors: string; out: string }> {
  const directory = temporaryDirectory();
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "scripts/mongod.ts", "run", process.execPath, "-e", "console.log('the tests')"],
    {
      // No server on the PATH, none in the cache, and an origin that refuses.
      env: {
        PATH: dirname(process.execPath),
        HOME: directory.path,
        MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${await freePort()}`,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const [out, errors] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, "close");
  directory.remove();
  return { code, errors: await errors, out: await out };
}

test("without a server the run goes on and its last words are what was left out", async () => {
  const began = performance.now();
  const { code, errors, out } = await runOnBareMachine({});
  assert.ok(performance.now() - began < 20_000, "gives up quickly");
  assert.deepEqual([code, out], [0, "the tests\n"]);
  assert.match(errors, /MongoDB cannot be downloaded: .*ECONNREFUSED/);
  assert.match(errors, /NOT TESTED: no MongoDB to test with: .*\n( {2}test\/[\w-]+\.test\.ts\n?)+$/);
  for (const file of ["store-mongo", "mongo-processes", "lease"])
    assert.ok(errors.includes(`test/${file}.test.ts`));
});

test("in CI it fails before anything runs", async () => {
  const { code, errors, out } = await runOnBareMachine({ CI: "true" });
  assert.deepEqual([code, out], [1, ""]);
  assert.match(errors, /In CI that is a failure/);
});
