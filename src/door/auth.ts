import { createHash, timingSafeEqual } from "node:crypto";

/** The name of a scheme is written in any case; any number of blanks may follow it. */
const bearer = /^bearer +/i;

/**
 * Whether the header carries one of the tokens. Takes the same time whatever is given and whichever fits. A token
 * that is empty by mistake lets nobody in.
 */
export function isBearerOf(authorization: string, tokens: readonly string[]): boolean {
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
