import type { BenchContext } from "../bench.ts";
import type { Load, LoadFigures } from "./load.ts";

/** One slice of load on as many connections as are asked for first, told to who watches the progress. */
export async function slice(
  load: Load,
  url: string,
  what: string,
  { options, progress }: BenchContext,
): Promise<LoadFigures> {
  const figures = await load.slice(url, options.connections[0]!, options.seconds);
  progress.step(what);
  return figures;
}
