import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import manifest from "../../package.json" with { type: "json" };
import { packageForNode } from "../../src/engine/uws/library.ts";

const supported = ["20.19.0", "22.12.0", "24.1.0", "26.0.0"];

test("every supported Node has a build among the dependencies", () => {
  const dependencies: Record<string, string> = manifest.dependencies;
  for (const version of supported) {
    const name = packageForNode(version);
    assert.match(dependencies[name] ?? "", /^npm:@uwsjs\/core@\d/, `Node ${version} needs ${name}`);
  }
});

test("another Node is refused with the ones that are supported", () => {
  for (const version of ["18.20.0", "21.0.0", "23.4.0", "25.0.0"]) {
    assert.throws(() => packageForNode(version), {
      message: `Node.js ${version} is not supported: use 20, 22, 24, 26`,
    });
  }
});

test("the README's table of platforms has a column for every supported Node", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [head] = /^\| Which engine serves by itself \|.*$/m.exec(readme)!;
  const columns = [...head.matchAll(/Node (\d+)/g)].map(([, major]) => major);
  assert.deepEqual(
    columns,
    supported.map((version) => version.split(".")[0]),
  );
});
