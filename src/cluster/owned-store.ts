/**
 * The store as the parts of one ownership see it: once that is over nothing of theirs is read or written, also if the same
 * process should own again. What a commit was decided on is then not what it would be written to.
 */
import { type Store, StoreUnavailable } from "../store/store.ts";

/** Answered from memory, or needed by who is over. */
const plain: ReadonlySet<string | symbol> = new Set(["codeAtHand", "close"]);

export function ownedStore(store: Store, isOurs: () => boolean): Store {
  return new Proxy(store, {
    get(target, name) {
      const found = Reflect.get(target, name) as unknown;
      if (typeof found !== "function" || plain.has(name)) return found;
      return async (...given: unknown[]) => {
        if (!isOurs()) throw new StoreUnavailable("This process does not own the accounts any more.");
        return Reflect.apply(found, target, given);
      };
    },
  });
}
