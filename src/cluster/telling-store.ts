/**
 * A store whose commits are over when other members have dropped their copies: what an answer then announces, every scan
 * after it sees, wherever it is taken.
 *
 * After a commit that failed nobody knows whether it was stored, and after one that could not be told others do not know
 * of it. It is *owed*: before anything else is asked of the store the truth is settled (every read of the store does that,
 * so `ping` does), and then told. Until then nobody can be answered from what it may have changed, and the accounts cannot
 * be handed over. Counts of scans are saved all the same: another member may wait for them before it has heard.
 */
import { withEveryMethod } from "../store/every-method.ts";
import type { Collection, Store, Write } from "../store/store.ts";
import type { Changed } from "./bus/messages.ts";

/** Answered from memory, or what settles is done by. */
const atOnce: ReadonlySet<string | symbol> = new Set(["codeAtHand", "close", "ping"]);

type Ids = { slugs: Set<string>; projects: Set<string>; accounts: Set<string> };

export interface Telling<S extends Store> {
  store: S;
  /** Resolves when nothing is owed: others know of all that was ever changed here. Null when that is so now. */
  settled(): Promise<void> | null;
  /** The accounts are another's now, and whoever follows that one drops all copies: nothing is owed any more. */
  forgive(): void;
}

export function tellingStore<S extends Store>(
  store: S,
  tell: (changed: Changed) => Promise<void>,
): Telling<S> {
  let owed: Ids | null = null;
  let paying: Promise<void> | null = null;

  async function pay(debt: Ids): Promise<void> {
    await store.ping();
    const accounts: [string, string][] = [];
    for (const id of debt.accounts) {
      const account = await store.get("accounts", id);
      if (account !== null) accounts.push([id, account.timezone]);
    }
    // Which of them have a limit is not known.
    const slugs = [...debt.slugs];
    await tell({ slugs, limited: slugs, projects: [...debt.projects], accounts });
    // What failed meanwhile is owed with it.
    if (owed === debt) owed = null;
  }

  function paid(): Promise<void> {
    paying ??= pay(owed!).finally(() => {
      paying = null;
    });
    return paying;
  }

  async function allPaid(): Promise<void> {
    while (owed !== null || paying !== null) await paid();
  }

  const settled = () => (owed === null && paying === null ? null : allPaid());

  function owe(writes: readonly Write[]): void {
    owed = {
      slugs: new Set([...(owed?.slugs ?? []), ...putsOf(writes, "codes").map(({ slug }) => slug)]),
      projects: new Set([...(owed?.projects ?? []), ...putsOf(writes, "projects").map(({ id }) => id)]),
      accounts: new Set([...(owed?.accounts ?? []), ...putsOf(writes, "accounts").map(({ id }) => id)]),
    };
  }

  async function commit(writes: readonly Write[]): Promise<void> {
    try {
      await store.commit(writes);
    } catch (cause) {
      owe(writes);
      throw cause;
    }
    const changed = changedBy(writes);
    if (changed === null) return;
    try {
      await tell(changed);
    } catch (cause) {
      owe(writes);
      throw cause;
    }
  }

  const telling = withEveryMethod(store, (found, name) => {
    if (atOnce.has(name)) return found;
    const ask = name === "commit" ? commit : found;
    return (...given) => {
      const owing = name === "saveScans" && given[1] === "member" ? null : settled();
      return owing === null
        ? Reflect.apply(ask, store, given)
        : owing.then(() => Reflect.apply(ask, store, given));
    };
  });
  const forgive = () => {
    owed = null;
  };
  return { store: telling, settled, forgive };
}

/** Null when no scan can see any of it. */
export function changedBy(writes: readonly Write[]): Changed | null {
  const codes = putsOf(writes, "codes");
  const slugs = codes.map(({ slug }) => slug);
  const limited = codes.filter(({ scan_limit }) => scan_limit !== null).map(({ slug }) => slug);
  const projects = putsOf(writes, "projects").map(({ id }) => id);
  const accounts = putsOf(writes, "accounts").map(({ id, timezone }) => [id, timezone] as const);
  const isNothing = slugs.length + projects.length + accounts.length === 0;
  return isNothing ? null : { slugs, limited, projects, accounts };
}

type PutOf<C extends Collection> = Extract<Write, { collection: C; put: unknown }>["put"];

function putsOf<C extends Collection>(writes: readonly Write[], collection: C): PutOf<C>[] {
  return writes.flatMap((write) =>
    write.collection === collection && "put" in write ? [write.put as PutOf<C>] : [],
  );
}
