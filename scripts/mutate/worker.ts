/** Runs tests under one mutant after another. Started by the pool, in the sandbox. */
import { register } from "node:module";
import fc from "fast-check";
import { type CollectedTest, testsOf } from "./collected-tests.ts";
import { activate, original, reachedDuring } from "./switch.ts";
import type { FileReport, Order, Report, SelectedTest, TestReport } from "./worker-process.ts";

// The same examples for every mutant; a failure is enough, nobody reads the smallest one.
fc.configureGlobal({ seed: 1, endOnFailure: true });

register("./fresh-modules.js", import.meta.url);

/** All that the domain changes outside itself; a mutant may forget to put it back. */
const { stackTraceLimit } = Error;
const loaded = new Map<string, Promise<CollectedTest[]>>();

function load(address: string): Promise<CollectedTest[]> {
  let tests = loaded.get(address);
  if (tests === undefined) {
    tests = testsOf(() => import(address));
    loaded.set(address, tests);
  }
  return tests;
}

async function obey(order: Order): Promise<Report> {
  if (order.kind === "survey") return { kind: "surveyed", file: await survey(order.file) };
  return { kind: "judged", isKilled: !(await passes(order.test, order.mutant)) };
}

async function passes({ file, index, isFresh }: SelectedTest, mutant: number): Promise<boolean> {
  if (!isFresh) await load(file);
  activate(mutant);
  try {
    const tests = await load(isFresh ? `${file}?mutant=${mutant}` : file);
    await tests[index]?.run();
    return true;
  } catch {
    return false;
  } finally {
    activate(original);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function survey(file: string): Promise<FileReport> {
  const report: FileReport = { file, reachedOnLoad: [], failure: null, tests: [] };
  try {
    report.reachedOnLoad = await reachedDuring(async () => void (await load(file)));
  } catch (cause) {
    return { ...report, failure: String(cause) };
  }
  for (const test of await load(file)) {
    const one: TestReport = { name: test.name, ms: 0, reached: [], failure: null };
    const began = performance.now();
    try {
      one.reached = await reachedDuring(test.run);
    } catch (cause) {
      one.failure = String(cause);
    }
    one.ms = performance.now() - began;
    report.tests.push(one);
  }
  return report;
}

process.on("message", async (order: Order) => {
  process.send?.(await obey(order));
});
