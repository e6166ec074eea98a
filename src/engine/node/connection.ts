/**
 * A connection and its requests, one after the other: a request is served when the answer to the one before it is
 * out and its body in. What follows meanwhile waits, boundedly, and then takes its turn among the other
 * connections: see `turns.ts`. So answers are in order without anybody sorting them, and a client that sends
 * thousands of requests at once has no bigger share than one that sends them singly.
 *
 * An answer that the system does not take at once is *stuck*. Whoever asks for more then loses the connection, and
 * so does who has not taken it in time.
 */
import {
  answerTicksMax,
  idleTicksMax,
  lingerTicksMax,
  messageTicksMax,
  requestsInTurnMax,
  requestsWaitingMax,
} from "../../limits.ts";
import type { Malformed, RefuseMalformed, Text } from "../engine.ts";
import { type Message, NodeRequest } from "./request.ts";
import { headProblem } from "./request-rules.ts";
import { NodeResponse, type Outlet } from "./response.ts";
import type { Router } from "./router.ts";
import type { Turns } from "./turns.ts";

/** The socket's side of a connection. */
export interface Wire<M extends Message> {
  readonly peer: string;
  /** Whether the system has all that was sent. When it has not, `drained` is called once it has. */
  readonly isTaken: boolean;
  /** Whether more has come than was handed over. */
  readonly hasMore: boolean;
  /** Sends an answer and, if it is the last, closes behind it. */
  send(message: M, head: string, body: Text, isLast: boolean): void;
  /** Sends what answers no message, and closes behind it. */
  sendLast(head: string, body: string): void;
  /** Sends a head as it is: the next thing is that the connection is dropped. */
  sendHead(head: string): void;
  /** Tells the client to send its body. */
  proceed(): void;
  /** Hands over what has come of the next messages. */
  readOn(): void;
  /** Closes, when nothing is due any more. */
  finish(): void;
  destroy(): void;
}

/** What connections of a server share. */
export interface EngineParts {
  readonly router: Router;
  readonly turns: Turns;
  readonly refuse: RefuseMalformed;
  /** Seconds since the start, as far as they have been counted. */
  readonly tick: number;
  gone(connection: Connection<never>): void;
}

export class Connection<M extends Message> implements Outlet {
  readonly #around: EngineParts;
  readonly #wire: Wire<M>;
  readonly #waiting: M[] = [];
  /** The one that is served, until it is whole and its answer out. */
  #message: M | null = null;
  #response: NodeResponse | null = null;
  /** Came behind what is still to be answered. */
  #malformed: { malformed: Malformed; isHead: boolean } | null = null;
  #isQueued = false;
  #isStuck = false;
  #isClosing = false;
  #isEnded = false;
  #isGone = false;
  /** The tick at which it is cut; 0 for never. */
  deadline: number;

  constructor(around: EngineParts, wire: Wire<M>) {
    this.#around = around;
    this.#wire = wire;
    this.deadline = around.tick + idleTicksMax;
  }

  get peer(): string {
    return this.#wire.peer;
  }

  /** Whether the next message would have to wait. */
  get isBusy(): boolean {
    return this.#message !== null || this.#isClosing;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** The first bytes of a message are here. */
  began(): void {
    if (this.#message === null) this.deadline = this.#around.tick + messageTicksMax;
  }

  /** Whether the message that is served has more of its body to come. */
  get wantsBody(): boolean {
    return this.#message !== null && !this.#message.isWhole && !this.#isClosing;
  }

  /** Whether there is a message that waits for its turn. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** The head of a message is here. */
  arrived(message: M): void {
    if (this.#isClosing) return;
    if (this.#message === null && this.#waiting.length === 0 && !this.#isQueued) {
      this.#serve(message);
      return;
    }
    this.asksOn();
    this.#waiting.push(message);
    if (this.#waiting.length > requestsWaitingMax) this.cut();
  }

  /** More has come than may be served at once: the rest of it waits for a turn. */
  moreCame(): void {
    if (!this.isBusy) this.#queue();
  }

  /** Something of the body of a message that has arrived is here. */
  bodyCame(message: M): void {
    if (message !== this.#message) return;
    this.#handOn(message);
    if (message.isWhole) this.#restIfDone();
  }

  /** What came is no request. */
  failed(malformed: Malformed, isHead: boolean): void {
    if (this.#isClosing) return;
    const message = this.#message;
    if (message !== null && !message.isWhole) this.#spoilt(malformed, message);
    else if (message === null && this.#waiting.length === 0) this.#refuse(malformed, isHead);
    else {
      this.#malformed = { malformed, isHead };
      this.moreCame();
    }
  }

  /** Something more has come, whatever it is. */
  asksOn(): void {
    if (this.#isStuck) setImmediate(() => this.#isStuck && this.cut());
  }

  /**
   * The client sends no more. Whoever leaves says nothing else, so an answer that is still held is given up, as
   * uWebSockets.js and Node's own server do: what is worked on for a client ends with it.
   */
  ended(): void {
    this.#isEnded = true;
    if (this.#message !== null && (!this.#message.isWhole || this.#response !== null)) this.cut();
    else if (!this.isBusy && this.#waiting.length === 0 && !this.#wire.hasMore) this.#finish();
  }

  drained(): void {
    if (!this.#isStuck) return;
    this.#isStuck = false;
    const response = this.#response;
    if (response?.isOffered) {
      this.#response = null;
      response.taken();
    }
    this.#restIfDone();
  }

  /** Serves what waits, for as long as it can be answered at once, and no longer than its share. */
  takeTurn(): void {
    this.#isQueued = false;
    for (let served = 0; served < requestsInTurnMax && !this.isBusy && !this.#isGone; served++) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#serve(next);
      else if (this.#malformed !== null) this.#refuse(this.#malformed.malformed, this.#malformed.isHead);
      else if (this.#wire.hasMore) this.#wire.readOn();
      else break;
    }
    if (!this.isBusy && !this.#isGone) this.#rest();
  }

  send(head: string, body: Text, close: boolean): boolean {
    const message = this.#message!;
    const isLast = close || !message.keepAlive;
    this.#wire.send(message, head, body, isLast);
    const isTaken = this.#wire.isTaken;
    if (!isTaken) {
      this.#isStuck = true;
      this.deadline = this.#around.tick + answerTicksMax;
      if (this.#waiting.length > 0 || this.#wire.hasMore) this.asksOn();
    }
    if (isTaken || !this.#response?.isOffered) this.#response = null;
    if (isLast) {
      this.#isClosing = true;
      this.deadline = this.#around.tick + (isTaken ? lingerTicksMax : answerTicksMax);
    }
    this.#restIfDone();
    return isTaken;
  }

  sendHead(head: string): void {
    this.#wire.sendHead(head);
  }

  cut(): void {
    this.#wire.destroy();
    this.lost();
  }

  lost(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#isClosing = true;
    this.deadline = 0;
    this.#waiting.length = 0;
    this.#around.gone(this as unknown as Connection<never>);
    const response = this.#response;
    this.#response = null;
    response?.abort();
  }

  #serve(message: M): void {
    this.#message = message;
    this.deadline = message.isWhole ? 0 : this.#around.tick + messageTicksMax;
    const { method, target, rawHeaders } = message;
    const problem = headProblem(message);
    if (problem !== null) {
      this.#refuse(problem, method === "HEAD");
      return;
    }
    const request = new NodeRequest(method, target, rawHeaders);
    const found = this.#around.router.find(method, request.getUrl());
    if (found === null) throw new Error(`no route takes ${method} ${target}`);
    request.params = found.params;
    const response = new NodeResponse(this, method === "HEAD");
    this.#response = response;
    found.handler(response, request);
    if (!response.isOver && !response.isOffered && !response.hasAbortHandler) {
      throw new Error(`the handler of ${method} ${target} neither answered nor set an abort handler`);
    }
    // RFC 9110, 10.1.1: such a client waits before it sends its body.
    const mayWait = response.isOpen && !message.isWhole;
    if (mayWait && request.getHeader("expect").toLowerCase() === "100-continue") this.#wire.proceed();
    this.#handOn(message);
  }

  #handOn(message: M): void {
    const { parts, isWhole } = message;
    message.parts = null;
    for (const part of parts ?? []) this.#response?.data(part, false);
    if (isWhole) this.#response?.data(nothing, true);
  }

  /** The body of a request turned out to be none. */
  #spoilt(malformed: Malformed, { method }: M): void {
    const response = this.#response;
    this.#response = null;
    if (response?.isOpen) {
      response.abort();
      this.#refuse(malformed, method === "HEAD");
    } else this.#finish();
  }

  #refuse(malformed: Malformed, isHead: boolean): void {
    this.#isClosing = true;
    this.#malformed = null;
    this.deadline = this.#around.tick + lingerTicksMax;
    const { head, body } = this.#around.refuse(malformed);
    this.#wire.sendLast(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}`, isHead ? "" : body);
  }

  #restIfDone(): void {
    if (this.#response !== null || this.#isStuck || this.#isClosing || !this.#message?.isWhole) return;
    this.#message = null;
    this.#rest();
  }

  #rest(): void {
    this.deadline = this.#around.tick + idleTicksMax;
    if (this.#waiting.length > 0 || this.#malformed !== null || this.#wire.hasMore) this.#queue();
    else if (this.#isEnded) this.#finish();
  }

  #queue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#around.turns.add(this);
  }

  #finish(): void {
    this.#isClosing = true;
    this.deadline = this.#around.tick + lingerTicksMax;
    this.#wire.finish();
  }
}

const nothing = new Uint8Array();
