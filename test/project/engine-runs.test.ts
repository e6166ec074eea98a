/** A run of the tests covers both engines where both load, and says by name which one it could not. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { planEngines, repeatOn } from "../../scripts/testing/engines.ts";

const { other } = planEngines(undefined);

async function run(env: Record<string, string>, words: string[]): Promise<{ code: number; out: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/test.ts", ...words], {
    env: { PATH, HOME, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const out = text(child.stdout);
  const [code] = await once(child, "close");
  return { code, out: await out };
}

test("what faces HTTP runs on the other engine as well, or the last line says why not", async () => {
  const { code, out } = await run({}, ["engine-serves"]);
  assert.equal(code, 0, out);
  const served = out.match(/^✔ a request is served/gm)?.length;
  if (other === "node") {
    assert.match(out, /^1 file on uws, 1 of them on node too$/m);
    assert.equal(served, 2);
  } else {
    assert.equal(served, 1);
    assert.match(out, /\nNOT TESTED: 1 file on the engine uws: .+\n$/);
  }
});

test("TEST_ENGINE asks for one engine and no other", async () => {
  const { code, out } = await run({ TEST_ENGINE: "node" }, ["engine-serves"]);
  assert.equal(code, 0, out);
  assert.match(out, /^1 file on node$/m);
  assert.equal(out.match(/^✔ a request is served/gm)?.length, 1);
});

test("a repeated file runs on the engine that it was repeated for, and is named when it fails", async () => {
  const repeated = repeatOn("node", "/project/", ["/project/test/no-such-file.test.ts"]);
  try {
    const child = spawn(process.execPath, ["--import", "tsx", repeated.files[0]!], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    repeated.heard(await text(child.stderr));
    assert.deepEqual(repeated.failed(), ["failed on node: test/no-such-file.test.ts"]);
  } finally {
    repeated.remove();
  }
});
