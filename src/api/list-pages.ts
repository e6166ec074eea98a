/**
 * Paging: the rules of `page_size`, and page tokens. Nothing here ever refuses a request: an unusable size is
 * normalised, an unusable token starts from the first page.
 *
 * A token is the last id of a page and a MAC over it, the account, the list and its filters: it cannot be
 * made up, nor carried over to another list.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { issuedTokensMax, pageSizeDefault, pageSizeMax } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Page, Stretch } from "../store/store.ts";

const macBytes = 16;

/** Reads `page_size`: out of range is brought into range, and below 1 becomes what the list says. */
export function pageSize(given: string | null, belowOne: number): number {
  if (given === null || !/^\s*[+-]?\d+\s*$/.test(given)) return pageSizeDefault;
  const size = Number(given);
  if (size < 1) return belowOne;
  return Math.min(size, pageSizeMax);
}

export interface PageTokens {
  issue(scope: string, lastId: string): string;
  /** The id that the token carries, null for anything but a token of this scope. */
  read(scope: string, token: string): string | null;
}

export function pageTokens(secret: Uint8Array): PageTokens {
  /** The last token of each scope: who reads a list reads its first page again and again. */
  const issued = new BoundedMap<string, { lastId: string; token: string }>(issuedTokensMax);
  const mac = (scope: string, id: string) =>
    createHmac("sha256", secret).update(`${scope}\n${id}`).digest().subarray(0, macBytes);
  return {
    issue(scope, lastId) {
      const last = issued.get(scope);
      if (last?.lastId === lastId) return last.token;
      const token = Buffer.concat([mac(scope, lastId), Buffer.from(lastId)]).toString("base64url");
      issued.set(scope, { lastId, token });
      return token;
    },
    read(scope, token) {
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length <= macBytes || bytes.toString("base64url") !== token) return null;
      const id = bytes.subarray(macBytes).toString();
      return timingSafeEqual(bytes.subarray(0, macBytes), mac(scope, id)) ? id : null;
    },
  };
}

export function stretchOf(
  query: URLSearchParams,
  belowOne: number,
  tokens: PageTokens,
  scope: string,
): Stretch {
  const token = query.get("page_token");
  return {
    before: token === null ? null : tokens.read(scope, token),
    limit: pageSize(query.get("page_size"), belowOne),
  };
}

export function nextToken(page: Page<{ id: string }>, tokens: PageTokens, scope: string): string | null {
  const last = page.items.at(-1);
  return page.more && last !== undefined ? tokens.issue(scope, last.id) : null;
}

export function listScope(...parts: readonly (string | null | readonly string[])[]): string {
  return JSON.stringify(parts);
}
