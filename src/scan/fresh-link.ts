/** Brings a link into the table whose scans cannot be decided without the store. */
import { loadsPerScanMax } from "../limits.ts";
import { decide, type Verdict, verdict } from "../link/decision.ts";
import type { LinkLoader } from "../link/link-loader.ts";
import type { LinkTable } from "../link/link-table.ts";
import type { ProjectStates } from "../link/project-states.ts";
import type { SlugKey } from "../link/slug.ts";
import type { Clock } from "../runtime/clock.ts";

interface Deciding {
  table: LinkTable;
  projects: ProjectStates;
  clock: Clock;
}

interface Loading extends Deciding {
  loader: Pick<LinkLoader, "load">;
  /** The store was needed and failed. */
  onFailure(err: unknown): void;
}

export function decideNow({ table, projects, clock }: Deciding, slot: number): Verdict {
  return slot < 0 ? verdict.undecided : decide(table, projects, slot, clock.now());
}

/** Null when the link is in the table and fresh, otherwise what its scans get. */
export async function freshLink(scans: Loading, key: SlugKey): Promise<Verdict | null> {
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
