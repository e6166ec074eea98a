/**
 * Pages of lists that were read lately: who reads a list reads the same page of it again and again, and to find its
 * codes in the index takes longer than all else about it.
 *
 * A commit is in the index a moment before it is heard of here. So from when it begins until it is over there are no pages
 * of the accounts whose codes it writes, whatever it does to them: a page that was read is never followed by an older one.
 */
import type { CodeDoc } from "../../domain/documents.ts";
import { recentListAccountsMax, recentListsOfAccountMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { CodeQuery, Page, Write } from "../store.ts";

type Pages = BoundedMap<string, Page<CodeDoc>>;

export class RecentLists {
  readonly #pages = new BoundedMap<string, Pages>(recentListAccountsMax);
  /** Accounts that commits under way write codes of, and how many of those codes. */
  readonly #changing = new Map<string, number>();
  #changes = 0;

  /** So many changes have begun. */
  get changes(): number {
    return this.#changes;
  }

  get(query: CodeQuery): Page<CodeDoc> | undefined {
    return this.#pages.get(query.account_id)?.get(nameOf(query));
  }

  /** `since` is `changes` from before the page was read: it may be older than what was committed meanwhile. */
  add(query: CodeQuery, page: Page<CodeDoc>, since: number): void {
    const { account_id } = query;
    if (since !== this.#changes || this.#changing.has(account_id) || this.#changing.has(anyAccount)) return;
    let pages = this.#pages.get(account_id);
    if (pages === undefined) {
      pages = new BoundedMap(recentListsOfAccountMax);
      this.#pages.set(account_id, pages);
    }
    pages.set(nameOf(query), page);
  }

  begins(writes: readonly Write[]): void {
    this.#changes++;
    for (const write of writes) {
      if (write.collection !== "codes") continue;
      const account = accountOf(write);
      const others = this.#changing.get(account) ?? 0;
      this.#changing.set(account, others + 1);
      if (others > 0) continue;
      if (account === anyAccount) this.#pages.clear();
      else this.#pages.delete(account);
    }
  }

  /** Of a commit that began, whatever became of it. */
  ends(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection !== "codes") continue;
      const account = accountOf(write);
      const left = this.#changing.get(account)! - 1;
      if (left === 0) this.#changing.delete(account);
      else this.#changing.set(account, left);
    }
  }
}

/** The id of no account. */
const anyAccount = "";

function accountOf(write: Write & { collection: "codes" }): string {
  return "put" in write ? write.put.account_id : anyAccount;
}

/** Within its account. None of these has a line break in it. */
function nameOf({ project_id, type, statuses, before, limit }: CodeQuery): string {
  return `${project_id}\n${type}\n${statuses}\n${before}\n${limit}`;
}
