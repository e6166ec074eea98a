/**
 * Which account a request is about, found before anything is decided: where that is, is told by it.
 *
 * A key that was not seen here is looked up in the store, and while that is away its requests get 503, though another
 * member may know whose it is. To ask all members would tell them a key for every guess that anybody makes, and gain
 * next to nothing: a request is let through when its rate window is stored, so without the store whoever decides for the
 * account can answer the few that it had reserved before, and refuses the rest with the same 503.
 */
import { type KeyOwners, wrongKey } from "../account/key-owners.ts";
import type { Exchange } from "../http/exchange.ts";
import type { AccountSign } from "./forwarding.ts";
import type { SessionGuard } from "./session-guard.ts";

export interface Signs {
  keys: KeyOwners;
  sessionGuard: Pick<SessionGuard, "find">;
}

/** Null when it is nobody's: whoever answers says so. */
export function accountIn(
  exchange: Exchange,
  by: AccountSign,
  { keys, sessionGuard }: Signs,
): string | null | Promise<string | null> {
  if (by === "path") return exchange.params[0]!;
  if (by === "session") {
    return sessionGuard
      .find(exchange.page!.head)
      .then((found) => (found?.kind === "user" ? found.user.account_id : null));
  }
  const key = exchange.header("x-api-key");
  return keys.get(key)?.accountId ?? keys.read(key).then(({ accountId }) => accountId, nobodyIfWrong);
}

function nobodyIfWrong(cause: unknown): null {
  if (cause !== wrongKey) throw cause;
  return null;
}
