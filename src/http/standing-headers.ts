/**
 * Headers that answers carry whatever they say. No answer is to be taken for another type than it names. What
 * depends on who asks or on the moment is kept by nobody on the way: a cache that knows nothing of `x-api-key` would
 * give one account's answer to another.
 */
export const noSniff = ["x-content-type-options", "nosniff"] as const;
export const noStore = ["cache-control", "no-store"] as const;

/** For what any page of any site may read: files and the document. Neither asks who is there, so neither tells. */
export const readableByAnySite = [
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", "ETag"],
] as const;

const neverStored = /^\/(?:v1|v2|admin|metrics|healthz|readyz|dashboard\/api)(?:\/|$)/;

/** Refusals are never stored: what is missing or forbidden now may be there in a moment. */
export function isNeverStored(path: string, status: number): boolean {
  return status >= 400 || neverStored.test(path);
}
