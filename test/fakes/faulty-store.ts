import {
  type Collection,
  type Collections,
  type Store,
  StoreUnavailable,
  type Write,
} from "../../src/store/store.ts";

/** What the next commits do: `before` fails without writing, `after` writes and then fails all the same. */
export type CommitFault = "before" | "after";

/** A real store whose commits fail or wait on demand. */
export interface FaultyStore extends Store {
  /** The next commits, one fault each. */
  faults: CommitFault[];
  /** Commits wait until `release` is called. */
  hold(): void;
  release(): void;
  commits: number;
  gets: number;
}

export function faulty(store: Store): FaultyStore {
  let held: Promise<void> | null = null;
  let open = () => {};
  const state = {
    faults: [] as CommitFault[],
    commits: 0,
    gets: 0,
    hold() {
      held = new Promise((resolve) => {
        open = resolve;
      });
    },
    release() {
      held = null;
      open();
    },
    get<C extends Collection>(collection: C, id: string): Promise<Collections[C] | null> {
      state.gets++;
      return store.get(collection, id);
    },
    async commit(writes: readonly Write[]): Promise<void> {
      state.commits++;
      if (held !== null) await held;
      const fault = state.faults.shift();
      if (fault === "before") throw new StoreUnavailable("the disk is away");
      await store.commit(writes);
      if (fault === "after") throw new StoreUnavailable("the answer was lost");
    },
  };
  return new Proxy(state as unknown as FaultyStore, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name);
      const value = Reflect.get(store, name);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
}
