/**
 * How long the thread that asks has run, to the microsecond.
 *
 * Node tells the time of the whole process only, and what the system writes down of a thread by itself is some
 * milliseconds behind: a turn would be told the time of those before it. The clock that has it all is one of those that
 * programs in WebAssembly may read, so one is read here as they do, into a memory like theirs.
 */
import { WASI } from "node:wasi";

const threadCpuClock = 3;

interface Memory {
  buffer: ArrayBuffer;
}
type MemoryOf = new (size: { initial: number }) => Memory;
// Node's types leave it out.
const { Memory } = Reflect.get(globalThis, "WebAssembly") as { Memory: MemoryOf };

const memory = new Memory({ initial: 1 });
const answer = new DataView(memory.buffer);
const system = new WASI({ version: "preview1" });
system.initialize({ exports: { memory } });

export function ranMs(): number {
  const error = system.wasiImport.clock_time_get!(threadCpuClock, 0n, 0);
  if (error !== 0) throw new Error(`the clock of the thread cannot be read: WASI error ${error}`);
  return Number(answer.getBigUint64(0, true)) / 1e6;
}
