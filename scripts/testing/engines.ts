/**
 * On which engines the tests run: all on the one that the service takes here by itself, and those that face HTTP on
 * the other as well where both load, but for most of those in a browser. `TEST_ENGINE` asks for one and no other.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chooseEngine } from "../../src/engine/choose.ts";
import type { EngineName } from "../../src/engine/engine.ts";

export interface EnginePlan {
  /** Everything runs on this one. */
  first: EngineName;
  /** What faces HTTP runs on this one too. */
  other: EngineName | null;
  /** For the last lines of the run: the engine that did not load, and why. */
  missing: string | null;
}

export function planEngines(asked: string | undefined): EnginePlan {
  if (asked === "node" || asked === "uws")
    return { first: chooseEngine(asked).engine.name, other: null, missing: null };
  if (asked !== undefined && asked !== "" && asked !== "auto")
    throw new Error(`TEST_ENGINE=${asked}: it must be node or uws`);
  const { engine, reason } = chooseEngine("auto");
  return engine.name === "uws"
    ? { first: "uws", other: "node", missing: null }
    : { first: "node", other: null, missing: `the engine uws: ${reason}` };
}

export interface RepeatedFiles {
  /** In the order of the test files. */
  files: string[];
  remove(): void;
}

/**
 * Files that run test files again on an engine: processes of the runner differ by their file only. `fileOf` says what
 * to run for a test file.
 */
export function repeatOn(
  engine: EngineName,
  testFiles: readonly string[],
  fileOf: (testFile: string) => string,
): RepeatedFiles {
  const folder = mkdtempSync(join(tmpdir(), "qrelay-tests-"));
  const files = testFiles.map((testFile, at) => {
    // Folders have files of the same name.
    const file = join(folder, `${basename(testFile, ".test.ts")}.on-${engine}.${at}.test.mjs`);
    const repeated = pathToFileURL(fileOf(testFile)).href;
    writeFileSync(
      file,
      `process.env.TEST_ENGINE = ${JSON.stringify(engine)};\nawait import(${JSON.stringify(repeated)});\n`,
    );
    return file;
  });
  return { files, remove: () => rmSync(folder, { recursive: true }) };
}

const choosesEngine = "test/support/engine.ts";
const opensBrowser = "test/support/pages/browser.ts";
/** What happens in a page is the same whoever served it, and what it asks is asked without a browser too: these two are enough. */
const pagesOnBoth = ["test/dashboard/screens/sign-in.test.ts", "test/dashboard/screens/code/code.test.ts"];

/** Whether a test file runs on both engines. */
export function isForBoth(root: string, testFile: string): boolean {
  if (!isHttpFacing(root, testFile)) return false;
  return (
    !reachedFrom(testFile).has(`${root}${opensBrowser}`) || pagesOnBoth.includes(testFile.slice(root.length))
  );
}

/**
 * Whether a test file depends on the engine: whether it reaches, through its imports, the one file that chooses an
 * engine for the tests. Found by following the imports, so that no list has to be kept.
 */
export function isHttpFacing(root: string, testFile: string): boolean {
  return reachedFrom(testFile).has(`${root}${choosesEngine}`);
}

/** The file and all files of the project that it imports, directly or not; imports of types alone do not count. */
function reachedFrom(file: string): Set<string> {
  const found = new Set([file]);
  for (const each of found) for (const next of importsOf(each)) found.add(next);
  return found;
}

const imports = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const known = imports.get(file);
  if (known) return known;
  const text = file.endsWith(".ts") ? readFileSync(file, "utf8") : "";
  const matches = text.matchAll(
    /^(?:import|export)\s(?!type\s)(?:[^"';]*\sfrom\s)?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm,
  );
  const found = [...matches].map(([, named, awaited]) => resolve(dirname(file), named ?? awaited!));
  imports.set(file, found);
  return found;
}
