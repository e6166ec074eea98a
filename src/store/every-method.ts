/** A store each of whose methods is another one made of it, once. What is no method is as it is at the moment. */
import type { Store } from "./store.ts";

type Method = (...given: unknown[]) => unknown;

export function withEveryMethod<S extends Store>(
  store: S,
  remade: (method: Method, name: string | symbol) => Method,
): S {
  const made = new Map<string | symbol, Method>();
  return new Proxy(store, {
    get(target, name) {
      const known = made.get(name);
      if (known !== undefined) return known;
      const found = Reflect.get(target, name) as unknown;
      if (typeof found !== "function") return found;
      const method = remade(found as Method, name);
      made.set(name, method);
      return method;
    },
  });
}
