/**
 * What the service asks of whatever speaks HTTP for it, and the rules that both sides keep. Whoever writes a
 * further engine needs this file and no other.
 *
 * The interface is the part of uWebSockets.js that the service uses, so that library satisfies it as it is and
 * nothing stands between it and a scan. Anything else has to behave like it where this file says so.
 *
 * **Requests.** A request may be read only until its handler returns: whatever is needed later is taken out
 * before. Names of headers are given in lower case, as text or, for constants of the program, as bytes. Of a
 * header that came several times `getHeader` has the first line and `forEach` all of them, in the order in which
 * they came; an absent header is the empty text. Values are decoded as UTF-8 and have no blanks around them. The
 * path and the parameters of a route are as they were sent, with no escape undone.
 *
 * **Routes.** A pattern is a path whose parts are words, `:names`, or a last `*`. The routes of the request's own
 * method go before those of `any`; among them a word goes before a name, a name before the star. A name never
 * takes an empty part. There is always a route that fits: the service registers `any("/*")`.
 *
 * **Answers.** A handler answers before it returns, or has set an abort handler and answers when it can: a *held*
 * answer. `writeStatus` comes first, then `writeHeader`; the status may carry headers of its own behind line
 * breaks, and neither is checked: the service makes sure that no line break gets in. Bytes that are handed over
 * are taken before the call returns. Then one of:
 *
 * - `end(body, close)`: the answer with its length. `close` ends the connection behind it and says so in it.
 * - `endWithoutBody(length, close)`: a head only; with a length if one is given, otherwise without any.
 * - `tryEnd(body, total)`: offers the body, or its parts one after the other. The first of the two results is false
 *   when the client does not take bytes as fast as they come; the second is true when the system has the whole answer,
 *   which then is over. After a part that was not taken, `onWritable` is called when the client has taken some, with how
 *   much of the body is gone, and is to offer the rest in the same way. Nothing of a body that was not taken may be kept
 *   but the body itself.
 *
 * An answer that is given in a handler or in `cork(write)` leaves in one piece; outside of a handler every write
 * is therefore inside a `cork`, which runs `write` at once. What was written in it leaves when it returns, even if
 * the answer was not ended: with a blank line in the status that is a whole answer without a body, to be followed
 * by `close()`.
 *
 * **The end.** After `end`, `endWithoutBody`, a `tryEnd` that was whole, or an abort, any use of the response
 * throws: that is how a flush of held answers finds out who has left. The abort handler runs once when the
 * connection is lost before the answer is over, and for `close()`, which drops the connection at once, within
 * that call. A handler that returns with neither an answer nor an abort handler is a mistake of the program.
 *
 * **Bodies.** `onData` is set in the handler and called after it with each part, the last one marked; a part is
 * valid during the call only. A body that nobody wants is read and dropped. Behind an answer that closes, nothing
 * is read any more.
 *
 * **Connections.** Answers leave in the order of the requests. A request that comes while an answer is held is
 * served afterwards (node) or costs the connection (uws); one that comes while an answer waits for its client to
 * read costs the connection on both. `filter` hears of every connection, +1 before a byte of it is read and -1
 * when it is gone; it may close it. The engine itself keeps these bounds, all in `limits.ts`: bytes and number of
 * headers, the time to send a head and a body, the idle time of a connection, and that no client has a bigger
 * share of a loop turn than others; what uws lacks of the last, `http/answers-at-once.ts` adds. What is over them, or
 * no HTTP, is refused and the connection closed.
 *
 * **Stopping.** `Listening.close` takes no new connections and leaves the old ones; `app.close` ends them all.
 */

/** The names of statuses: a table, wherever it comes from. */
export { STATUS_CODES } from "node:http";

/** Bytes are taken as they are, text as UTF-8. */
export type Text = string | Uint8Array;

export interface HttpRequest {
  getMethod(): string;
  getCaseSensitiveMethod(): string;
  /** The path alone, with its first slash. */
  getUrl(): string;
  /** What follows the question mark; where there is none, undefined or empty. */
  getQuery(): string | undefined;
  getParameter(index: number): string | undefined;
  getHeader(lowerCaseName: Text): string;
  forEach(each: (lowerCaseName: string, value: string) => void): void;
}

export interface HttpResponse {
  writeStatus(status: Text): HttpResponse;
  writeHeader(name: Text, value: Text): HttpResponse;
  end(body?: Text, close?: boolean): unknown;
  endWithoutBody(length?: number, close?: boolean): unknown;
  tryEnd(body: Text, totalBytes: number): [isTaken: boolean, isWhole: boolean];
  onWritable(handler: (bodyBytesGone: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  onData(handler: (part: ArrayBuffer, isLast: boolean) => void): unknown;
  cork(write: () => void): unknown;
  close(): unknown;
  /** Four bytes or sixteen. */
  getRemoteAddress(): ArrayBuffer;
  /** An IPv4 peer of a socket that serves both families may be written as IPv6. */
  getRemoteAddressAsText(): ArrayBuffer;
  /** Of a request that another process took: nothing may be decided for it when it is false. */
  isWaitedFor?(): boolean;
}

export type HttpHandler = (res: HttpResponse, req: HttpRequest) => void;

/** `change` is a number: +1 or -1. */
export type ConnectionFilter = (connection: { close(): unknown }, change: unknown) => void;

export interface HttpApp {
  get(pattern: string, handler: HttpHandler): unknown;
  head(pattern: string, handler: HttpHandler): unknown;
  post(pattern: string, handler: HttpHandler): unknown;
  patch(pattern: string, handler: HttpHandler): unknown;
  del(pattern: string, handler: HttpHandler): unknown;
  any(pattern: string, handler: HttpHandler): unknown;
  filter(changed: ConnectionFilter): unknown;
  close(): unknown;
}

export interface Listening {
  readonly port: number;
  /** Takes no further connections. */
  close(): void;
}

/** What came and is no request, or none that can be taken. */
export interface Malformed {
  readonly status: 400 | 431;
  readonly problem: string;
}

/** The answer to it: a status with the headers behind it, and a body. */
export type RefuseMalformed = (malformed: Malformed) => { head: string; body: string };

export type EngineName = "uws" | "node";
/** What an operator may ask for: an engine, or the faster one wherever it loads. */
export const engineChoices = ["auto", "uws", "node"] as const;
export type EngineChoice = (typeof engineChoices)[number];

export interface Engine {
  readonly name: EngineName;
  /** Whether a body in chunks ends where the rules of HTTP say. If not, its connection is not used any further. */
  readonly readsChunksStrictly: boolean;
  /** Whether answers cost less when all of a turn are given together, at its end, than each where it is handled. */
  readonly answersBestTogether: boolean;
  /** An engine that answers such things by itself (uws) does not ask. */
  createApp(refuse?: RefuseMalformed): HttpApp;
  /** Fails when the port is taken: it is never shared. */
  listen(app: HttpApp, host: string, port: number): Promise<Listening>;
}

/** One line for people: the port that could not be had. */
export class CannotListen extends Error {
  override name = "CannotListen";

  constructor(host: string, port: number) {
    super(`cannot listen on ${host}:${port}: is the port taken?`);
  }
}
