/**
 * The threads with which V8 compiles and collects memory beside the loop.
 *
 * On a core that the loop shares with them each of them keeps scans waiting for up to 4 ms at a time, until the system's next
 * tick, and there are four: beside a stream of creates most of the slowest scans had waited for them. So they come after the
 * loop, and are given less to do.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";

/** As the system counts: 0 is everybody's, 19 what runs when nobody else wants to. */
export const helperPriority = 15;

export interface Thread {
  id: number;
  name: string;
}

/** As Node names them, in versions that name threads. */
const helperName = "V8Worker";
/** Others do not: the process's first thread is followed by one that keeps time for the helpers, and then by them. */
const helpersAfter = 2;
const helpersCount = 4;
const countOption = "--v8-pool-size";

const flags = [
  // What is young and survives is little: the loop is done with it before others have woken up, and waits for nobody.
  "--no-parallel-scavenge",
  // How objects of a kind are laid out is forgotten when two collections of all memory find none of the kind, and then what
  // was compiled for it is compiled again. A service that pauses has kinds that come and go: they are remembered.
  "--retain-maps-for-n-gc=1000",
  // All memory is collected when there is twice as much as was left the last time, and not somewhat more. What was compiled
  // for functions of which none is alive just then is lost with it.
  "--heap-growing-percent=100",
];

/** To be called before anything else, by the process whose loop it is. */
export function putLoopFirst(): void {
  for (const flag of flags) setFlagsFromString(flag);
  // Elsewhere a thread has no priority of its own.
  if (process.platform !== "linux") return;
  const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");
  try {
    for (const id of helpersAmong(threadsOf("self"), process.pid, options)) setPriority(id, helperPriority);
  } catch {
    // Where a sandbox hides or forbids it, they stay as they are: scans wait longer beside changes, and nothing else.
  }
}

/** Empty where they cannot be told from others. */
export function helpersAmong(threads: readonly Thread[], first: number, options: string): number[] {
  const named = threads.filter(({ name }) => name === helperName);
  if (named.length > 0) return named.map(({ id }) => id);
  if (options.includes(countOption)) return [];
  const ids = threads.map(({ id }) => id).sort((a, b) => a - b);
  // In the order in which they were made, unless the system began again with small numbers meanwhile.
  return ids[0] === first ? ids.slice(helpersAfter, helpersAfter + helpersCount) : [];
}

export function threadsOf(process: string): Thread[] {
  const folder = `/proc/${process}/task`;
  return readdirSync(folder).map((id) => ({
    id: Number(id),
    name: readFileSync(`${folder}/${id}/comm`, "utf8").trim(),
  }));
}
