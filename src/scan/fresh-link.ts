/** Brings a link into the table whose scans cannot be decided without the store. */
import { loadsPerScanMax } from "../limits.ts";
import { decide, type Verdict, verdict } from "../link/decision.ts";
import type { SlugKey } from "../link/slug.ts";
import type { Scans } from "./scans.ts";

export function decideNow({ table, projects, clock }: Scans, slot: number): Verdict {
  return slot < 0 ? verdict.undecided : decide(table, projects, slot, clock.now());
}

/** Null when the link is in the table and fresh, otherwise what its scans get. */
export async function freshLink(scans: Scans, key: SlugKey): Promise<Verdict | null> {
  const { table, loader, onFailure } = scans;
  const isFresh = () => decideNow(scans, table.find(key)) !== verdict.undecided;
  try {
    for (let load = 0; load < loadsPerScanMax; load++) {
      if (isFresh()) return null;
      if (!(await loader.load(key))) return verdict.notFound;
    }
    if (isFresh()) return null;
  } catch (err) {
    onFailure(err);
  }
  return verdict.unavailable;
}
