import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../domain/errors.ts";

/** Compares in constant time whatever the lengths are. A token that is empty by mistake lets nobody in. */
export function requireAdmin(authorization: string, token: string): void {
  const given = authorization.startsWith("Bearer ") ? authorization.slice("Bearer ".length) : "";
  if (token === "" || !timingSafeEqual(digest(given), digest(token))) {
    throw new ApiError("unauthorized", "The admin token is missing or wrong.");
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
