/**
 * Names, after a start, the accounts whose plan is not among the configured ones: their requests are refused, and
 * their owners cannot find out why by themselves.
 *
 * Looking through a million accounts takes seconds of the event loop. So it is done behind the start, newest
 * accounts first, a small page at a time with a pause after each, and ends in one line that names a few.
 */

import type { Plans } from "../domain/account/plans.ts";
import type { AccountDoc } from "../domain/documents.ts";
import { unconfiguredNamedMax, unconfiguredPageAccounts, unconfiguredPauseMs } from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Page, Store } from "../store/store.ts";

export interface Search {
  store: Pick<Store, "listAccounts">;
  plans: Plans;
  clock: Clock;
  log: Pick<Log, "warn">;
}

/** The returned function ends the search. */
export function searchUnconfigured({ store, plans, clock, log }: Search): () => void {
  const found = { accounts: 0, plans: new Set<string>(), named: [] as string[] };
  let isOver = false;
  let cancelPause = () => {};

  function note({ id, plan }: AccountDoc): void {
    if (plans.has(plan)) return;
    found.accounts++;
    if (found.named.length < unconfiguredNamedMax) found.named.push(id);
    if (found.plans.size < unconfiguredNamedMax) found.plans.add(plan);
  }

  async function look(before: string | null): Promise<void> {
    const page: Page<AccountDoc> = await store.listAccounts({ before, limit: unconfiguredPageAccounts });
    if (isOver) return;
    for (const account of page.items) note(account);
    if (page.more) cancelPause = clock.after(unconfiguredPauseMs, () => step(page.items.at(-1)!.id));
    else tell();
  }

  function tell(): void {
    if (found.accounts === 0) return;
    log.warn(
      { accounts: found.accounts, plans: [...found.plans], for_instance: found.named },
      "accounts are on plans that are not configured: requests with their keys get 403, their links go on",
    );
  }

  function step(before: string | null): void {
    look(before).catch((cause) => {
      if (!isOver) log.warn({ err: cause }, "could not look for accounts on plans that are not configured");
    });
  }

  step(null);
  return () => {
    isOver = true;
    cancelPause();
  };
}
