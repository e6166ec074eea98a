/** What people hold, long enough not to be guessed: the service keeps the hash alone. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Random } from "../runtime/random.ts";

const secretBytes = 32;
/** Of 32 bytes in base64url. */
const secretForm = /^[\w-]{43}$/;

export function newSecret(random: Random): string {
  return Buffer.from(random(secretBytes)).toString("base64url");
}

export function isSecret(text: string): boolean {
  return secretForm.test(text);
}

/** One round is enough for what is random: there is nothing to try but all of it. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function isHashOf(hash: string, secret: string): boolean {
  const [kept, given] = [Buffer.from(hash), Buffer.from(hashOf(secret))];
  return kept.length === given.length && timingSafeEqual(kept, given);
}
