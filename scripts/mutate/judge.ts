/**
 * Which mutants the tests notice.
 *
 * A first run without any mutant tells what each test reaches and how long it takes. Then every mutant meets the
 * tests that reach it, until one fails. The processes live on, with everything loaded. For a mutant that already
 * plays a part while a test file is loaded (a table, a constant) the file is loaded anew.
 */
import type { Mutant } from "./instrument.ts";
import type { Sandbox } from "./sandbox.ts";
import { original } from "./switch.ts";
import { type FileReport, type SelectedTest, startWorker, type WorkerProcess } from "./worker-process.ts";

/** A mutant that makes a test run for ever, or its process end, is "stuck": noticed too, yet told apart. */
export type Fate = "killed" | "stuck" | "survived" | "not reached";

const patienceMs = 5_000;
const surveyMs = 120_000;
/** A test that takes longer without a mutant would take hours with all of them. */
const testMsMax = 1_000;
/** What is loaded anew stays in memory: after so many mutants a process is replaced. */
const freshMutantsMax = 100;

interface PlannedTest extends SelectedTest {
  ms: number;
}

export async function judgeAll(
  sandbox: Sandbox,
  processes: number,
  progress: (done: number) => void,
): Promise<Map<Mutant, Fate>> {
  const survey = await surveyOf(sandbox, processes);
  const idle: { worker: WorkerProcess; freshMutants: number }[] = [];
  const fates = new Map<Mutant, Fate>();
  await inLanes(processes, sandbox.mutants, async (mutant) => {
    const tests = testsFor(mutant.id, survey);
    const one = idle.pop() ?? { worker: startWorker(sandbox.worker), freshMutants: 0 };
    const fate = tests.length === 0 ? "not reached" : await fateOf(one.worker, mutant.id, tests);
    if (tests.some((test) => test.isFresh)) one.freshMutants++;
    if (fate !== "stuck" && one.freshMutants < freshMutantsMax) idle.push(one);
    else one.worker.stop();
    fates.set(mutant, fate);
    progress(fates.size);
  });
  for (const { worker } of idle) {
    for (const test of testsFor(original, survey)) {
      if ((await fateOf(worker, original, [test])) === "survived") continue;
      throw new Error(
        `a mutant left something behind: ${test.file} fails now without it, test ${test.index}`,
      );
    }
    worker.stop();
  }
  return new Map(sandbox.mutants.map((mutant) => [mutant, fates.get(mutant)!]));
}

/** Each file in a process of its own: what is loaded once would else count for the first file only. */
async function surveyOf(sandbox: Sandbox, processes: number): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  await inLanes(processes, sandbox.tests, async (file) => {
    const worker = startWorker(sandbox.worker);
    const report = await worker.ask({ kind: "survey", file }, surveyMs);
    worker.stop();
    if (report?.kind !== "surveyed") throw new Error(`${file} did not end without a mutant`);
    for (const { name, failure } of [{ ...report.file, name: "loading it" }, ...report.file.tests]) {
      if (failure !== null) console.error(`left out, fails without a mutant: ${file}: ${name}: ${failure}`);
    }
    if (report.file.failure === null) reports.push(report.file);
  });
  return reports;
}

async function inLanes<T>(
  lanes: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function fateOf(worker: WorkerProcess, mutant: number, tests: readonly PlannedTest[]): Promise<Fate> {
  for (const { ms, ...test } of tests) {
    const report = await worker.ask({ kind: "judge", mutant, test }, patienceMs + 10 * ms);
    if (report?.kind !== "judged") return "stuck";
    if (report.isKilled) return "killed";
  }
  return "survived";
}

/** Those that need no loading first, the quickest first. Without a mutant, all. */
function testsFor(mutant: number, survey: readonly FileReport[]): PlannedTest[] {
  const loaded: PlannedTest[] = [];
  const fresh: PlannedTest[] = [];
  for (const { file, reachedOnLoad, tests } of survey) {
    const isFresh = reachedOnLoad.includes(mutant);
    for (const [index, { ms, reached, failure }] of tests.entries()) {
      const isMet = isFresh || mutant === original || reached.includes(mutant);
      if (failure !== null || ms > testMsMax || !isMet) continue;
      (isFresh ? fresh : loaded).push({ file, index, isFresh, ms });
    }
  }
  // A file that loads little is about little: the likeliest to notice, and the quickest to load.
  const loads = new Map(survey.map(({ file, reachedOnLoad }) => [file, reachedOnLoad.length]));
  loaded.sort((one, other) => one.ms - other.ms);
  fresh.sort((one, other) => loads.get(one.file)! - loads.get(other.file)! || one.ms - other.ms);
  return [...loaded, ...fresh];
}
