/**
 * Which files failed, and how much of the processor others had meanwhile. On a machine whose host takes it away for seconds
 * everything that waits for only so long may fail, and that says nothing: such files run again, alone, and it is said. So do
 * those whose process was blocked and had to be ended: Node 20 can wait for itself for ever, when its loop has nothing to do
 * at the moment in which a thread that compiles wants memory collected.
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
  details?: { error?: object };
}

/** What the runner calls it when it ends a process that took too long. */
const ended = "testTimeoutFailure";

export interface Failures {
  /** A line of what a test process wrote to its standard error. */
  heard(line: string): void;
  saw(test: FailedTest): void;
  /** The files that failed since this was asked last, each with the share that was taken. */
  take(): Map<string, number>;
  /** Whether its process was ended when it last ran. */
  wasBlocked(file: string): boolean;
}

/** `files` are those that are run. */
export function collectFailures(files: readonly string[]): Failures {
  const began = ticks();
  let failed = new Map<string, number>();
  let isSeen = false;
  const blocked = new Set<string>();
  return {
    heard(line) {
      const [, file, percent] = failureLine.exec(line.trim()) ?? [];
      if (file !== undefined) failed.set(file, Number(percent) / 100);
    },
    saw({ name, todo, details }) {
      if (todo !== undefined && todo !== false) return;
      isSeen = true;
      if (typeOf(details?.error) === ended) blocked.add(name);
      else blocked.delete(name);
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
    wasBlocked: (file) => blocked.has(file),
  };
}

/** Its types leave it out. */
function typeOf(error: { failureType?: string } | object = {}): string | undefined {
  return "failureType" in error ? error.failureType : undefined;
}

export function isStarved(share: number): boolean {
  return share >= starvedShare;
}
