/** Runs the tests: all of them, or those whose file name contains one of the given words. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const words = process.argv.slice(2);
const files = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .map((file) => `test/${file}`)
  .sort();
if (files.length === 0) {
  console.error(`no test file has ${words.join(" or ")} in its name`);
  process.exit(1);
}
const run = spawnSync(
  process.execPath,
  ["--import", "tsx", "--test", "--test-concurrency=2", "--test-reporter=spec", ...files],
  { cwd: root, stdio: "inherit" },
);
process.exit(run.status ?? 1);
