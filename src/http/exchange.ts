/**
 * One request and its answer, within the rules of the server's response object.
 *
 * Those rules: everything of the request must be read before the handler returns; a response that is not
 * answered at once needs an abort handler; a response must not be touched after an abort; header values are
 * passed through unchecked, so a line break in one would split the response; and the parser goes on behind an
 * answer, close or not, unless an answer is due.
 *
 * Two more matter when a client means ill. A body that ends after its answer takes the idle time-out off the
 * connection for good: so an answer is for whoever `onBody` calls back, and a body over the cap costs the
 * connection. And what a client does not read is kept without a bound for as long as it asks for more: so an
 * answer is only offered, what the system does not take at once waits here, a further request then ends the
 * connection, and so does `cut()`.
 */

import { ApiError } from "../domain/errors.ts";
import type { HttpRequest, HttpResponse, Text } from "../engine/engine.ts";
import { Cancelled } from "../store/store.ts";
import { clientAddress, type TrustedProxies } from "../visitor/client-address.ts";
import { isLastByChance, sendLastBodiless } from "./bodiless-answer.ts";
import { bytesOf, headOf, lengthOf, type Reply, refusal } from "./reply.ts";
import type { PageHead } from "./request/page-head.ts";
import { type Body, collectBody } from "./request/request-body.ts";
import type { HeaderName, RequestHead } from "./request/request-head.ts";
import { newRequestId } from "./request-id.ts";

/** open → sending → over, or open → over when the client goes first. */
type State = "open" | "sending" | "over";

const nothing = () => {};
const noBody = { bytes: new Uint8Array() };

/** One for all: an error of each would cost more than many a request. */
const noOneWaits = new Cancelled("No one waits for the answer any more.");

export class Exchange {
  /** Under which it is answered and logged: where another process answers, that one's. */
  requestId: string = newRequestId();
  readonly method: string;
  readonly path: string;
  readonly params: readonly string[];
  /** Null until somebody asks for it, or the request is about to be gone. */
  #query: string | null = null;
  readonly #req: HttpRequest;
  readonly #head: RequestHead;
  readonly #trustedProxies: TrustedProxies;
  /** Null but for requests of pages. */
  page: { head: PageHead; client: string } | null = null;
  readonly #res: HttpResponse;
  readonly hasBody: boolean;
  /** Null while more of it may come. */
  #body: Body | null = null;
  #onBody: () => void = nothing;
  readonly #onOver: (status: number | "aborted") => void;
  #state: State = "open";
  #unwanted: AbortController | null = null;
  #closing = false;
  /** In the handler an answer leaves in one piece by itself, and the client cannot go. */
  #isInHandler = true;

  /**
   * `length` is that of the body, by `bodyLength`. `onOver` runs once: when the system has the whole answer, or
   * when the connection is gone. Whoever makes one calls `outliveHandler` before the handler returns.
   */
  constructor(
    res: HttpResponse,
    req: HttpRequest,
    head: RequestHead,
    length: number,
    paramCount: number,
    trustedProxies: TrustedProxies,
    onOver: (status: number | "aborted") => void,
  ) {
    this.#res = res;
    this.#req = req;
    this.#head = head;
    this.#trustedProxies = trustedProxies;
    this.#onOver = onOver;
    this.method = req.getCaseSensitiveMethod();
    this.path = req.getUrl();
    const params: string[] = [];
    for (let index = 0; index < paramCount; index++) params.push(req.getParameter(index) ?? "");
    this.params = params;
    this.hasBody = length !== 0;
    if (this.hasBody) collectBody(res, length, (body) => this.#bodyOver(body));
    else this.#body = noBody;
  }

  #bodyOver(body: Body): void {
    if (body === "too large") this.#closing = true;
    this.#body = body;
    this.#onBody();
  }

  /** Calls back when no more of the body comes, at once where none does; never when the client goes before. */
  onBody(run: () => void): void {
    if (this.#body === null) this.#onBody = run;
    else run();
  }

  /** The handler is about to return. Most requests are over by then, and need nothing of what those that wait do. */
  outliveHandler(): void {
    this.#isInHandler = false;
    if (this.#state === "over") return;
    this.#takeQuery();
    this.#res.onAborted(() => this.#over("aborted"));
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#takeQuery());
  }

  #takeQuery(): string {
    this.#query ??= this.#req.getQuery() ?? "";
    return this.#query;
  }

  header(name: HeaderName): string {
    return this.#head[name] ?? "";
  }

  /** The client's address: the peer's, or what trusted proxies say of theirs. Only before the handler returns. */
  get client(): string {
    return clientAddress(this.#peer, this.header("x-forwarded-for"), this.#trustedProxies);
  }

  get #peer(): string {
    return Buffer.from(this.#res.getRemoteAddressAsText()).toString();
  }

  /** For those whom `onBody` has called back. */
  get body(): Body {
    return this.#body!;
  }

  /**
   * Aborted as soon as nobody waits for an answer any more: there is one, such as that it took too long, or the
   * client has gone. Made when asked for, since few ask.
   */
  get unwanted(): AbortSignal {
    this.#unwanted ??= new AbortController();
    if (this.#state !== "open") this.#unwanted.abort(noOneWaits);
    return this.#unwanted.signal;
  }

  /** Of a request that another process handed on: whether something may be decided for it. Null of all others. */
  get waitedFor(): (() => boolean) | null {
    const res = this.#res;
    if (res.isWaitedFor === undefined) return null;
    return () => this.#state === "open" && res.isWaitedFor!();
  }

  /**
   * Refuses a message that does not say clearly where it ends; whoever sends one is not to be believed any further.
   * In the next turn, and as the last answer of its connection: until then the server ends the connection when
   * anything follows on it, and would otherwise take that for a request.
   */
  refuseUnclear(problem: string): void {
    this.closeAfterwards();
    setImmediate(() => this.send(refusal(this.requestId, new ApiError("invalid_payload", problem))));
  }

  /** Ends the connection with the answer, which then says so. */
  closeAfterwards(): void {
    this.#closing = true;
  }

  /** Sends the answer; does nothing when there is one already or the client has gone. */
  send(reply: Reply): void {
    if (this.#state !== "open") return;
    const head = headOf(reply, this.requestId, this.path);
    this.#state = "sending";
    this.#unwanted?.abort(noOneWaits);
    if (this.method === "HEAD" || reply.status === 304) this.#sendBodiless(reply, head);
    else if (this.#closing) this.#sendLast(reply, head);
    else this.#offer(reply, head);
  }

  /** True until there is an answer, or the client gone. */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** True while the client has not taken all of its answer. */
  get isSending(): boolean {
    return this.#state === "sending";
  }

  /** Ends the connection of a client that does not take its answer. */
  cut(): void {
    if (this.isSending) this.#res.close();
  }

  #over(status: number | "aborted"): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#unwanted?.abort(noOneWaits);
    this.#onOver(status);
  }

  #write(write: () => void): void {
    if (this.#isInHandler) write();
    else this.#res.cork(write);
  }

  /** What is not taken at once follows as the client reads. */
  #offer({ status, begin = "", body }: Reply, head: string): void {
    // A text would be gone through once for its length, and twice more by the engine.
    const rest = typeof body === "string" ? Buffer.from(body) : body;
    // Not by `#write`: nearly every answer leaves here, and those of the handler need no closure.
    if (this.#isInHandler) this.#offerWhole(status, head, begin, rest);
    else this.#res.cork(() => this.#offerWhole(status, head, begin, rest));
    if (!this.isSending) return;
    const bytes = bytesOf({ begin, body: rest });
    this.#res.onWritable((offset) => this.#offerPart(bytes.subarray(offset), bytes.length, status));
  }

  #offerWhole(status: number, head: string, begin: string, rest: Uint8Array): void {
    const length = begin.length + rest.length;
    this.#res.writeStatus(head);
    if (begin === "" || this.#offerPart(begin, length, status)) this.#offerPart(rest, length, status);
  }

  /** `length` is that of the whole body. True when all of the part was taken. */
  #offerPart(part: Text, length: number, status: number): boolean {
    const [isTaken, isWhole] = this.#res.tryEnd(part, length);
    if (isWhole) this.#over(status);
    return isTaken;
  }

  #sendLast(reply: Reply, head: string): void {
    this.#write(() => this.#res.writeStatus(head).end(bytesOf(reply), true));
    this.#over(reply.status);
  }

  #sendBodiless(reply: Reply, head: string): void {
    const { status, made } = reply;
    const length = made?.length ?? lengthOf(reply);
    const told = this.method === "HEAD" ? `${head}\r\ncontent-length: ${length}` : head;
    const sent = () => this.#over(status);
    if (this.#closing || isLastByChance()) {
      sendLastBodiless(this.#res, told, () => this.isSending, sent);
      return;
    }
    this.#write(() => this.#res.writeStatus(told).endWithoutBody());
    sent();
  }
}
