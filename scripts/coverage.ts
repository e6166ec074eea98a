/**
 * Which lines of the inner folders the tests run: `npm run coverage`, or with words as `npm test` takes them to run
 * only some test files. A process that a test starts counts when it inherits the environment and is not killed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { readCommandLine, refuseCommandLine } from "./command-line.ts";
import {
  linesThatRan,
  linesWithCode,
  type ScriptCoverage,
  type SourceMapData,
} from "./coverage/source-lines.ts";

const folders = ["src/domain", "src/account", "src/link", "src/scan", "src/store"];
const usage = `usage: npm run coverage -- [--threshold 95] [--json] [WORD …]

Runs the tests, or those whose file name contains a WORD, and shows how much of ${folders.join(", ")} they run.
  --threshold N  the share of lines, in per cent, that each folder must reach; less is exit code 1
  --json         the figures as JSON, the tests' own output on standard error
  --help         show this text`;

const { values, positionals: words } = readCommandLine("coverage", usage, {
  allowPositionals: true,
  options: {
    threshold: { type: "string", default: "95" },
    json: { type: "boolean", default: false },
  },
});
const threshold = Number(values.threshold);
if (!(threshold >= 0 && threshold <= 100)) refuseCommandLine("coverage", "--threshold must be from 0 to 100");

interface CoverageFile {
  result: ScriptCoverage[];
  "source-map-cache"?: Record<string, { data: SourceMapData | null; lineLengths: number[] }>;
}

const root = new URL("..", import.meta.url);
const dump = mkdtempSync(join(tmpdir(), "qrelay-coverage-"));
let testsPassed: boolean;
let ran: Map<string, Set<number>>;
try {
  testsPassed = runTests();
  ran = readDump();
} finally {
  rmSync(dump, { recursive: true, force: true });
}
const figures = folders.flatMap((folder) => filesIn(folder).map(figuresOf)).filter(({ lines }) => lines > 0);
const shares = new Map(
  folders.map((folder) => [folder, shareOf(figures.filter(({ file }) => isIn(folder, file)))]),
);
const enough = [...shares.values()].every((share) => share >= threshold);

if (values.json)
  console.log(JSON.stringify({ folders: Object.fromEntries(shares), files: figures }, null, 2));
else printTable();
if (!testsPassed) console.error("tests failed: the figures are of what ran until then");
process.exitCode = testsPassed && enough ? 0 : 1;

function runTests(): boolean {
  const run = spawnSync(process.execPath, ["--import", "tsx", "scripts/test.ts", ...words], {
    cwd: fileURLToPath(root),
    env: { ...process.env, NODE_V8_COVERAGE: dump },
    stdio: ["ignore", values.json ? 2 : 1, 2],
  });
  return run.status === 0;
}

function readDump(): Map<string, Set<number>> {
  const all = new Map<string, Set<number>>();
  for (const file of readdirSync(dump)) {
    const { result, "source-map-cache": maps = {} } = JSON.parse(
      readFileSync(join(dump, file), "utf8"),
    ) as CoverageFile;
    for (const script of result) {
      const map = maps[script.url];
      if (!map?.data) continue;
      for (const [source, lines] of linesThatRan(script, map.data, map.lineLengths)) {
        const url = new URL(source, script.url).href;
        const known = all.get(url) ?? new Set();
        for (const line of lines) known.add(line);
        all.set(url, known);
      }
    }
  }
  return all;
}

function filesIn(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file}`)
    .sort();
}

function figuresOf(file: string) {
  const url = new URL(file, root);
  const { map } = transformSync(readFileSync(url, "utf8"), {
    loader: "ts",
    sourcemap: true,
    sourcefile: file,
  });
  const code = [...linesWithCode(JSON.parse(map) as SourceMapData)].sort((a, b) => a - b);
  const missed = code.filter((line) => !ran.get(url.href)?.has(line));
  return { file, lines: code.length, covered: code.length - missed.length, missed };
}

function shareOf(files: typeof figures): number {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const covered = files.reduce((sum, file) => sum + file.covered, 0);
  return lines === 0 ? 100 : (100 * covered) / lines;
}

function printTable(): void {
  const width = Math.max(...figures.map(({ file }) => file.length));
  for (const [folder, share] of shares) {
    console.log();
    for (const one of figures.filter(({ file }) => isIn(folder, file))) {
      const missed = one.missed.length === 0 ? "" : `  not run: ${spans(one.missed)}`;
      const lines = String(one.lines).padStart(4);
      console.log(`${one.file.padEnd(width)} ${percent(shareOf([one]))} of ${lines}${missed}`);
    }
    const verdict = share >= threshold ? "" : `  below ${threshold} %`;
    console.log(`${folder.padEnd(width)} ${percent(share)}${verdict}`);
  }
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`);
}

function percent(share: number): string {
  return `${share.toFixed(1).padStart(5)} %`;
}

/** `3, 5-8` */
function spans(lines: readonly number[]): string {
  const found: [number, number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
