/** The methods of operations, HEAD among them: it is answered wherever GET is. */
export type Method = "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";

/**
 * Who may call: the holder of an API key, the operator, whoever may read the figures, anyone; and of those who come
 * with a browser any user of an account, its owners, the operator, and whoever has a page of ours open.
 */
export type Access = "key" | "admin" | "metrics" | "anyone" | PageAccess;
export type PageAccess = "user" | "owner" | "operator" | "page";

const ofPages: ReadonlySet<Access> = new Set(["user", "owner", "operator", "page"]);

export function isOfPages(access: Access): boolean {
  return ofPages.has(access);
}

const session = 'Session realm="qrelay dashboard"';

/** What a 401 asks for. There is no registered scheme for keys in a header of their own, nor for sessions. */
export const challenges: Readonly<Record<Exclude<Access, "anyone">, string>> = {
  key: 'ApiKey realm="qrelay", header="x-api-key"',
  admin: 'Bearer realm="qrelay admin"',
  metrics: 'Bearer realm="qrelay metrics"',
  user: session,
  owner: session,
  operator: session,
  page: session,
};
