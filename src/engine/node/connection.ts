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
import type { Text } from "../engine.ts";
import { NodeRequest } from "./request.ts";
import { headProblem, type Refusal } from "./request-rules.ts";
import { NodeResponse, type Outlet } from "./response.ts";
import type { Router } from "./router.ts";
import type { Turns } from "./turns.ts";

/** A request whose head has come. */
export interface Message {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly isHttp11: boolean;
  readonly keepAlive: boolean;
  /** Whether all of its body is here, too. */
  isWhole: boolean;
  /** What came of its body before it was its turn. */
  early: Uint8Array[];
}

/** The socket's side of a connection. */
export interface Wire<M extends Message> {
  readonly peer: string;
  /** Whether the system has all that was sent. */
  readonly isTaken: boolean;
  /** Sends an answer and, if it is the last, closes behind it. */
  send(message: M, head: string, body: Text, isLast: boolean): void;
  /** Tells what is no request so, and closes. */
  refuse(refusal: Refusal): void;
  /** Hands over the next message if it has come; false when nothing more can be had now. */
  readOn(): boolean;
  /** Whether there is something to read on with. */
  readonly hasMore: boolean;
  /** Closes, when nothing is due any more. */
  finish(): void;
  destroy(): void;
}

/** What connections of a server share. */
export interface Surroundings {
  readonly router: Router;
  readonly turns: Turns;
  /** Seconds since the start, as far as they have been counted. */
  readonly tick: number;
  gone(connection: Connection<never>): void;
}

export class Connection<M extends Message> implements Outlet {
  readonly #around: Surroundings;
  readonly #wire: Wire<M>;
  readonly #waiting: M[] = [];
  /** The one that is served, until it is whole and its answer out. */
  #message: M | null = null;
  #response: NodeResponse | null = null;
  #refusal: Refusal | null = null;
  #isStuck = false;
  #isClosing = false;
  #isEnded = false;
  #isGone = false;
  /** The tick at which it is cut; 0 for never. */
  deadline: number;

  constructor(around: Surroundings, wire: Wire<M>) {
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

  /** The head of a message is here. */
  arrived(message: M): void {
    if (this.#isClosing) return;
    if (this.#message === null && this.#waiting.length === 0) {
      this.#serve(message);
      return;
    }
    this.asksOn();
    this.#waiting.push(message);
    if (this.#waiting.length > requestsWaitingMax) this.cut();
  }

  /** A part of the body of a message that has arrived. */
  body(message: M, part: Uint8Array, isLast: boolean): void {
    if (isLast) message.isWhole = true;
    if (message !== this.#message) {
      message.early.push(part);
      return;
    }
    this.#response?.data(part, isLast);
    if (isLast) this.#settle();
  }

  /** What came is no request. */
  failed(refusal: Refusal): void {
    if (this.#isClosing) return;
    if (this.isBusy || this.#waiting.length > 0) this.#refusal = refusal;
    else this.#refuse(refusal);
  }

  /** Something more has come, whatever it is. */
  asksOn(): void {
    if (this.#isStuck) setImmediate(() => this.#isStuck && this.cut());
  }

  /** The client sends no more. */
  ended(): void {
    this.#isEnded = true;
    if (this.#message !== null && !this.#message.isWhole) this.cut();
    else if (!this.isBusy && this.#waiting.length === 0 && !this.#wire.hasMore) this.#finish();
  }

  /** The system has all that was sent. */
  drained(): void {
    if (!this.#isStuck) return;
    this.#isStuck = false;
    const response = this.#response;
    if (response?.isOffered) {
      this.#response = null;
      response.taken();
    }
    this.#settle();
  }

  /** Serves what waits, for as long as it can be answered at once, and no longer than its share. */
  takeTurn(): void {
    for (let served = 0; served < requestsInTurnMax && !this.isBusy && !this.#isGone; served++) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#serve(next);
      else if (this.#refusal !== null) this.#refuse(this.#refusal);
      else if (!this.#wire.readOn()) break;
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
    this.#settle();
    return isTaken;
  }

  cut(): void {
    this.#wire.destroy();
    this.lost();
  }

  /** The connection is no more. */
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
    const { method, target, rawHeaders, isHttp11 } = message;
    const problem = headProblem(target, rawHeaders, isHttp11);
    if (problem !== null) {
      this.#refuse(problem);
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
    const { early } = message;
    for (let at = 0; at < early.length; at++) {
      response.data(early[at]!, message.isWhole && at === early.length - 1);
    }
  }

  #refuse(refusal: Refusal): void {
    this.#isClosing = true;
    this.#refusal = null;
    this.deadline = this.#around.tick + lingerTicksMax;
    this.#wire.refuse(refusal);
  }

  /** Is the message done with? */
  #settle(): void {
    if (this.#response !== null || this.#isStuck || this.#isClosing || !this.#message?.isWhole) return;
    this.#message = null;
    this.#rest();
  }

  #rest(): void {
    this.deadline = this.#around.tick + idleTicksMax;
    if (this.#waiting.length > 0 || this.#refusal !== null || this.#wire.hasMore)
      this.#around.turns.add(this);
    else if (this.#isEnded) this.#finish();
  }

  #finish(): void {
    this.#isClosing = true;
    this.deadline = this.#around.tick + lingerTicksMax;
    this.#wire.finish();
  }
}
