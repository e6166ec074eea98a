/**
 * What a browser says of itself with a request of a page: who is signed in, and which page asks.
 *
 * Read apart from the other headers, and for routes of pages alone: every scan would pay for three more that it never
 * has.
 */
import type { HttpRequest } from "../../engine/engine.ts";

export interface PageHead {
  cookie: string;
  /** Empty when the browser does not say, as with the site. */
  origin: string;
  site: string;
}

/** Before the handler of the request returns. */
export function readPageHead(req: HttpRequest): PageHead {
  return {
    cookie: req.getHeader("cookie"),
    origin: req.getHeader("origin"),
    site: req.getHeader("sec-fetch-site"),
  };
}

/** The value of a cookie in the header; of several of the name the first; empty when there is none. */
export function cookieIn(header: string, name: string): string {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at >= 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return "";
}
