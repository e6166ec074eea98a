import type { Clock } from "../clock.ts";
import type { Store } from "../store/store.ts";
import type { Links } from "./links.ts";

const againMs = 500;

/**
 * After a failed commit nobody knows whether a project was archived or a time zone changed. Links loaded before
 * keep what they knew; this reads the document again, until the store answers, and publishes what it says.
 */
export function rereadUntilKnown(
  store: Pick<Store, "get">,
  links: Pick<Links, "publishProject" | "publishAccount">,
  clock: Clock,
): (collection: "projects" | "accounts", id: string) => void {
  const underWay = new Set<string>();

  async function reread(collection: "projects" | "accounts", id: string): Promise<void> {
    try {
      if (collection === "projects") {
        const project = await store.get(collection, id);
        if (project !== null) links.publishProject(project);
      } else {
        const account = await store.get(collection, id);
        if (account !== null) links.publishAccount(account);
      }
      underWay.delete(id);
    } catch {
      clock.after(againMs, () => void reread(collection, id));
    }
  }

  return (collection, id) => {
    if (underWay.has(id)) return;
    underWay.add(id);
    void reread(collection, id);
  };
}
