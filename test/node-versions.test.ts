import assert from "node:assert/strict";
import { test } from "node:test";
import manifest from "../package.json" with { type: "json" };
import { packageForNode } from "../src/engine/uws/library.ts";

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
