/**
 * Every request passes here: it is counted while it is in flight, has only so much time, and always gets exactly
 * one answer, whatever its handler throws.
 */
import { ApiError, unavailable } from "../domain/errors.ts";
import type { HttpRequest, HttpResponse } from "../engine/engine.ts";
import type { AnswersAtOnce } from "../http/answers-at-once.ts";
import { Exchange } from "../http/exchange.ts";
import { asApiError, type Reply, refusal } from "../http/reply.ts";
import { bodyLength, chunked } from "../http/request/framing.ts";
import { readPageHead } from "../http/request/page-head.ts";
import { RequestHead } from "../http/request/request-head.ts";
import { answerMsMax, handlerMsMax } from "../limits.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Cancelled } from "../store/store.ts";
import type { TrustedProxies } from "../visitor/client-address.ts";
import type { RequestTurns } from "./request-turns.ts";
import { type Timed, TimeLimit } from "./time-limit.ts";

export interface DoorParts {
  trustedProxies: TrustedProxies;
  clock: Clock;
  log: Pick<Log, "error">;
}

/** Told of every request, once it is over. A client may have left before it got its answer. */
export type Watch = (requestId: string, status: number | "aborted", seconds: number) => void;

type Answer = (exchange: Exchange) => AtOnce<Reply>;

export class Door {
  readonly #parts: DoorParts;
  readonly #atOnce: AnswersAtOnce;
  readonly #turns: RequestTurns;
  readonly #trustsChunks: boolean;
  readonly #handling: TimeLimit;
  readonly #reading: TimeLimit;
  #isDraining = false;
  #inFlight = 0;
  #onEmpty: () => void = () => {};

  constructor(parts: DoorParts, atOnce: AnswersAtOnce, turns: RequestTurns, trustsChunks: boolean) {
    this.#parts = parts;
    this.#atOnce = atOnce;
    this.#turns = turns;
    this.#trustsChunks = trustsChunks;
    this.#handling = new TimeLimit(parts.clock, handlerMsMax);
    this.#reading = new TimeLimit(parts.clock, answerMsMax);
  }

  serve(
    res: HttpResponse,
    req: HttpRequest,
    params: number,
    watch: Watch,
    answerTo: Answer,
    isOfPage = false,
  ): void {
    const began = performance.now();
    this.#inFlight++;
    const head = new RequestHead().read(req);
    const length = bodyLength(head);
    const isClear = typeof length === "number";
    const { trustedProxies } = this.#parts;
    let handled: Timed | null = null;
    let read: Timed | null = null;
    const exchange = new Exchange(res, req, head, isClear ? length : 0, params, trustedProxies, (status) => {
      if (handled !== null) this.#handling.end(handled);
      if (read !== null) this.#reading.end(read);
      watch(exchange.requestId, status, (performance.now() - began) / 1000);
      this.#left();
    });
    if (isOfPage) exchange.page = { head: readPageHead(req), client: exchange.client };
    if (length === chunked && !this.#trustsChunks) exchange.closeAfterwards();
    const send = (reply: Reply) => {
      if (this.#isDraining) exchange.closeAfterwards();
      this.#send(exchange, reply);
      this.#atOnce.given(reply.body.length);
      if (handled !== null) this.#handling.end(handled);
      if (exchange.isSending) read ??= this.#reading.begin(() => exchange.cut());
    };
    const begin = () => {
      if (exchange.isOpen) this.#reply(exchange, answerTo, send);
    };
    if (!isClear) exchange.refuseUnclear(length);
    // Behind a request that waits nothing may follow on its connection; what has a body waits for that anyway.
    else if (!exchange.hasBody && this.#atOnce.take()) begin();
    else exchange.onBody(() => this.#turns.begin(begin));
    exchange.outliveHandler();
    if (!exchange.isOpen) return;
    handled = this.#handling.begin(() => {
      exchange.closeAfterwards();
      send(refusal(exchange.requestId, unavailable("The request took too long. Try again shortly.")));
    });
  }

  /** Most reads end before the next request is read: who has nothing to wait for needs no promise. */
  #reply(exchange: Exchange, answerTo: Answer, send: (reply: Reply) => void): void {
    const failed = (cause: unknown) => this.#failure(exchange, cause);
    let reply: AtOnce<Reply>;
    try {
      reply = answerTo(exchange);
    } catch (cause) {
      reply = failed(cause);
    }
    if (reply instanceof Promise) void reply.then(send, (cause: unknown) => send(failed(cause)));
    else send(reply);
  }

  /** An answer with a header that cannot be sent is a fault of ours like any other. */
  #send(exchange: Exchange, reply: Reply): void {
    try {
      exchange.send(reply);
    } catch (cause) {
      exchange.send(this.#failure(exchange, cause));
    }
  }

  get isEmpty(): boolean {
    return this.#inFlight === 0;
  }

  /** From now on answers end their connections. Resolves when no request is in flight, or after `ms`. */
  drain(ms: number): Promise<void> {
    this.#isDraining = true;
    if (this.isEmpty) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve);
      this.#onEmpty = () => {
        cancel();
        resolve();
      };
    });
  }

  #failure(exchange: Exchange, cause: unknown): Reply {
    const { requestId, method, path } = exchange;
    if (!(cause instanceof ApiError || cause instanceof Cancelled)) {
      const shown = withoutKeys(path);
      this.#parts.log.error({ err: cause, request_id: requestId, method, path: shown }, "request failed");
    }
    return refusal(requestId, asApiError(cause));
  }

  #left(): void {
    this.#inFlight--;
    if (this.isEmpty) this.#onEmpty();
  }
}

/** People put keys where they do not belong, and from there they must not get into a log. */
function withoutKeys(path: string): string {
  return path.replaceAll(/api_live_\w+/g, "api_live_…");
}
