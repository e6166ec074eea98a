/** What the peers redirect from: all links in a `Map`, nothing counted. */
import { slugAt, targetAt } from "../filling/links.ts";

export function linksBySlug(): Map<string, string> {
  const links = new Map<string, string>();
  const count = Number(process.env.BENCH_LINKS);
  for (let number = 0; number < count; number++) links.set(slugAt(number), targetAt(number));
  return links;
}
