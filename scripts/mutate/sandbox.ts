/**
 * A folder apart with what a mutation run executes: the tests that stay inside the domain, all they import, with
 * the domain instrumented and `node:test` replaced. Compiled here once, so that a worker starts as plain JavaScript.
 */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { transformSync } from "esbuild";
import ts from "typescript";
import { instrument, type Mutant } from "./instrument.ts";

const domain = "src/domain";
/** What a quick test may import: no server, no store, no process. */
const quick =
  /^(?:src\/(?:domain|schema|link|visitor|runtime)\/|test\/|scripts\/mutate\/|src\/(?!main)[\w-]+\.ts$)/;
const switchFile = "scripts/mutate/switch.ts";
const collectedTestsFile = "scripts/mutate/collected-tests.ts";
const workerFile = "scripts/mutate/worker.ts";
const hookFile = "scripts/mutate/fresh-modules.ts";

export interface Sandbox {
  mutants: Mutant[];
  tests: string[];
  worker: string;
  remove(): void;
}

interface Module {
  code: string;
  imports: string[];
}

/** Mutants are made of the domain files whose name contains `only`. */
export function makeSandbox(root: string, only: string): Sandbox {
  const { mutants, copies } = instrumentDomain(root, only);
  const modules = new Map<string, Module>();
  const moduleOf = (file: string): Module => {
    let module = modules.get(file);
    if (module === undefined) {
      module = compile(file, copies.get(file) ?? fs.readFileSync(join(root, file), "utf8"));
      modules.set(file, module);
    }
    return module;
  };
  const withImports = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file)) return found;
    found.add(file);
    for (const next of moduleOf(file).imports) withImports(next, found);
    return found;
  };

  const testFiles = filesIn(root, "test", ".test.ts").filter((file) => {
    const testsDomain = moduleOf(file).imports.some((one) => one.startsWith(`${domain}/`));
    return testsDomain && [...withImports(file)].every((one) => quick.test(one));
  });
  const folder = fs.mkdtempSync(join(tmpdir(), "qrelay-mutate-"));
  const compiled = (file: string) => join(folder, file.replace(/\.ts$/, ".js"));
  for (const file of new Set([...testFiles, workerFile, hookFile].flatMap((one) => [...withImports(one)]))) {
    fs.mkdirSync(dirname(compiled(file)), { recursive: true });
    fs.writeFileSync(compiled(file), moduleOf(file).code);
  }
  fs.writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  fs.symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    mutants,
    tests: testFiles.map(compiled),
    worker: compiled(workerFile),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

function instrumentDomain(root: string, only: string): { mutants: Mutant[]; copies: Map<string, string> } {
  const mutants: Mutant[] = [];
  const copies = new Map<string, string>();
  for (const file of filesIn(root, domain, ".ts").filter((name) => name.includes(only))) {
    const made = instrument(file, fs.readFileSync(join(root, file), "utf8"), mutants.length + 1);
    mutants.push(...made.mutants);
    copies.set(file, `import { isActive as $ } from "${fromOf(file, switchFile)}";\n${made.text}`);
  }
  return { mutants, copies };
}

function filesIn(root: string, folder: string, ending: string): string[] {
  return fs
    .readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** To JavaScript whose imports lead to the other compiled files, and `node:test` to what takes its place. */
function compile(file: string, text: string): Module {
  const { code } = transformSync(text, { loader: "ts", format: "esm", target: "node20" });
  const imports: string[] = [];
  let linked = "";
  let at = 0;
  for (const { fileName, pos, end } of ts.preProcessFile(code).importedFiles) {
    let to = fileName;
    if (fileName === "node:test") to = fromOf(file, collectedTestsFile);
    else if (/^\.{1,2}\/.*\.ts$/.test(fileName)) imports.push(posix.join(dirname(file), fileName));
    linked += code.slice(at, pos + 1) + (to.startsWith(".") ? to.replace(/\.ts$/, ".js") : to);
    at = end + 1;
  }
  return { code: linked + code.slice(at), imports };
}

function fromOf(file: string, imported: string): string {
  return posix.relative(dirname(file), imported);
}
