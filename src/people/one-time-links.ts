/**
 * Links with which somebody sets a password, once and within a day.
 *
 * The token names the user, so that it needs no index of its own, and is in the fragment of the address, which a
 * browser sends to nobody: it gets into no log on the way. A user has one such link; making another ends the first.
 */
import type { UserDoc } from "../domain/documents.ts";
import { oneTimeLinkMs } from "../limits.ts";
import type { Millis } from "../runtime/clock.ts";
import type { Random } from "../runtime/random.ts";
import { hashOf, isHashOf, isSecret, newSecret } from "./secrets.ts";

export interface OneTimeLink {
  token: string;
  /** What the user's document keeps of it. */
  kept: NonNullable<UserDoc["one_time_link"]>;
}

export function newOneTimeLink(userId: string, now: Millis, random: Random): OneTimeLink {
  const secret = newSecret(random);
  return {
    token: `${userId}.${secret}`,
    kept: { hash: hashOf(secret), expires_at: now + oneTimeLinkMs },
  };
}

/** Whose link it is; null when it has not the form of one. */
export function userOfToken(token: string): string | null {
  const [userId, secret, ...more] = token.split(".");
  return userId && secret && isSecret(secret) && more.length === 0 ? userId : null;
}

/** Whether the token is the one of this user's link, and that is still good. */
export function opensWith({ id, one_time_link }: UserDoc, token: string, now: Millis): boolean {
  if (one_time_link === null || now >= one_time_link.expires_at || userOfToken(token) !== id) return false;
  return isHashOf(one_time_link.hash, token.slice(id.length + 1));
}
