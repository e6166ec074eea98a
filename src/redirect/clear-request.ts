import type { HttpRequest, HttpResponse } from "../engine/engine.ts";
import { Exchange } from "../http/exchange.ts";
import { bodyLength, chunked } from "../http/framing.ts";
import type { RequestHead } from "../http/request-head.ts";
import { noTrustedProxies } from "../visitor/client-address.ts";

/**
 * Reads the head. False when the message does not say clearly where it ends, or says so with chunks, which nothing
 * in this room takes: then it is refused, and `over` is called as by an `Exchange`.
 */
export function isClear(
  res: HttpResponse,
  req: HttpRequest,
  head: RequestHead,
  over: (status: number | "aborted") => void = () => {},
): boolean {
  head.read(req);
  if (head["transfer-encoding"] === null && head["content-length"] === null) return true;
  const length = bodyLength(head);
  if (typeof length === "number" && length !== chunked) return true;
  const exchange = new Exchange(res, req, head, 0, 0, noTrustedProxies, over);
  exchange.refuseUnclear(length === chunked ? "A link takes no body in chunks" : String(length));
  return false;
}
