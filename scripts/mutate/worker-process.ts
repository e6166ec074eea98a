/** A worker seen from outside: what is said to it and heard, one order at a time, and an end to those that never finish. */
import { type ChildProcess, fork } from "node:child_process";

export interface SelectedTest {
  file: string;
  index: number;
  /** To be loaded under the mutant. */
  isFresh: boolean;
}

export interface TestReport {
  name: string;
  ms: number;
  reached: number[];
  failure: string | null;
}

export interface FileReport {
  file: string;
  /** Mutants asked about while the file was loaded: only loading it anew can show what they do. */
  reachedOnLoad: number[];
  failure: string | null;
  tests: TestReport[];
}

export type Order = { kind: "survey"; file: string } | { kind: "judge"; mutant: number; test: SelectedTest };

export type Report = { kind: "surveyed"; file: FileReport } | { kind: "judged"; isKilled: boolean };

export interface WorkerProcess {
  /** The report, or null when the worker died or took too long: it is gone then. */
  ask(order: Order, patienceMs: number): Promise<Report | null>;
  stop(): void;
}

// One that is stuck would outlive this process.
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export function startWorker(path: string): WorkerProcess {
  const child: ChildProcess = fork(path, {
    execArgv: ["--max-old-space-size=1024"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  running.add(child);
  const end = () => {
    running.delete(child);
    child.kill("SIGKILL");
  };
  return {
    ask(order, patienceMs) {
      return new Promise((resolve) => {
        const settle = (report: Report | null) => {
          clearTimeout(timer);
          child.removeAllListeners();
          if (report === null) end();
          resolve(report);
        };
        const timer = setTimeout(settle, patienceMs, null);
        child.once("message", (report: Report) => settle(report));
        child.once("error", () => settle(null));
        child.once("exit", () => settle(null));
        if (child.connected) child.send(order, () => {});
        else settle(null);
      });
    },
    stop: end,
  };
}
