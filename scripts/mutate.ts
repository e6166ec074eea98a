/** Mutation testing of the domain: small changes to its code, and whether a quick test notices each. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { readCommandLine, refuseCommandLine } from "./command-line.ts";
import type { Mutant } from "./mutate/instrument.ts";
import { type Fate, judgeAll } from "./mutate/judge.ts";
import { makeSandbox } from "./mutate/sandbox.ts";

const usage = `usage: npm run mutate -- [--file NAME] [--threshold 80] [--processes N] [--json]

Changes src/domain in many small ways, one at a time, and runs the quick tests that reach each change.
  --file NAME    only files of src/domain whose name contains NAME
  --threshold N  the share of changes, in per cent, that tests must notice; less is exit code 1
  --processes N  how many run at once; as many as there are cores unless told
  --json         the figures and the survivors as JSON
  --help         show this text`;

const { values } = readCommandLine("mutate", usage, {
  options: {
    file: { type: "string", default: "" },
    threshold: { type: "string", default: "80" },
    processes: { type: "string", default: String(availableParallelism()) },
    json: { type: "boolean", default: false },
  },
});
const threshold = Number(values.threshold);
const processes = Number(values.processes);
if (!(threshold >= 0 && threshold <= 100)) refuseCommandLine("mutate", "--threshold must be from 0 to 100");
if (!(processes >= 1)) refuseCommandLine("mutate", "--processes must be 1 or more");

const sandbox = makeSandbox(fileURLToPath(new URL("..", import.meta.url)), values.file);
process.once("exit", sandbox.remove);
if (sandbox.mutants.length === 0) {
  console.error(`no file of src/domain with code has ${values.file} in its name`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const began = performance.now();
const fates = await judgeAll(sandbox, processes, (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${sandbox.mutants.length} mutants `);
});
if (process.stderr.isTTY) process.stderr.write("\n");
const seconds = Math.round((performance.now() - began) / 1000);

const files = [...new Set(sandbox.mutants.map(({ file }) => file))].map((file) =>
  figuresOf(file, (mutant) => mutant.file === file),
);
const total = figuresOf("total", () => true);
const alive = [...fates].filter(([, fate]) => fate === "survived" || fate === "not reached");

if (values.json) {
  const survivors = alive.map(([{ id: _, ...mutant }, fate]) => ({ ...mutant, fate }));
  console.log(JSON.stringify({ seconds, total, files, survivors }, null, 2));
} else {
  print();
}
process.exitCode = share(total) >= threshold ? 0 : 1;

function figuresOf(file: string, isOfFile: (mutant: Mutant) => boolean) {
  const count = (fate: Fate) => [...fates].filter(([mutant, one]) => one === fate && isOfFile(mutant)).length;
  const [killed, stuck] = [count("killed"), count("stuck")];
  const [survived, notReached] = [count("survived"), count("not reached")];
  return { file, mutants: killed + stuck + survived + notReached, killed, stuck, survived, notReached };
}

/** Stuck counts as killed. */
function share({ killed, stuck, mutants }: typeof total): number {
  return mutants === 0 ? 100 : (100 * (killed + stuck)) / mutants;
}

function print(): void {
  for (const [{ file, line, was, becomes }, fate] of alive) {
    console.log(`${file}:${line} ${fate}: ${short(was)} → ${short(becomes)}`);
  }
  const width = Math.max(...files.map(({ file }) => file.length));
  console.log(`\n${"".padEnd(width)}  mutants  killed  stuck  survived  not reached`);
  for (const one of [...files, total]) {
    const { mutants, killed, stuck, survived, notReached } = one;
    const columns = [mutants, killed, stuck, survived, notReached].map((count, at) =>
      String(count).padStart([9, 8, 7, 10, 13][at]!),
    );
    console.log(`${one.file.padEnd(width)}${columns.join("")}  ${share(one).toFixed(1).padStart(5)} %`);
  }
  const verdict = share(total) >= threshold ? "" : `, below ${threshold} %`;
  console.log(`\n${share(total).toFixed(1)} % killed in ${seconds} s${verdict}`);
}

function short(code: string): string {
  const line = code.replace(/\s+/g, " ");
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}
