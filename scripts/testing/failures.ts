/**
 * Which files failed, and how much of the processor others had meanwhile. On a machine whose host takes it away for seconds
 * everything that waits for only so long may fail, and that says nothing: such files run again, alone, and it is said.
 */
import { type Ticks, takenShare, ticks } from "../taken-time.ts";

/** Of what was wanted. Where a machine has its processor for itself it is 0. */
const starvedShare = 0.1;

const marker = "test file failed: ";
const failureLine = new RegExp(`^${marker}(.+); of the processor others took (\\d+) %$`);

/** What the process of a test file says when it ends with a failure. */
export function failureText(file: string, since: Ticks): string {
  return `${marker}${file}; of the processor others took ${Math.round(100 * takenShare(since))} %`;
}

interface FailedTest {
  name: string;
  todo?: string | boolean | undefined;
}

export interface Failures {
  /** A line of what a test process wrote to its standard error. */
  heard(line: string): void;
  saw(test: FailedTest): void;
  /** The files that failed since this was asked last, each with the share that was taken. */
  take(): Map<string, number>;
}

/** `files` are those that are run. */
export function collectFailures(files: readonly string[]): Failures {
  const began = ticks();
  let failed = new Map<string, number>();
  let isSeen = false;
  return {
    heard(line) {
      const [, file, percent] = failureLine.exec(line.trim()) ?? [];
      if (file !== undefined) failed.set(file, Number(percent) / 100);
    },
    saw({ name, todo }) {
      if (todo !== undefined && todo !== false) return;
      isSeen = true;
      // A process that was killed says nothing itself.
      if (files.includes(name) && !failed.has(name)) failed.set(name, takenShare(began));
    },
    take() {
      const taken = failed;
      if (isSeen && taken.size === 0) taken.set("an unknown file", 0);
      failed = new Map();
      isSeen = false;
      return taken;
    },
  };
}

export function isStarved(share: number): boolean {
  return share >= starvedShare;
}
