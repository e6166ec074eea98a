/** A stale generation cannot go unnoticed: whatever it was made from, and what was made, is fingerprinted. */
import assert from "node:assert/strict";
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { generatedIsFresh } from "../../scripts/generate.ts";
import { temporaryFolder } from "../support/endings.ts";

const project = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const copy = temporaryFolder();
for (const part of ["src", "tsconfig.json"])
  cpSync(join(project, part), join(copy, part), { recursive: true });

function changed(file: string, change: (path: string) => void): boolean {
  const path = join(copy, file);
  const before = readFileSync(path);
  change(path);
  const fresh = generatedIsFresh(copy);
  writeFileSync(path, before);
  return !fresh;
}

test("the validators in use are made from the types as they are", () => {
  assert.ok(generatedIsFresh(), "run npm run generate");
});

test("a change of any input or output is noticed", () => {
  assert.ok(generatedIsFresh(copy));
  for (const file of [
    "src/domain/requests.ts",
    "src/schema/responses.ts",
    "src/domain/text-formats.ts",
    "src/schema/compile/checks.ts",
    "src/domain/documents.ts",
    "src/domain/errors.ts",
    "src/limits.ts",
    "tsconfig.json",
    "src/schema/generated/checks.ts",
    "src/schema/generated/fingerprint",
  ]) {
    assert.ok(
      changed(file, (path) => appendFileSync(path, "\n// changed\n")),
      file,
    );
  }
  assert.ok(generatedIsFresh(copy));
});

test("another version of typia is noticed, and a generation that is not there", () => {
  const older = (path: string) =>
    writeFileSync(path, readFileSync(path, "utf8").replace(/typia@\S+/, "typia@0.0.1"));
  assert.ok(changed("src/schema/generated/fingerprint", older));
  rmSync(join(copy, "src/schema/generated"), { recursive: true });
  assert.equal(generatedIsFresh(copy), false);
});
