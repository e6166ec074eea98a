/**
 * Which test files depend on the engine that speaks HTTP: those that reach, through their imports, the one file that
 * chooses an engine for the tests. Found by following the imports, so that no list has to be kept.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const choosesEngine = "test/support/engine.ts";

export function isHttpFacing(root: string, testFile: string): boolean {
  return reachedFrom(testFile).has(`${root}${choosesEngine}`);
}

/** The file and all files of the project that it imports, directly or not; imports of types alone do not count. */
export function reachedFrom(file: string): Set<string> {
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
