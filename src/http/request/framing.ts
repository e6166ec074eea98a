import type { RequestHead } from "./request-head.ts";

/** The length of a body that says itself where it ends. */
export const chunked = -1;

/**
 * The length of a request's body, or why it cannot be trusted. Parsers are lenient here, and where two of them
 * disagree on the end of a message, one client's bytes become another's request.
 */
export function bodyLength(head: RequestHead): number | string {
  const encoding = head["transfer-encoding"];
  const length = head["content-length"];
  if (encoding === null) {
    if (length === null) return 0;
    return /^\d{1,15}$/.test(length) ? Number(length) : "Content-Length must be given once, as a number";
  }
  if (length !== null) return "Content-Length and Transfer-Encoding exclude each other";
  return encoding.toLowerCase() === "chunked"
    ? chunked
    : "Transfer-Encoding must be chunked and nothing else";
}
