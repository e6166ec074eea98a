/**
 * What a test, or a file of tests, begins ends with it. Whoever begins a thing says once how it ends, so that no test
 * has to think of it, and one that fails leaves nothing running. Not from within a hook: it would end with the hook.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** The end is run once, by whoever calls what is returned, or else with the test. */
export function endsWithTest(end: () => Promise<void> | void): () => Promise<void> {
  let ended: Promise<void> | null = null;
  const once = () => {
    ended ??= Promise.resolve(end());
    return ended;
  };
  after(once);
  return once;
}

const folders: string[] = [];
// With the process and not with the test: what works in a folder may end after it.
process.once("exit", () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "qrelay-test-"));
  folders.push(path);
  return path;
}
