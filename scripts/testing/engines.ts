/**
 * On which engines the tests run: all on the one that the service takes here by itself, and those that face HTTP on
 * the other as well where both load. `TEST_ENGINE` asks for one and no other.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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
  files: string[];
  /** Reads what a test process wrote to its standard error. */
  heard(text: string): void;
  /** The files that failed in their repetition: the report does not tell the two apart. */
  failed(): string[];
  remove(): void;
}

/** Files that run test files again on an engine: processes of the runner differ by their file only. */
export function repeatOn(engine: EngineName, root: string, testFiles: readonly string[]): RepeatedFiles {
  const folder = mkdtempSync(join(tmpdir(), "qrelay-tests-"));
  const marker = `failed on ${engine}: `;
  let errors = "";
  const files = testFiles.map((testFile) => {
    const file = join(folder, `${basename(testFile, ".test.ts")}.on-${engine}.test.mjs`);
    const said = JSON.stringify(`${marker}${testFile.replace(root, "")}`);
    writeFileSync(
      file,
      `process.env.TEST_ENGINE = ${JSON.stringify(engine)};
process.on("exit", (code) => {
  if (code !== 0) console.error(${said});
});
await import(${JSON.stringify(pathToFileURL(testFile).href)});
`,
    );
    return file;
  });
  return {
    files,
    heard(text) {
      errors += text.includes(marker) ? text : "";
    },
    failed: () => errors.split("\n").filter((line) => line.startsWith(marker)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
