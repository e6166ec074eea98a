/**
 * The door of the admin API: the right token, and not too many wrong ones.
 *
 * An address that has tried too many wrong tokens is refused for the rest of its minute, with the right token
 * too: otherwise the answer would still tell a guesser when a guess was right. Other addresses do not notice.
 * A request without a token is no guess and counts nothing.
 *
 * The table forgets the address that began first when it is full. Whoever has so many addresses gains nothing
 * by that: a token cannot be guessed at any rate that a network carries; the limit keeps the log readable.
 */
import ipaddr from "ipaddr.js";
import type { Clock } from "../clock.ts";
import type { Millis } from "../domain/documents.ts";
import { ApiError } from "../domain/errors.ts";
import { requireAdmin } from "./auth.ts";

export const wrongTokensMax = 10;
export const wrongTokensMs = 60_000;
const addressesMax = 10_000;

export interface AdminGuardOptions {
  token: string;
  clock: Clock;
  log: { warn(detail: object, message: string): void };
  addressesMax?: number;
}

export interface AdminGuard {
  /** Throws 401 or 429. The address is the client's, a trusted proxy's word considered. */
  check(authorization: string, address: string): void;
}

interface Guesser {
  since: Millis;
  wrong: number;
}

export function openAdminGuard(options: AdminGuardOptions): AdminGuard {
  const { token, clock, log, addressesMax: most = addressesMax } = options;
  const guessers = new Map<string, Guesser>();

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
      if (guessers.size >= most) guessers.delete(guessers.keys().next().value!);
      guesser = { since: now, wrong: 0 };
      guessers.set(origin, guesser);
    }
    return ++guesser.wrong;
  }

  return {
    check(authorization, address) {
      const now = clock.now();
      const origin = originOf(address);
      const guesser = known(origin, now);
      if (guesser !== null && guesser.wrong >= wrongTokensMax) {
        const seconds = Math.ceil((guesser.since + wrongTokensMs - now) / 1000);
        throw new ApiError("rate_limited", "Too many wrong admin tokens from this address.", seconds);
      }
      try {
        requireAdmin(authorization, token);
      } catch (refusal) {
        if (authorization !== "") {
          const wrong = countWrong(origin, now);
          log.warn(
            { network: networkOf(address), wrong, refused: wrong >= wrongTokensMax },
            "wrong admin token",
          );
        }
        throw refusal;
      }
    },
  };
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
