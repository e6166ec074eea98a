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

/** What requests ask of it. */
export type AskedDirectory = Pick<
  Directory,
  "admit" | "admitAtOnce" | "run" | "look" | "create" | "account" | "usage" | "keyUsage"
>;

export function whileWaitedFor(directory: AskedDirectory, isWaitedFor: () => boolean): AskedDirectory {
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
  return {
    admit: (key) => directory.admit(key),
    admitAtOnce: (key) => directory.admitAtOnce(key),
    look: (accountId, command) => directory.look(accountId, command),
    account: (accountId) => directory.account(accountId),
    usage: (accountId) => directory.usage(accountId),
    keyUsage: (accountId) => directory.keyUsage(accountId),
    run: (accountId, command) => directory.run(accountId, inTime(command)),
    async create(writes) {
      requireWaiting();
      await directory.create(writes);
    },
  };
}
