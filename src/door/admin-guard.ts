/**
 * The door of what is the operator's: the admin API, and the figures, which have a token of their own as well.
 *
 * The right token always passes. An address that has tried too many wrong ones gets 429 for further wrong ones for
 * the rest of its minute. To refuse the right one too would hide from a guesser that a guess was right, and let
 * anybody behind the same proxy or on the same machine lock the operator out; a token of 16 characters or more is
 * not found by guessing anyway. A request without a token is no guess and counts nothing.
 *
 * The table forgets the address that began first when it is full. Whoever has so many addresses gains nothing
 * by that: a token cannot be guessed at any rate that a network carries; the limit keeps the log readable.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import { ApiError } from "../domain/errors.ts";
import { guessersMax, wrongTokensMax, wrongTokensMs } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock, Millis } from "../runtime/clock.ts";

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

interface Guesser {
  since: Millis;
  wrong: number;
}

export function openAdminGuard(options: AdminGuardOptions): AdminGuard {
  const { token, metricsToken, clock, log, addressesMax = guessersMax } = options;
  const metricsTokens = metricsToken === null ? [token] : [token, metricsToken];
  const guessers = new BoundedMap<string, Guesser>(addressesMax);

  function known(origin: string, now: Millis): Guesser | null {
    const guesser = guessers.get(origin);
    if (guesser === undefined) return null;
    const age = now - guesser.since;
    if (age >= 0 && age < wrongTokensMs) return guesser;
    guessers.delete(origin);
    return null;
  }

  function countWrong(origin: string, now: Millis): number {
    let guesser = known(origin, now);
    if (guesser === null) {
      guesser = { since: now, wrong: 0 };
      guessers.set(origin, guesser);
    }
    return ++guesser.wrong;
  }

  function refuse(authorization: string, address: string, name: string): never {
    const refusal = new ApiError("unauthorized", `The ${name} token is missing or wrong.`);
    if (authorization === "") throw refusal;
    const now = clock.now();
    const origin = originOf(address);
    const guesser = known(origin, now);
    if (guesser !== null && guesser.wrong >= wrongTokensMax) {
      const seconds = Math.ceil((guesser.since + wrongTokensMs - now) / 1000);
      throw new ApiError("rate_limited", "Too many wrong tokens from this address.", seconds);
    }
    const wrong = countWrong(origin, now);
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

const ipv6HostBits = 64;
const loggedBits = { ipv4: 24, ipv6: 48 };

/** Who is counted as one: an IPv4 address, or the IPv6 network that one subscriber has to himself. */
function originOf(address: string): string {
  return ipaddr.isValid(address) ? network(address, { ipv4: 32, ipv6: ipv6HostBits }) : address;
}

/** What a log may hold of an address: enough to see a pattern, too little to name anybody. */
export function networkOf(address: string): string {
  return ipaddr.isValid(address) ? network(address, loggedBits) : "unknown";
}

function network(address: string, bits: Record<"ipv4" | "ipv6", number>): string {
  const parsed = ipaddr.process(address);
  const length = bits[parsed.kind()];
  const range = `${parsed.toNormalizedString()}/${length}`;
  const first =
    parsed.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(range)
      : ipaddr.IPv6.networkAddressFromCIDR(range);
  return `${first.toString()}/${length}`;
}
