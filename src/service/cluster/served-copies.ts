/** What this member serves links from, as far as others have a say in it. It is the same whoever owns. */
import type { Changed } from "../../cluster/bus/messages.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Scans } from "../../scan/scans.ts";

export type Copies = Pick<Scans, "links" | "checkpoint" | "hasUnsaved" | "savedAt" | "epoch">;

export class ServedCopies {
  /** Null before the first scan and after the last. */
  now: Copies | null = null;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  dropAll(): void {
    this.now?.links.forgetAll();
  }

  /** A link that has a limit now is decided by what all have saved: so what was counted here must be saved first. */
  async drop({ slugs, limited, projects, accounts, all }: Changed): Promise<void> {
    const copies = this.now;
    if (copies === null) return;
    if (all) copies.links.forgetAll();
    for (const slug of slugs) copies.links.forget(slug);
    for (const id of projects) copies.links.forgetProject(id);
    for (const [id, timezone] of accounts) copies.links.publishAccount({ id, timezone });
    if (limited.some((slug) => copies.hasUnsaved(slug))) await copies.checkpoint();
  }

  /** How long ago the oldest scan can be that was counted here and is not saved. */
  unsavedMs(): number {
    return this.now === null ? 0 : Math.max(0, this.#clock.now() - this.now.savedAt());
  }
}
