/**
 * One request and its answer: the only module that knows the rules of the server's response object.
 *
 * Those rules: everything of the request must be read before the handler returns; a response that is not
 * answered at once needs an abort handler; a response must not be touched after an abort; header values are
 * passed through unchecked, so a line break in one would split the response; and the parser is lenient about
 * lengths, so whatever makes the end of a message ambiguous is refused here and the connection closed.
 */

import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { bodyBytesMax } from "../limits.ts";
import type { HttpRequest, HttpResponse } from "../uws.ts";
import { contentLength } from "./framing.ts";

export interface Reply {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | Uint8Array;
  /** Set when an earlier request made this answer: it is given under that request's id. */
  requestId?: string;
}

export type Body = { bytes: Uint8Array } | "too large" | "aborted";

const wantedHeaders = [
  "x-api-key",
  "authorization",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "accept",
  "x-forwarded-for",
] as const;
type WantedHeader = (typeof wantedHeaders)[number];

export class Exchange {
  readonly requestId: string = randomUUID();
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: readonly string[];
  /** What is wrong with how the message says where it ends; null when nothing is. */
  readonly framingError: string | null;
  readonly #headers: Record<WantedHeader, string>;
  readonly #res: HttpResponse;
  readonly #body: Promise<Body> | null;
  #open = true;
  #closing: boolean;

  constructor(res: HttpResponse, req: HttpRequest, paramCount: number, onClosed: () => void) {
    this.#res = res;
    this.method = req.getCaseSensitiveMethod();
    this.path = req.getUrl();
    this.query = new URLSearchParams(req.getQuery());
    this.params = Array.from({ length: paramCount }, (_, index) => req.getParameter(index) ?? "");
    this.#headers = headersOf(req);
    const length = contentLength(req);
    this.framingError = typeof length === "string" ? length : null;
    this.#closing = this.framingError !== null;
    let aborted = () => {};
    res.onAborted(() => {
      this.#open = false;
      aborted();
      onClosed();
    });
    this.#body =
      typeof length === "string" || length === 0
        ? null
        : new Promise((resolve) => {
            aborted = () => resolve("aborted");
            collect(res, length, resolve);
          });
  }

  header(name: WantedHeader): string {
    return this.#headers[name];
  }

  /** The peer's address as text, without what a proxy says. */
  get peer(): string {
    return Buffer.from(this.#res.getRemoteAddressAsText()).toString();
  }

  body(): Promise<Body> {
    return this.#body ?? Promise.resolve({ bytes: new Uint8Array() });
  }

  /** Ends the connection with the answer, which then says so. */
  closeAfterwards(): void {
    this.#closing = true;
  }

  /** Sends the answer; does nothing when the client has gone. */
  send(reply: Reply): boolean {
    if (!this.#open) return false;
    for (const [name, value] of reply.headers) requireSafeHeader(name, value);
    this.#open = false;
    const close = this.#closing;
    this.#res.cork(() => {
      this.#res.writeStatus(`${reply.status} ${STATUS_CODES[reply.status] ?? ""}`);
      this.#res.writeHeader("x-request-id", reply.requestId ?? this.requestId);
      for (const [name, value] of reply.headers) this.#res.writeHeader(name, value);
      if (this.method === "HEAD") this.#endWithoutBody(Buffer.byteLength(reply.body), close);
      else if (reply.status === 304 || reply.status === 204) this.#endWithoutBody(null, close);
      else this.#res.end(reply.body, close);
    });
    return true;
  }

  /** The library's own way of telling a length without a body leaves the connection waiting for that body. */
  #endWithoutBody(length: number | null, close: boolean): void {
    if (length !== null) this.#res.writeHeader("content-length", String(length));
    if (close) this.#res.writeHeader("connection", "close");
    this.#res.endWithoutBody();
  }
}

/** Printable ASCII only: anything else could end the header and begin another. */
function requireSafeHeader(name: string, value: string): void {
  for (let at = 0; at < value.length; at++) {
    const char = value.charCodeAt(at);
    if (char < 0x20 || char > 0x7e) throw new Error(`the header ${name} has an unsafe character at ${at}`);
  }
}

function headersOf(req: HttpRequest): Record<WantedHeader, string> {
  const headers = {} as Record<WantedHeader, string>;
  for (const name of wantedHeaders) headers[name] = req.getHeader(name);
  return headers;
}

/** A body over the cap is not kept, and its reading not waited for. */
function collect(res: HttpResponse, length: number, done: (body: Body) => void): void {
  if (length > bodyBytesMax) {
    res.onData(() => {});
    done("too large");
    return;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  res.onData((chunk, isLast) => {
    const part = new Uint8Array(chunk);
    if (at + part.length > length) {
      done("too large");
      return;
    }
    bytes.set(part, at);
    at += part.length;
    if (isLast) done({ bytes: bytes.subarray(0, at) });
  });
}
