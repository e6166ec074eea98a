/** What every bench gets and gives. */
import type { BenchOptions } from "./arguments.ts";
import type { MongoServer } from "./filling/database.ts";
import type { LoadGenerator } from "./load/load.ts";
import type { Cores } from "./processes.ts";
import type { Figure } from "./report/figures.ts";
import type { Progress } from "./report/progress.ts";

export interface BenchContext {
  options: BenchOptions;
  cores: Cores;
  generator: LoadGenerator;
  mongodb: MongoServer;
  progress: Progress;
  /** Something that a reader of the figures must know. */
  note(text: string): void;
}

export type Bench = (context: BenchContext) => Promise<Figure[]>;

/** One that reads `/proc`, and is left out where there is none. */
export function readingProc(name: string, bench: Bench): Bench {
  return async (context) => {
    if (process.platform === "linux") return bench(context);
    context.note(`${name}: left out, it reads /proc`);
    return [];
  };
}
