/**
 * The directory as a request sees it that another process handed on: nothing is decided for it once nobody waits for its
 * answer any more.
 *
 * Whoever handed it on tells its client after some time that nothing is known of it, and what that client reads then has to
 * stay true. A request can be late by any time before it is decided: its reads wait, or the process is paused. So the look
 * is in the very step that decides. Whatever is decided later sees it, and what it writes is fenced as ever.
 *
 * Rejected: to look when the request comes. That says nothing of when it is carried out.
 */
import type { Command } from "../domain/command.ts";
import { unavailable } from "../domain/errors.ts";
import type { Directory } from "./directory.ts";

export function whileWaitedFor<D extends Pick<Directory, "run" | "create">>(
  directory: D,
  isWaitedFor: () => boolean,
): D {
  const requireWaiting = () => {
    if (!isWaitedFor()) throw unavailable("It took too long, and was not done. Try again shortly.");
  };
  const inTime = <R>({ needs, apply }: Command<R>): Command<R> => ({
    needs,
    apply(view, now) {
      requireWaiting();
      return apply(view, now);
    },
  });
  const own: Pick<Directory, "run" | "create"> = {
    run: (accountId, command) => directory.run(accountId, inTime(command)),
    async create(writes) {
      requireWaiting();
      await directory.create(writes);
    },
  };
  return new Proxy(directory, {
    get(target, name) {
      if (name === "run" || name === "create") return own[name];
      const found = Reflect.get(target, name) as unknown;
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}
