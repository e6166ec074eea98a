/** What the door serves: an address, who may call it, and who answers. */
import type { UserDoc } from "../domain/documents.ts";
import type { Access, Method } from "../http/access.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import type { PageHead } from "../http/request/page-head.ts";
import type { AtOnce } from "../runtime/at-once.ts";

/** What a handler gets of a request that has passed the door. */
export interface Call {
  exchange: Exchange;
}

export interface KeyCall extends Call {
  /** Whose key it was, or whose user. */
  accountId: string;
  via: "api" | "dashboard";
}

/** Of a page of ours, whoever has it open. */
export interface PageCall extends Call {
  page: PageHead;
  client: string;
}

export interface UserCall extends KeyCall, PageCall {
  user: UserDoc;
}

/** A handler is given the parts that it names. One that needs few fits where all are at hand. */
export type Handler<C extends Call, P> = (call: C, parts: P) => AtOnce<Reply>;

export interface Address {
  method: Method;
  /** Parameters are written `{name}`. */
  path: string;
}

interface CallBy extends Record<Access, Call> {
  key: KeyCall;
  user: UserCall;
  owner: UserCall;
  page: PageCall;
}

/** Who may call, and a handler for what they call with. */
export type Served<A extends Access, P> = { access: A; handler: Handler<CallBy[A], P> };

export type Route<P> = Address & { [A in Access]: Served<A, P> }[Access];

/**
 * The path as engines, metrics and the access log spell it. The operator's account has been `:id` there from the
 * beginning, and the figures of dashboards go by it.
 */
export function patternOf({ path }: Address): string {
  return path.replace("{account_id}", ":id").replaceAll(/\{(\w+)\}/g, ":$1");
}

/** The methods of every pattern. HEAD is answered wherever GET is. */
export function methodsByPattern(addresses: readonly Address[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const address of addresses) {
    const pattern = patternOf(address);
    const known = methods.get(pattern) ?? [];
    known.push(address.method);
    if (address.method === "GET") known.push("HEAD");
    methods.set(pattern, known);
  }
  return methods;
}
