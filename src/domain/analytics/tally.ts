/** Scans added up. */
import type { Tally } from "../documents.ts";

/** All scans of an hour or a day. */
export function scansIn({ people, robots }: { people: Tally | null; robots: Tally | null }): number {
  return (people?.total ?? 0) + (robots?.total ?? 0);
}
