/** The README says what the program does: its tables and examples are held against the code. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { parseArgs } from "node:util";
import { commandLine } from "../../src/cli/command-line.ts";
import { listed } from "../../src/cli/help.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import { errors } from "../../src/domain/errors.ts";
import { daysKeptDays } from "../../src/limits.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const readme = read("README.md");

/** The text under a heading, up to the next one. */
function section(heading: string): string {
  const [, text] = readme.split(new RegExp(`^#+ ${heading}$`, "m"));
  assert.ok(text !== undefined, `the README has no heading "${heading}"`);
  return text.split(/^#+ /m)[0]!;
}

/** The cells of the first table in a text, without its head. */
function table(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
const sorted = (words: Iterable<string>) => [...new Set(words)].sort();

/** Every variable that the configuration reads, by the calls that read one. */
const variables = sorted(
  [...read("src/config.ts").matchAll(/\b(?:read|text|oneOf|file|readable)\(\s*"([A-Z_]+)"/g)].map(
    ([, name]) => name!,
  ),
);

test("the configuration table names the variables that are read", () => {
  assert.ok(variables.length > 10);
  assert.deepEqual(sorted(table(section("Configuration")).flatMap(([names]) => quoted(names!))), variables);
});

test("--help names the variables that are read", async () => {
  const { output, errors: complaints, exited } = spawnService({}, ["--help"]);
  const { code } = await exited;
  assert.deepEqual([code, complaints()], [0, ""]);
  const [, help] = output().split("Configuration is read from the environment:");
  const listed = [...help!.matchAll(/^ {2}([A-Z_]+(?:, [A-Z_]+)*) /gm)].flatMap(([, names]) =>
    names!.split(", "),
  );
  const alongside = [...help!.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name]) => name!);
  assert.deepEqual(sorted([...listed, ...alongside]), variables);
});

const admin = commandLine().commands.find((command) => command.name() === "admin")!;
const commands = listed(admin);

interface AdminExample {
  text: string;
  command: string;
  given: string[];
  options: string[];
}

/** A line as the shell would split it; words in brackets are optional, the rest of a line after `#` is said to people. */
function adminExamples(text: string): AdminExample[] {
  return [...text.matchAll(/^ +npm run admin -- (.*)$/gm)].map(([, line]) => {
    const words = line!.replaceAll(/[[\]]/g, "").match(/"[^"]*"|[^\s"]+/g)!;
    const end = words.indexOf("#");
    const args = (end < 0 ? words : words.slice(0, end)).filter((word) => word !== "...");
    const options = Object.fromEntries(
      ["name", "plan", "timezone", "api-access", "limit", "role", "from", "to", "url"].map((name) => [
        name,
        { type: "string" as const, multiple: true },
      ]),
    );
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, json: { type: "boolean" }, help: { type: "boolean" } },
    });
    const command = commands.find(({ words }) => words.every((word, at) => positionals[at] === word));
    return {
      text: line!,
      command: command?.words.join(" ") ?? "",
      given: positionals.slice(command?.words.length ?? 0),
      options: Object.keys(values),
    };
  });
}

test("the admin commands of the README are those of the command line", () => {
  const examples = adminExamples(readme).filter(({ text }) => text !== "--help");
  for (const { text, command, given, options } of examples) {
    const known = commands.find(({ words }) => words.join(" ") === command);
    assert.ok(known, `there is no command like: ${text}`);
    assert.equal(given.length, known.takes.length, text);
    for (const option of options) {
      const names = known.options.map((typed) => typed.split(" ")[0]!.slice(2));
      assert.ok(["json", "url", ...names].includes(option), `${command} has no --${option}`);
    }
  }
  const shown = sorted(examples.map(({ command }) => command));
  assert.deepEqual(shown, sorted(commands.map(({ words }) => words.join(" "))));
  const help = admin.helpInformation();
  for (const command of shown)
    assert.ok(help.includes(`  ${command} `) || help.includes(`  ${command}\n`), command);
});

test("every file that the README links to is tracked", () => {
  const root = new URL("../..", import.meta.url);
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const links = [...readme.matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => target!);
  const files = links.filter((target) => !/^[a-z]+:/.test(target));
  assert.ok(files.length > 0);
  for (const file of files) assert.ok(tracked.includes(file), file);
});

test("the table of errors has every error with its status, and no other", () => {
  const documented = table(section("Errors")).flatMap(([status, codes]) =>
    quoted(codes!).map((code) => `${status} ${code}`),
  );
  assert.deepEqual(
    sorted(documented),
    sorted(Object.entries(errors).map(([code, { status }]) => `${status} ${code}`)),
  );
});

test("the table of plans is the built-in one", () => {
  const number = (value: number) => value.toLocaleString("en-US");
  const yes = (value: boolean) => (value ? "yes" : "no");
  assert.deepEqual(
    table(section("Plans and limits")),
    [...builtInPlans].map(([name, { limits, creates, advanced }]) => [
      name,
      ...[limits.qr_cap, limits.projects, limits.per_minute, limits.per_day, limits.burst].map(number),
      limits.analytics_days === daysKeptDays ? "all" : number(limits.analytics_days),
      yes(creates),
      yes(advanced),
    ]),
  );
});

test("the demo account goes on with the plans file of the README, and so does a first start", {
  timeout: 60_000,
}, async () => {
  const folder = temporaryFolder();
  const PLANS_FILE = join(folder, "plans.json");
  const [example] = /^ {4}\{"free"[\s\S]*?\}\}$/m.exec(section("Plans and limits"))!;
  await writeFile(PLANS_FILE, example);
  const keys: string[] = [];
  const start = async (name: string, env: Record<string, string>) => {
    const service = spawnService({ PORT: "0", DATA_DIR: join(folder, name), LOG_LEVEL: "silent", ...env });
    const address = await service.ready();
    const [shown] = /api_live_[0-9a-z]{32}/.exec(service.output()) ?? [];
    if (shown) keys.push(shown);
    const body = JSON.stringify({ redirect_url: "https://example.com/", scan_limit: 1 });
    const headers = { "x-api-key": keys.at(-1)!, "content-type": "application/json" };
    const { status } = await fetch(`${address}/v1/qr-codes`, { method: "POST", body, headers });
    service.child.kill("SIGTERM");
    await service.exited;
    return status;
  };
  assert.equal(await start("old", {}), 201);
  assert.equal(await start("old", { PLANS_FILE }), 201);
  assert.equal(await start("new", { PLANS_FILE }), 201);
  assert.equal(keys.length, 2);
});

test("the glossary has at most 25 words", () => {
  const [, glossary] = readme.split("Words that mean one thing here:");
  const words = table(glossary!.split(/^#+ /m)[0]!).flatMap(([word]) => word!.split(", "));
  assert.ok(words.length > 10 && words.length <= 25, `${words.length} words`);
  assert.equal(new Set(words).size, words.length);
});
