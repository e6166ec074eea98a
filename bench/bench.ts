/** What every bench gets and gives. */
import type { BenchOptions } from "./arguments.ts";
import type { MongoServer } from "./filling/database.ts";
import type { LoadGenerator } from "./load/load.ts";
import type { Cores } from "./processes.ts";
import { interleave, type Measures, type Slices } from "./report/compare.ts";
import type { Figure } from "./report/figures.ts";
import type { Progress } from "./report/progress.ts";
import type { Undisturbed } from "./undisturbed.ts";

export interface BenchContext {
  options: BenchOptions;
  cores: Cores;
  generator: LoadGenerator;
  mongodb: MongoServer;
  progress: Progress;
  undisturbed: Undisturbed;
  /** Something that a reader of the figures must know. */
  note(text: string): void;
}

/** Two programs, slice by slice, while the host leaves them the processor. */
export function interleaved<M>(
  { options, undisturbed }: BenchContext,
  { reference, variant }: Measures<M>,
): Promise<Slices<M>> {
  return interleave(options.pairs, {
    reference: () => undisturbed(reference),
    variant: () => undisturbed(variant),
  });
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
