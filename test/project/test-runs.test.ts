/**
 * A run of the tests covers both engines where both load, and says by name which one it could not. On a machine without
 * MongoDB the tests that need one are left out loudly, and where it is required that is a failure. The last lines count
 * every skipped test under its reason, and none is skipped without one.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { takenShare, ticks } from "../../scripts/taken-time.ts";
import { planEngines, repeatOn } from "../../scripts/testing/engines.ts";
import { collectFailures, failureText, isStarved } from "../../scripts/testing/failures.ts";
import { collectNotTested } from "../../scripts/testing/not-tested.ts";
import { hasServers, longFiles, longFirst } from "../../scripts/testing/order.ts";
import { temporaryFolder } from "../support/endings.ts";
import { freePort } from "../support/wire/free-port.ts";

const { other } = planEngines(undefined);

async function run(
  env: Record<string, string>,
  words: string[],
): Promise<{ code: number; errors: string; out: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/test.ts", ...words], {
    env: { PATH, HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, "close");
  return { code, errors: await errors, out: await out };
}

/** No server on the PATH, none in the cache, and an origin that refuses. */
async function runOnBareMachine(env: Record<string, string>): ReturnType<typeof run> {
  const PATH = dirname(process.execPath);
  const MONGOMS_DOWNLOAD_MIRROR = `http://127.0.0.1:${await freePort()}`;
  const bare = { PATH, HOME: temporaryFolder(), MONGOMS_DOWNLOAD_MIRROR };
  return run({ ...bare, ...env }, ["lease", "mongo/credentials"]);
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

test("each repeated file runs on the engine that it was repeated for, also where others have its name", async () => {
  const sources = ["one", "two"].map((word) => {
    const file = join(temporaryFolder(), "engine.test.ts");
    writeFileSync(file, `console.log("${word}", process.env.TEST_ENGINE);`);
    return file;
  });
  const repeated = repeatOn("node", sources, (each) => each);
  try {
    const printed = repeated.files.map((file) => {
      const child = spawn(process.execPath, ["--import", "tsx", file], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      return text(child.stdout);
    });
    assert.deepEqual(await Promise.all(printed), ["one node\n", "two node\n"]);
  } finally {
    repeated.remove();
  }
});

test("a file that failed is known, with what others had of the processor; what is only to be done is no failure", () => {
  const failures = collectFailures(["/a.test.js", "/b.test.js", "/c.test.js"]);
  failures.saw({ name: "some test" });
  failures.heard(`${failureText("/a.test.js", ticks())}\n`);
  failures.heard("test file failed: /b.test.js; of the processor others took 37 %\n");
  failures.heard("anything else\n");
  const failed = failures.take();
  assert.deepEqual([...failed.keys()], ["/a.test.js", "/b.test.js"]);
  assert.equal(failed.get("/b.test.js"), 0.37);
  assert.deepEqual([...failed.values()].map(isStarved)[1], true);

  failures.saw({ name: "some test", todo: "later" });
  assert.equal(failures.take().size, 0);
  failures.saw({ name: "/c.test.js" });
  assert.deepEqual([...failures.take().keys()], ["/c.test.js"]);
  failures.saw({ name: "a test of nobody" });
  assert.equal(failures.take().size, 1);
});

test("a file whose process was ended is known, until it fails of itself", () => {
  const failures = collectFailures(["/a.test.js", "/b.test.js"]);
  failures.saw({ name: "/a.test.js", details: { error: { failureType: "testTimeoutFailure" } } });
  failures.saw({ name: "/b.test.js", details: { error: { failureType: "subtestsFailed" } } });
  assert.deepEqual([...failures.take().keys()], ["/a.test.js", "/b.test.js"]);
  assert.deepEqual(["/a.test.js", "/b.test.js"].map(failures.wasBlocked), [true, false]);
  failures.saw({ name: "/a.test.js", details: { error: { failureType: "subtestsFailed" } } });
  assert.equal(failures.wasBlocked("/a.test.js"), false);
});

test("what others take is a share of what was wanted", () => {
  const since = { used: 100, taken: 10 };
  assert.equal(takenShare(since, { used: 160, taken: 50 }), 0.4);
  assert.equal(takenShare(since, { used: 100, taken: 10 }), 0);
  assert.ok(isStarved(0.4) && !isStarved(0.05));
});

test("a file that has something open when its tests are over fails, and says what", async () => {
  const file = join(temporaryFolder(), "open.test.mjs");
  writeFileSync(
    file,
    'import { createServer } from "node:net"; import { test } from "node:test"; test("", () => createServer().listen(0));',
  );
  const loaded = ["tsx", "./scripts/testing/file-ends.ts"].flatMap((each) => ["--import", each]);
  const child = spawn(process.execPath, [...loaded, file], {
    env: { ...process.env, TEST_END_MS: "100" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  assert.match(errors, /^gave this test file up after 0\.1 s: its tests are over.* Open: .*TCPServerWrap/m);
  assert.equal(code, 1);
});

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

test("files that take minutes run first, and those named so are there", () => {
  const some = ["b.test.ts", longFiles[1]!, "a.test.ts", longFiles[0]!];
  assert.deepEqual(longFirst(some), [longFiles[0], longFiles[1], "a.test.ts", "b.test.ts"]);
  const folder = fileURLToPath(new URL("../", import.meta.url));
  assert.deepEqual(
    longFiles.filter((file) => !existsSync(`${folder}${file}`)),
    [],
  );
});

test("files with database servers of their own are told from others by their names", () => {
  const files = ["cluster/mongo-cluster.test.ts", "store/mongo/faults.test.ts", "cluster/lease.test.ts"];
  assert.deepEqual(files.filter(hasServers), files.slice(0, 2));
});

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
