/** `npm start` builds when the sources are others than those that were built, and at no other time. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "../support/endings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const copy = temporaryFolder();
const parts = ["src", "workers", "scripts", "package.json", "package-lock.json", "tsconfig.json"];
const helpFile = join(copy, "src/cli/configuration-help.ts");

for (const part of parts) await cp(join(root, part), join(copy, part), { recursive: true });
await symlink(join(root, "node_modules"), join(copy, "node_modules"));
assert.equal(await builds(), true);

/** Runs the build as a start does; whether it made anything. */
async function builds(): Promise<boolean> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["scripts/build.mjs"], {
    cwd: copy,
  });
  assert.equal(stdout, "");
  return stderr.includes("built dist");
}

async function help(): Promise<string> {
  return (await promisify(execFile)(process.execPath, ["dist/main.js", "--help"], { cwd: copy })).stdout;
}

async function change(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8");
  assert.ok(text.includes(from));
  await writeFile(file, text.replace(from, to));
}

test("nothing is built when nothing changed, not even when a file looks newer", async () => {
  const { mtimeMs } = await stat(join(copy, "dist/main.js"));
  await utimes(helpFile, new Date(), new Date());
  assert.equal(await builds(), false);
  assert.equal((await stat(join(copy, "dist/main.js"))).mtimeMs, mtimeMs);
});

test("a source that changed is built, even one that has its old size and time", async () => {
  const { atime, mtime } = await stat(helpFile);
  await change(helpFile, "where it listens", "where it harkens");
  await utimes(helpFile, atime, mtime);
  assert.equal(await builds(), true);
  assert.match(await help(), /where it harkens/);
  assert.equal(await builds(), false);
});

test("a new file, another package, and the build itself are sources too", async () => {
  await writeFile(join(copy, "workers/new.ts"), "export const one = 1;\n");
  assert.equal(await builds(), true);
  for (const file of ["package-lock.json", "scripts/build.mjs"]) {
    await writeFile(join(copy, file), `${await readFile(join(copy, file), "utf8")}\n`);
    assert.equal(await builds(), true, file);
  }
  assert.equal(await builds(), false);
});

test("a bundle that is not as it was built is built again, and what belongs to an older one goes", async () => {
  const present = async () => (await readdir(join(copy, "dist"), { recursive: true })).sort();
  const made = await present();
  await rm(join(copy, "dist/render-worker.js"));
  for (const older of ["dist/older.js", "dist/dashboard/older.js"]) await writeFile(join(copy, older), "");
  assert.equal(await builds(), true);
  assert.deepEqual(await present(), made);
});

test("what cannot be built is an error, and is tried again", async () => {
  await change(join(copy, "src/main.ts"), "await run(", "await walk (");
  await change(join(copy, "src/main.ts"), "import { run }", "import { walk }");
  await assert.rejects(builds(), /No matching export/);
  await assert.rejects(builds(), /No matching export/);
});
