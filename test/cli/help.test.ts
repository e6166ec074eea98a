/** Every command explains itself, and says in one line what it does not understand. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compile } from "../../scripts/compile.ts";
import { commandLine } from "../../src/cli/command-line.ts";
import { listed } from "../../src/cli/help.ts";
import { programArguments } from "../support/built.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const adminCommands = listed(commandLine().commands.find((command) => command.name() === "admin")!);

const programs: Record<string, string> = {
  "npm start": "qrelay",
  "qrelay start": "qrelay start",
  "npm run admin": "qrelay admin",
  "qrelay store copy": "qrelay store copy",
  "npm run bench": "bench/main.ts",
  "npm run soak": "scripts/soak.ts",
  "npm run simulate": "scripts/simulate.ts",
  "npm run mutate": "scripts/mutate.ts",
  "npm run coverage": "scripts/coverage.ts",
  "npm test": "scripts/test.ts",
  "npm run generate": "scripts/generate.ts",
  mongod: "scripts/mongod.ts",
  "contact-sheet": "scripts/contact-sheet.ts",
};

interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** It is asked whether it is the program, by its own address: only as it is can it tell. */
const asItIs = "scripts/generate.ts";
const sources = Object.values(programs).filter((program) => program.endsWith(".ts") && program !== asItIs);
const compiled = await compile(
  root,
  sources.map((source) => join(root, source)),
);
after(compiled.remove);

function argumentsOf(program: string): readonly string[] {
  if (program === "qrelay") return programArguments();
  return program === asItIs ? ["--import", "tsx", program] : [compiled.fileOf(join(root, program))];
}

function run(script: string, ...args: string[]): Promise<Ended> {
  const [program, ...words] = script.split(" ");
  const command = [...argumentsOf(program!), ...words, ...args];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { cwd: root }, (_failure, output, errors) =>
      resolve({ code: child.exitCode, output, errors }),
    );
  });
}

function assertHelp({ code, output, errors }: Ended, of: string): void {
  assert.equal(code, 0, `${of}: ${errors}`);
  assert.match(output, /^usage: /im, of);
  assert.equal(errors, "", of);
}

function assertRefusal({ code, output, errors }: Ended, naming: string): void {
  assert.ok(code !== 0 && code !== null, `exit code ${code}`);
  assert.equal(output, "");
  assert.match(errors, /^qrelay[^\n]*see --help\n$/, "one line");
  assert.ok(errors.includes(naming), errors);
}

describe("commands", { concurrency: 2 }, () => {
  for (const [name, script] of Object.entries(programs)) {
    test(name, { timeout: 120_000 }, async () => {
      // Both spellings are one option to whoever reads them, and a process is dear: each program gets one.
      const spelling = name.length % 2 === 0 ? "--help" : "-h";
      assertHelp(await run(script, spelling), spelling);
      assertRefusal(await run(script, "--no-such-option"), "--no-such-option");
    });
  }

  test("npm run admin, every command of it", { timeout: 120_000 }, async () => {
    for (const noun of new Set(adminCommands.map(({ words }) => words[0]!))) {
      const help = await run("qrelay admin", noun, "--help");
      assertHelp(help, noun);
      for (const { words } of adminCommands) {
        assert.equal(help.output.includes(`\n  ${words.join(" ")}`), words[0] === noun, words.join(" "));
      }
    }
    const [command, other] = adminCommands;
    const help = await run("qrelay admin", ...command!.words, "-h");
    assertHelp(help, command!.words.join(" "));
    assert.ok(help.output.includes(`  ${command!.words.join(" ")}`));
    assert.ok(!help.output.includes(`\n  ${other!.words.join(" ")}`));
    assertRefusal(await run("qrelay admin", ...command!.words, "x", "--wrong"), "--wrong");
    assertRefusal(await run("qrelay admin", "no", "such", "command"), "no such command");
  });

  test("values that cannot be used are refused in one line too", { timeout: 120_000 }, async () => {
    assertRefusal(await run("scripts/simulate.ts", "--seeds", "many"), "--seeds");
    assertRefusal(await run("scripts/simulate.ts", "--mutant", "none"), "--mutant");
    assertRefusal(await run("scripts/mutate.ts", "--threshold", "101"), "--threshold");
    assertRefusal(await run("scripts/coverage.ts", "--threshold=x"), "--threshold");
    assertRefusal(await run("scripts/soak.ts", "--minutes", "no"), "--minutes");
    assertRefusal(await run("bench/main.ts", "no-such-bench"), "no-such-bench");
    assertRefusal(await run("scripts/contact-sheet.ts"), "FILE.png");
    assertRefusal(await run("scripts/mongod.ts", "uninstall"), "install");
    assertRefusal(await run("scripts/generate.ts", "more"), "more");
  });
});
