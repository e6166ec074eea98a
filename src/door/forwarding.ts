/**
 * Requests at a process that does not own the accounts: what the service says of itself is answered here, and all else
 * forwarded to the owner, whose answer is given as it is.
 *
 * Here a request has its body read and its time limited as everywhere; who may call is for the owner to say, who gets
 * the request as it came, with the address that it came from.
 */
import { type ApiError, unavailable } from "../domain/errors.ts";
import type { HttpRequest } from "../engine/engine.ts";
import type { InnerAnswer, InnerRequest } from "../engine/inner-app.ts";
import type { Access } from "../http/access.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import type { Body } from "../http/request/request-body.ts";
import { bodyBytesMax } from "../limits.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Address } from "./route.ts";

/** The owner's answer, which may be given up when it is unwanted. Rejects with what the client is to be told otherwise. */
export type Forward = (
  request: InnerRequest,
  body: Uint8Array,
  unwanted: AbortSignal,
  partition: number | null,
) => Promise<InnerAnswer>;

/** How requests are answered where other processes decide for some accounts, or for all. */
export interface Elsewhere {
  forward: Forward;
  /** What is answered here by whoever does not decide at all, by path. */
  own: Readonly<Record<string, (exchange: Exchange) => AtOnce<Reply>>>;
  /** The partition of the account that a request is about; null when that is nobody's. */
  partitionOf(by: AccountSign, exchange: Exchange): Promise<number | null> | number | null;
  /** False when it is not decided here; otherwise `leave` is owed. */
  enter(partition: number): boolean;
  leave(partition: number): void;
}

/**
 * What tells the account of a request. `anybody`: it concerns none, and any process can answer it. `keeper`: it concerns
 * no single one, or people, who sign in before it is known where they belong.
 */
export type AccountSign = "key" | "session" | "path";
export type Place = AccountSign | "anybody" | "keeper";

export function placeOf({ access, path }: Address & { access: Access }): Place {
  if (access === "anyone" || access === "metrics") return "anybody";
  if (access === "key") return "key";
  if (access === "page" || /\/(users|password)\b/.test(path)) return "keeper";
  if (access === "user" || access === "owner") return "session";
  return path.includes("{account_id}") ? "path" : "keeper";
}

/** `answerHere` answers with what this process decides by. */
export async function answeredWhereDecided(
  place: AccountSign,
  elsewhere: Elsewhere,
  exchange: Exchange,
  asked: InnerRequest,
  answerHere: (exchange: Exchange) => AtOnce<Reply>,
): Promise<Reply> {
  const found = elsewhere.partitionOf(place, exchange);
  const partition = found instanceof Promise ? await found : found;
  if (partition === null || !elsewhere.enter(partition)) {
    return forwarded(exchange, asked, elsewhere.forward, partition);
  }
  try {
    return await answerHere(exchange);
  } finally {
    elsewhere.leave(partition);
  }
}

/** `elsewhere` is null where nobody else is asked. */
export function answeredElsewhere(
  { path }: Address,
  elsewhere: Elsewhere | null,
  res: { getRemoteAddressAsText(): ArrayBuffer },
  req: HttpRequest,
): (exchange: Exchange) => AtOnce<Reply> {
  if (elsewhere === null) return () => Promise.reject(noOwner());
  const answerHere = elsewhere.own[path];
  if (answerHere !== undefined) return answerHere;
  const asked = requestIn(res, req);
  return (exchange) => forwarded(exchange, asked, elsewhere.forward, null);
}

export function requestIn(res: { getRemoteAddressAsText(): ArrayBuffer }, req: HttpRequest): InnerRequest {
  const headers: [string, string][] = [];
  req.forEach((name, value) => void headers.push([name, value]));
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: req.getQuery() ?? "",
    headers,
    peer: Buffer.from(res.getRemoteAddressAsText()).toString(),
  };
}

async function forwarded(
  exchange: Exchange,
  asked: InnerRequest,
  forward: Forward,
  partition: number | null,
): Promise<Reply> {
  const { body } = exchange;
  const {
    status,
    head,
    length,
    body: told,
  } = await forward(
    { ...asked, headers: withLength(asked.headers, body) },
    body === "too large" ? new Uint8Array() : body.bytes,
    exchange.unwanted,
    partition,
  );
  exchange.requestId = /\r\nx-request-id: ([^\r]+)/i.exec(head)?.[1] ?? exchange.requestId;
  return { status, headers: [], body: told, made: { head, length } };
}

/** The body is here, whatever was said of how it would come. One that was not taken is announced as too large. */
function withLength(headers: InnerRequest["headers"], body: Body): InnerRequest["headers"] {
  const others = headers.filter(([name]) => name !== "content-length" && name !== "transfer-encoding");
  const bytes = body === "too large" ? bodyBytesMax + 1 : body.bytes.length;
  return bytes === 0 ? others : [...others, ["content-length", String(bytes)]];
}

/** What a client is told when the owner is not known, or did not answer. */
export function noOwner(): ApiError {
  return unavailable("No process is known to own the accounts at the moment. Try again shortly.");
}

export function ownerSilent(): ApiError {
  return unavailable(
    "The owner of the accounts did not answer; it may have done what was asked. Try again shortly.",
  );
}
