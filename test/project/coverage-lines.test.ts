import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { test } from "node:test";
import { Script } from "node:vm";
import { transformSync } from "esbuild";
import { linesThatRan, linesWithCode, type ScriptCoverage } from "../../scripts/coverage/source-lines.ts";

const source = `interface Box {
  size: number;
}

function half(box: Box): number {
  if (box.size < 0) {
    return 0;
  }
  // Half of it.
  return box.size / 2;
}
function never(): void {
  half({ size: 1 });
}
half({ size: 4 });
`;

test("lines are led back to the source: types and comments do not count, what did not run is missing", async () => {
  const { code, map } = transformSync(source, {
    loader: "ts",
    minifyWhitespace: true,
    sourcemap: true,
    sourcefile: "half.ts",
  });
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  new Script(code, { filename: "half.js" }).runInThisContext();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();

  const script = result.find(({ url }) => url === "half.js") as ScriptCoverage;
  const sourceMap = JSON.parse(map);
  const lengths = code.split("\n").map((line) => line.length);
  const ran = linesThatRan(script, sourceMap, lengths).get("half.ts") ?? new Set();
  const lines = [...linesWithCode(sourceMap)].sort((a, b) => a - b);
  assert.deepEqual(
    lines.filter((line) => line <= 4 || line === 9),
    [],
  );
  const missed = lines.filter((line) => !ran.has(line));
  assert.ok(
    [7, 13].every((line) => missed.includes(line)),
    String(missed),
  );
  assert.ok(
    [5, 6, 10, 15].every((line) => ran.has(line)),
    String([...ran]),
  );
});
