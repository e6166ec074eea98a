/**
 * The store as the parts of one ownership see it: once that is over nothing of theirs is read or written, also if the same
 * process should own again. What a commit was decided on is then not what it would be written to.
 *
 * Nor is anything taken in that the store answers afterwards. It may be old: others can have decided since, and have had
 * all copies dropped. A commit that was stored in time would be published over what they changed.
 */
import { withEveryMethod } from "../store/every-method.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";

/** Answered from memory, or needed by who is over. */
const plain: ReadonlySet<string | symbol> = new Set(["codeAtHand", "close"]);

/** `settled`: of what the store waits for by itself. It may be ours no more afterwards. */
export function ownedStore(
  store: Store,
  isOurs: () => boolean,
  settled: () => Promise<void> | null = () => null,
): Store {
  const refuseUnlessOurs = () => {
    if (!isOurs()) throw new StoreUnavailable("This process does not own the accounts any more.");
  };
  return withEveryMethod(store, (method, name) => {
    if (plain.has(name)) return method;
    return async (...given) => {
      refuseUnlessOurs();
      for (let owing = settled(); owing !== null; owing = settled()) await owing;
      refuseUnlessOurs();
      const answer = await Reflect.apply(method, store, given);
      refuseUnlessOurs();
      return answer;
    };
  });
}
