/** What every bench gets and gives. */
import type { BenchOptions } from "./arguments.ts";
import type { Figure } from "./figures.ts";
import type { LoadGenerator } from "./load.ts";
import type { Cores } from "./processes.ts";
import type { Progress } from "./progress.ts";

export interface BenchContext {
  options: BenchOptions;
  cores: Cores;
  generator: LoadGenerator;
  progress: Progress;
  /** Something that a reader of the figures must know. */
  note(text: string): void;
}

export type Bench = (context: BenchContext) => Promise<Figure[]>;
