/** One thread's priority and processor time. Linux has both for each thread; elsewhere they are the process's. */
import { readFileSync, readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** Of a thread whose number nobody knows. */
const unknownThread = -1;
/** The unit of times under /proc, the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The calling thread's number within the process, never 0. */
export function threadNumber(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1)) || unknownThread;
  } catch {
    return unknownThread;
  }
}

/** The calling thread runs when nobody else wants to. */
export function letOthersFirst(): void {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
}

/** Nobody ever writes there, so that a wait for it ends by the clock. */
const unwritten = new Int32Array(new SharedArrayBuffer(4));
/** The system makes some 60 µs of it. */
const restMs = 0.01;

/**
 * The calling thread lets go of its core for a moment. One that never does keeps a core, once it has it, until the system's
 * next tick, which can be 4 ms, however low its priority.
 */
export function letOthersIn(): void {
  Atomics.wait(unwritten, 0, 0, restMs);
}

/** How long the thread has run so far, or null where that cannot be told. */
export function threadMs(thread: number): number | null {
  if (thread === unknownThread) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "latin1");
    // Behind the name, which may hold anything; user and system time are the 12th and 13th word there.
    const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(words[11]) + Number(words[12])) * 1_000) / ticksPerSecond;
  } catch {
    return null;
  }
}
