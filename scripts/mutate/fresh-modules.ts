/**
 * A module resolution hook: what is imported by a module with `?mutant=N` in its address gets the same, so that a
 * test file can be loaded anew, with all it imports, in a process that has loaded it before. The switch and the
 * collected tests, and packages, stay the ones they are.
 */
import type { ResolveHook } from "node:module";

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const resolved = await nextResolve(specifier, context);
  const mutant = /\?mutant=\d+$/.exec(context.parentURL ?? "")?.[0];
  const isOurs = specifier.startsWith(".") && !/\/(?:node_modules|scripts\/mutate)\//.test(resolved.url);
  return mutant !== undefined && isOurs ? { ...resolved, url: resolved.url + mutant } : resolved;
};
