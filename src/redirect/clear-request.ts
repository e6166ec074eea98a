/** Where a request ends: a message that leaves it in doubt is refused before anything else is made of it. */
import type { HttpRequest, HttpResponse } from "../engine/engine.ts";
import { Exchange } from "../http/exchange.ts";
import { bodyLength, chunked } from "../http/request/framing.ts";
import type { RequestHead } from "../http/request/request-head.ts";
import { noTrustedProxies } from "../visitor/client-address.ts";

/** Whether the message says clearly where it ends, and without chunks, which nothing in this room takes. */
export function isClear(head: RequestHead): boolean {
  const length = bodyLength(head);
  return typeof length === "number" && length !== chunked;
}

/** Refuses a message that is not clear; `over` is called as by an `Exchange`. */
export function refuseUnclear(
  res: HttpResponse,
  req: HttpRequest,
  head: RequestHead,
  over: (status: number | "aborted") => void,
): void {
  const length = bodyLength(head);
  const exchange = new Exchange(res, req, head, 0, 0, noTrustedProxies, over);
  exchange.refuseUnclear(length === chunked ? "A link takes no body in chunks" : String(length));
  exchange.outliveHandler();
}
