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
import type { Exchange } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import type { Body } from "../http/request/request-body.ts";
import { bodyBytesMax } from "../limits.ts";
import { Cancelled } from "../store/store.ts";
import type { Address } from "./route.ts";

/** The owner's answer, which may be given up when it is unwanted. Rejects with what the client is to be told otherwise. */
export type Forward = (
  request: InnerRequest,
  body: Uint8Array,
  unwanted: AbortSignal,
) => Promise<InnerAnswer>;

/** How requests are answered where another process decides. */
export interface Elsewhere {
  forward: Forward;
  /** What is answered here all the same, by path. */
  own: Readonly<Record<string, (exchange: Exchange) => Promise<Reply> | Reply>>;
}

/** `elsewhere` is null where nobody else is asked. */
export function answeredElsewhere(
  { path }: Address,
  elsewhere: Elsewhere | null,
  res: { getRemoteAddressAsText(): ArrayBuffer },
  req: HttpRequest,
): (exchange: Exchange) => Promise<Reply> | Reply {
  if (elsewhere === null) return () => Promise.reject(noOwner());
  const answerHere = elsewhere.own[path];
  if (answerHere !== undefined) return answerHere;
  const asked = requestIn(res, req);
  return (exchange) => forwarded(exchange, asked, elsewhere.forward);
}

function requestIn(res: { getRemoteAddressAsText(): ArrayBuffer }, req: HttpRequest): InnerRequest {
  const headers: [string, string][] = [];
  req.forEach((name, value) => void headers.push([name, value]));
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: req.getQuery(),
    headers,
    peer: Buffer.from(res.getRemoteAddressAsText()).toString(),
  };
}

async function forwarded(exchange: Exchange, asked: InnerRequest, forward: Forward): Promise<Reply> {
  const body = await exchange.body();
  if (body === "aborted") throw new Cancelled("The client has gone.");
  const {
    status,
    head,
    length,
    body: told,
  } = await forward(
    { ...asked, headers: withLength(asked.headers, body) },
    body === "too large" ? new Uint8Array() : body.bytes,
    exchange.unwanted,
  );
  exchange.requestId = /\r\nx-request-id: ([^\r]+)/i.exec(head)?.[1] ?? exchange.requestId;
  return { status, headers: [], body: told, made: { head, length } };
}

/** The body is here, whatever was said of how it would come. One that was not taken is announced as too large. */
function withLength(
  headers: InnerRequest["headers"],
  body: Exclude<Body, "aborted">,
): InnerRequest["headers"] {
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
