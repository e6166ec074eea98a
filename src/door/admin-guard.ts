/**
 * The door of what is the operator's: the admin API, and the figures, which have a token of their own as well.
 *
 * The right token always passes. An address that has tried too many wrong ones gets 429 for further wrong ones for
 * the rest of its minute. To refuse the right one too would hide from a guesser that a guess was right, and let
 * anybody behind the same proxy or on the same machine lock the operator out; a token of 16 characters or more is
 * not found by guessing anyway. A request without a token is no guess and counts nothing.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import { guessersMax, wrongTokensMax, wrongTokensMs } from "../limits.ts";
import { Attempts } from "../runtime/attempts.ts";
import type { Clock } from "../runtime/clock.ts";
import { networkOf, originOf } from "../visitor/client-address.ts";

export interface AdminGuardOptions {
  token: string;
  /** A second one, which opens the figures only; null when there is none. */
  metricsToken: string | null;
  clock: Clock;
  log: { warn(detail: object, message: string): void };
  addressesMax?: number;
}

export interface AdminGuard {
  /** Throws 401 or 429. The address is the client's, a trusted proxy's word considered. */
  check(authorization: string, address: string): void;
  /** The same for the figures. */
  checkMetrics(authorization: string, address: string): void;
}

export function openAdminGuard(options: AdminGuardOptions): AdminGuard {
  const { token, metricsToken, clock, log, addressesMax = guessersMax } = options;
  const metricsTokens = metricsToken === null ? [token] : [token, metricsToken];
  const wrongTokens = new Attempts(
    { max: wrongTokensMax, ms: wrongTokensMs, entriesMax: addressesMax },
    clock,
  );

  function refuse(authorization: string, address: string, name: string): never {
    const refusal = new ApiError("unauthorized", `The ${name} token is missing or wrong.`);
    if (authorization === "") throw refusal;
    const origin = originOf(address);
    const seconds = wrongTokens.secondsLeft(origin);
    if (seconds > 0) throw new ApiError("rate_limited", "Too many wrong tokens from this address.", seconds);
    const wrong = wrongTokens.count(origin);
    log.warn({ network: networkOf(address), wrong, refused: wrong >= wrongTokensMax }, `wrong ${name} token`);
    throw refusal;
  }

  return {
    check(authorization, address) {
      if (!isBearerOf(authorization, [token])) refuse(authorization, address, "admin");
    },
    checkMetrics(authorization, address) {
      if (!isBearerOf(authorization, metricsTokens)) refuse(authorization, address, "metrics");
    },
  };
}

/** The name of a scheme is written in any case; any number of blanks may follow it. */
const bearer = /^bearer +/i;

/**
 * Whether the header carries one of the tokens. Takes the same time whatever is given and whichever fits. A token
 * that is empty by mistake lets nobody in.
 */
function isBearerOf(authorization: string, tokens: readonly string[]): boolean {
  const given = digest(bearer.test(authorization) ? authorization.replace(bearer, "") : "");
  let fits = false;
  for (const token of tokens) {
    if (timingSafeEqual(given, digest(token)) && token !== "") fits = true;
  }
  return fits;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
