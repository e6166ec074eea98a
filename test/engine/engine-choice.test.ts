/** Every service that a test starts is on the engine that the tests were asked to run on. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isForBoth, isHttpFacing } from "../../scripts/testing/engines.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => `${root}test/${file}`);

test("whoever starts the service, as a process or within the test's own, names the engine to it", () => {
  const starts =
    /(spawn\(|script: |exec )[^;]*(src\/main\.ts|programArguments\(\))(?!"?, "admin")|^import .*\bstartService\b/m;
  const starting = files.filter((file) => starts.test(readFileSync(file, "utf8")));
  assert.ok(starting.length >= 4, "the pattern finds them");
  for (const file of starting) assert.match(readFileSync(file, "utf8"), /\.\.\.engineEnv/, file);
});

test("a test faces HTTP when it reaches the choice of the engine, however far down", () => {
  const facing = (name: string) => isHttpFacing(root, `${root}test/${name}.test.ts`);
  for (const name of [
    "redirect/scan-api",
    "service/start",
    "hostile/resets",
    "scan/crash",
    "scan/limited-scans",
  ])
    assert.equal(facing(name), true, name);
  for (const name of [
    "domain/timestamps",
    "domain/target/url-safety",
    "link/schedule",
    "engine/engine-choice",
  ])
    assert.equal(facing(name), false, name);
});

test("what faces HTTP runs on both engines, but for most of what runs in a browser", () => {
  const forBoth = (name: string) => isForBoth(root, `${root}test/${name}.test.ts`);
  const both = ["redirect/scan-api", "dashboard-api/sessions", "dashboard/screens/sign-in"];
  const once = ["domain/timestamps", "dashboard/screens", "dashboard/screens/keys"];
  assert.deepEqual(both.map(forBoth), [true, true, true]);
  assert.deepEqual(once.map(forBoth), [false, false, false]);
});
