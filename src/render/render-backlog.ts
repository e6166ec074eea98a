/**
 * The requests that wait in the store because the queue's memory is full.
 *
 * The store lists what is pending in the order of ids, all accounts together. Reading that list from its start
 * whenever there is room would read an account's million codes again and again, and reading on from one common
 * place would leave the accounts at the end waiting for those at the start. So each account that was sent away
 * has its own place in the list, and is read from there when its lane runs low; only the first sweep reads
 * everything. Accounts beyond a bound share one place.
 */

import type { CodeDoc } from "../domain/documents.ts";
import { renderBacklogAccountsMax, renderRefillBelow, renderRefillPage, renderRefillTo } from "../limits.ts";
import type { Store } from "../store/store.ts";

export interface Backlog {
  /** The code is wanted and found no room. */
  sentAway(account: string, codeId: string): void;
  /** A request of the account has left the queue. */
  roomFor(account: string): void;
  sweepAll(): Promise<void>;
  /** The image of this version has been stored: a page read before must not ask for it again. */
  stored(codeId: string, version: number): void;
  close(): Promise<void>;
}

export interface BacklogOptions {
  store: Pick<Store, "pendingRenders">;
  /** Takes the code into the queue, or sends it away. */
  offer(code: CodeDoc): void;
  count(account: string): number;
  /** How many requests of one account memory has room for, if all accounts there had equally many. */
  share(): number;
  /** There is room for anybody. */
  hasRoom(): boolean;
  /** The store could not be read: calls back when it is time to try again. */
  retry(error: unknown, again: () => void): void;
}

/** Stands for all accounts that have no place of their own. */
const everyone = "";

export function openBacklog(options: BacklogOptions): Backlog {
  const { store, offer, count, share, hasRoom } = options;
  /** Per account, all that it has in the store and not in memory comes after this id. */
  const places = new Map<string, string>();
  const storedWhileReading = new Map<string, number>();
  let sweeping: Promise<void> | null = null;
  let isResting = false;
  let closed = false;

  function remember(account: string, after: string): void {
    const key = places.has(account) || places.size < renderBacklogAccountsMax ? account : everyone;
    const place = places.get(key);
    if (place === undefined || after < place) places.set(key, after);
  }

  function isLow(account: string): boolean {
    if (account === everyone) return hasRoom();
    return count(account) < Math.min(renderRefillBelow, share() / 2);
  }

  /** Reads from `from` on, for one account until it has enough, for everyone to the end. */
  async function sweep(account: string, from: string): Promise<void> {
    places.delete(account);
    let after: string = from;
    try {
      for (;;) {
        storedWhileReading.clear();
        const page = await store.pendingRenders(after === "" ? null : after, renderRefillPage);
        for (const code of page) {
          if ((storedWhileReading.get(code.id) ?? 0) < code.render.version) offer(code);
        }
        if (page.length < renderRefillPage || closed) return;
        after = page.at(-1)!.id;
        const enough = count(account) >= renderRefillTo || places.has(account);
        if (account !== everyone && enough) {
          remember(account, after);
          return;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      remember(account, after);
      isResting = true;
      options.retry(error, () => {
        isResting = false;
        startNext();
      });
    }
  }

  function start(account: string): void {
    const from = places.get(account);
    if (from === undefined || sweeping !== null || isResting || closed) return;
    sweeping = sweep(account, from).finally(() => {
      sweeping = null;
      startNext();
    });
  }

  function startNext(): void {
    for (const account of places.keys()) {
      if (isLow(account) && hasRoom()) {
        start(account);
        return;
      }
    }
  }

  return {
    sentAway(account, codeId) {
      // The place is exclusive, and a prefix comes before all that begins with it.
      remember(account, codeId.slice(0, -1));
    },
    roomFor(account) {
      if (places.size === 0 || sweeping !== null) return;
      if (places.has(account) && isLow(account)) start(account);
      else if (hasRoom()) startNext();
    },
    async sweepAll() {
      remember(everyone, "");
      start(everyone);
      await sweeping;
    },
    stored(codeId, version) {
      if (sweeping !== null) storedWhileReading.set(codeId, version);
    },
    async close() {
      closed = true;
      await sweeping;
    },
  };
}
