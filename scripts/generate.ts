/**
 * Turns the types under `src/schema` into validators and component schemas, with typia.
 *
 * It runs before build, test and check, and costs nothing when there is nothing to do: the
 * generated folder carries a fingerprint of everything it was made from (the source files that typia sees,
 * the compiler's settings, the versions) and of what was made. Any difference means: make it again.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "./command-line.ts";

const require = createRequire(import.meta.url);
const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "..");

function placesIn(root: string) {
  const output = join(root, "src/schema/generated");
  return {
    root,
    input: join(root, "src/schema/compile"),
    output,
    fingerprint: join(output, "fingerprint"),
    tsconfig: join(root, "tsconfig.json"),
  };
}

function filesOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return names.sort().map((name) => join(folder, name));
}

/** The files typia reads, found by following imports, so that no input can be forgotten here. */
function sourcesFrom(entries: readonly string[]): string[] {
  const found = new Set(entries);
  for (const file of found) {
    for (const [, target] of readFileSync(file, "utf8").matchAll(/\bfrom "(\.[^"]+\.ts)"/g)) {
      found.add(resolve(dirname(file), target!));
    }
  }
  return [...found].sort();
}

function hashFiles(root: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

function versionOf(name: string): string {
  return `${name}@${(require(`${name}/package.json`) as { version: string }).version}`;
}

function fingerprint({ root, input, output, tsconfig }: ReturnType<typeof placesIn>): string {
  const made = [
    `inputs ${hashFiles(root, [...sourcesFrom(filesOf(input)), tsconfig])}`,
    `outputs ${hashFiles(root, filesOf(output))}`,
    `by ${versionOf("typia")} ${versionOf("typescript")}`,
  ];
  return `${made.join("\n")}\n`;
}

export function generatedIsFresh(root: string = projectRoot): boolean {
  const places = placesIn(root);
  return existsSync(places.fingerprint) && readFileSync(places.fingerprint, "utf8") === fingerprint(places);
}

/**
 * Writes beside the output folder and moves file by file, the fingerprint last: whoever reads meanwhile sees
 * whole files, and a run that dies half-way leaves a folder that is not fresh.
 */
export function generate(root: string = projectRoot): void {
  const places = placesIn(root);
  const fresh = join(dirname(places.output), `.generating-${process.pid}`);
  const typia = join(dirname(require.resolve("typia/package.json")), "lib/executable/typia.js");
  try {
    const args = ["generate", "--input", places.input, "--output", fresh, "--project", places.tsconfig];
    const run = spawnSync(process.execPath, [typia, ...args], { cwd: root, encoding: "utf8" });
    if (run.status !== 0) {
      const said = run.error?.message ?? `${run.stderr}${run.stdout}`;
      throw new Error(`typia could not generate the validators:\n${said}`);
    }
    const made = filesOf(fresh);
    const untouched = made.filter((file) => /\btypia\.\w+(\.\w+)?</.test(readFileSync(file, "utf8")));
    if (made.length === 0 || untouched.length > 0) {
      throw new Error(`typia left calls as they were in ${untouched.join(", ") || places.input}`);
    }
    rmSync(places.fingerprint, { force: true });
    mkdirSync(places.output, { recursive: true });
    for (const file of made) {
      // The types were checked where they were written; typia leaves imports behind that nothing uses.
      writeFileSync(file, `// @ts-nocheck made by scripts/generate.ts\n${readFileSync(file, "utf8")}`);
      renameSync(file, join(places.output, relative(fresh, file)));
    }
    for (const file of filesOf(places.output)) {
      if (!existsSync(join(places.input, relative(places.output, file)))) rmSync(file);
    }
    writeFileSync(places.fingerprint, fingerprint(places));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const usage = `usage: npm run generate

Makes the validators and schemas in src/schema/generated from the types in src/schema, when they are not fresh.
  --help  show this text`;

function main(): void {
  readCommandLine("generate", usage, {});
  if (generatedIsFresh()) return;
  const begun = performance.now();
  try {
    generate();
    console.log(`generated validators and schemas in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
