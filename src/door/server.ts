/**
 * The HTTP server: puts the route table on an engine, takes every request through the same door, and turns
 * whatever a handler throws into an answer.
 */

import { type Call, readJson, type Services } from "../api/call.ts";
import { methodsByPath, type Route, routes } from "../api/routes.ts";
import { ApiError, errors, unavailable } from "../domain/errors.ts";
import type { Engine, HttpApp, HttpRequest, HttpResponse } from "../engine/engine.ts";
import { AnswersAtOnce } from "../http/answers-at-once.ts";
import { Exchange, type Reply } from "../http/exchange.ts";
import { bodyLength, chunked } from "../http/framing.ts";
import { refuseMalformed } from "../http/malformed.ts";
import { asApiError, refusal } from "../http/reply.ts";
import { RequestHead } from "../http/request-head.ts";
import { challenges } from "../http/standing-headers.ts";
import { refuseUnclear } from "../http/unclear-message.ts";
import { isSlug } from "../link/slug.ts";
import type { ScanCounters, ScanRoutes } from "../redirect/link-handler.ts";
import { Cancelled } from "../store/store.ts";
import type { AccessLog } from "./access-log.ts";
import { type Connections, limitConnections } from "./connection-limit.ts";
import { rateHeaders } from "./rate-headers.ts";
import { answerMsMax, handlerMsMax, type Timed, TimeLimit } from "./time-limit.ts";

export interface Server {
  port: number;
  connections: Connections;
  scans: ScanCounters;
  /** Stops listening, lets the requests in flight end (at most `withinMs`), then closes every connection. */
  close(withinMs: number): Promise<void>;
}

export interface ServerOptions {
  engine: Engine;
  host: string;
  port: number;
  services: Services;
  /** Null when requests are not logged. */
  accessLog: AccessLog | null;
  /** Registers the public links, which have a faster path of their own. */
  registerScans(app: HttpApp, atOnce: AnswersAtOnce): ScanRoutes;
}

const registerFor = { GET: "get", HEAD: "head", POST: "post", PATCH: "patch", DELETE: "del" } as const;

export async function listen(options: ServerOptions): Promise<Server> {
  const { engine, services, accessLog } = options;
  const app = engine.createApp(refuseMalformed);
  const connections = limitConnections(app);
  const atOnce = new AnswersAtOnce();
  const door = new Door(services, atOnce, engine.readsChunksStrictly);
  /** Whoever wants to know of the answers of a route. */
  const watch = (method: string, path: string): Watch => {
    const meter = services.metrics.route(method, path);
    return (requestId, status, seconds) => {
      meter(status, seconds);
      accessLog?.request({ request_id: requestId, method, route: path, status, seconds });
    };
  };
  const watchOthers = watch("any", "/*");
  const scanRoutes = options.registerScans(app, atOnce);
  const served = services.metricsAccess === "off" ? routes.filter(isNotMetrics) : routes;
  for (const route of served) {
    const params = route.path.split("/:").length - 1;
    const watchRoute = watch(route.method, route.path);
    const serve = (res: HttpResponse, req: HttpRequest) =>
      door.serve(res, req, params, watchRoute, (exchange) => answer(route, exchange, services));
    app[registerFor[route.method]](route.path, serve);
    if (route.method === "GET") app.head(route.path, serve);
  }
  for (const [path, allowed] of methodsByPath(served)) {
    const refuse = (res: HttpResponse, req: HttpRequest) =>
      door.serve(res, req, 0, watchOthers, (exchange) => wrongMethod(exchange, allowed));
    // A method's own routes are tried before those of any method, so a fixed path has to refuse by name the
    // methods that a path with a parameter in the same place would take.
    for (const [method, register] of Object.entries(registerFor)) {
      if (!allowed.includes(method)) app[register](path, refuse);
    }
    app.any(path, refuse);
  }
  app.any("/*", (res, req) => door.serve(res, req, 0, watchOthers, nothingHere));

  const listening = await engine.listen(app, options.host, options.port);
  return {
    port: listening.port,
    connections,
    scans: scanRoutes.counters,
    async close(withinMs) {
      listening.close();
      door.draining = true;
      await Promise.all([door.emptied(withinMs), scanRoutes.drain()]);
      app.close();
    },
  };
}

/** Told of every request, once it is over. */
type Watch = (requestId: string, status: number | "aborted", seconds: number) => void;

/** Every request passes here: it is counted while it is in flight, and always gets exactly one answer. */
class Door {
  draining = false;
  readonly #services: Services;
  readonly #atOnce: AnswersAtOnce;
  readonly #trustsChunks: boolean;
  readonly #handling: TimeLimit;
  readonly #reading: TimeLimit;
  #inFlight = 0;
  #onEmpty: () => void = () => {};

  constructor(services: Services, atOnce: AnswersAtOnce, trustsChunks: boolean) {
    this.#services = services;
    this.#atOnce = atOnce;
    this.#trustsChunks = trustsChunks;
    this.#handling = new TimeLimit(services.clock, handlerMsMax);
    this.#reading = new TimeLimit(services.clock, answerMsMax);
  }

  serve(
    res: HttpResponse,
    req: HttpRequest,
    params: number,
    watch: Watch,
    answerTo: (exchange: Exchange) => Promise<Reply> | Reply,
  ): void {
    const began = performance.now();
    this.#inFlight++;
    const head = new RequestHead().read(req);
    const length = bodyLength(head);
    const isClear = typeof length === "number";
    const { trustedProxies } = this.#services;
    const exchange = new Exchange(res, req, head, isClear ? length : 0, params, trustedProxies, (status) => {
      this.#handling.end(handled);
      if (read !== null) this.#reading.end(read);
      watch(exchange.requestId, status, (performance.now() - began) / 1000);
      this.#left();
    });
    if (length === chunked && !this.#trustsChunks) exchange.closeAfterwards();
    let read: Timed | null = null;
    const send = (reply: Reply) => {
      if (this.draining) exchange.closeAfterwards();
      this.#send(exchange, reply);
      this.#atOnce.given(reply.body.length);
      this.#handling.end(handled);
      if (exchange.isSending) read ??= this.#reading.begin(() => exchange.cut());
    };
    const handled = this.#handling.begin(() => {
      exchange.closeAfterwards();
      send(refusal(exchange.requestId, unavailable("The request took too long. Try again shortly.")));
    });
    if (isClear) void this.#reply(exchange, answerTo).then(send);
    else refuseUnclear(exchange, length);
  }

  /** An answer with a header that cannot be sent is a fault of ours like any other. */
  #send(exchange: Exchange, reply: Reply): void {
    try {
      exchange.send(reply);
    } catch (cause) {
      exchange.send(this.#failure(exchange, cause));
    }
  }

  /** Resolves when no request is in flight, or after `ms`. */
  emptied(ms: number): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#services.clock.after(ms, resolve);
      this.#onEmpty = () => {
        cancel();
        resolve();
      };
    });
  }

  async #reply(exchange: Exchange, answerTo: (exchange: Exchange) => Promise<Reply> | Reply): Promise<Reply> {
    try {
      // Most handlers end before the next request is read.
      if (!this.#atOnce.take()) {
        await this.#atOnce.turned();
        if (exchange.isOver) throw new Cancelled("The client has gone.");
      }
      return await answerTo(exchange);
    } catch (cause) {
      return this.#failure(exchange, cause);
    } finally {
      if (exchange.hasBody) await exchange.body();
    }
  }

  #failure(exchange: Exchange, cause: unknown): Reply {
    const { requestId, method, path } = exchange;
    if (!(cause instanceof ApiError || cause instanceof Cancelled)) {
      const shown = withoutKeys(path);
      this.#services.log.error({ err: cause, request_id: requestId, method, path: shown }, "request failed");
    }
    return refusal(requestId, asApiError(cause));
  }

  #left(): void {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#onEmpty();
  }
}

async function answer(route: Route, exchange: Exchange, services: Services): Promise<Reply> {
  const reply = await handle(route, exchange, services).catch((cause) => {
    if (!(cause instanceof ApiError)) throw cause;
    return refusal(exchange.requestId, cause);
  });
  if (reply.status !== errors.unauthorized.status || route.access === "public") return reply;
  return { ...reply, headers: [...reply.headers, ["www-authenticate", challenges[route.access]]] };
}

function isNotMetrics({ access }: Route): boolean {
  return access !== "metrics";
}

async function handle(route: Route, exchange: Exchange, services: Services): Promise<Reply> {
  const bodyOptional = route.access === "admin" && route.bodyOptional === true;
  const call: Call = { exchange, services, json: () => readJson(exchange, bodyOptional) };
  switch (route.access) {
    case "public":
      return route.handler(call);
    case "admin":
      services.adminGuard.check(exchange.header("authorization"), exchange.client);
      return route.handler(call);
    case "metrics":
      if (services.metricsAccess !== "open") {
        services.adminGuard.checkMetrics(exchange.header("authorization"), exchange.client);
      }
      return route.handler(call);
    case "key":
      return answerKeyHolder(route, call);
  }
}

/** Refusals after admission carry the rate headers too, and no answer leaves before the windows are stored. */
async function answerKeyHolder(route: Route & { access: "key" }, call: Call): Promise<Reply> {
  const { exchange, services } = call;
  const admission = await services.directory.admit(exchange.header("x-api-key"));
  const reply = await (async () => {
    if (admission.refusal !== null) throw admission.refusal;
    return route.handler({ ...call, admission, accountId: admission.accountId });
  })().catch((cause) => {
    if (!(cause instanceof ApiError)) throw cause;
    return refusal(exchange.requestId, cause);
  });
  await admission.durable?.catch(() => {
    throw unavailable("The store did not take the request. Try again shortly.");
  });
  return { ...reply, headers: [...reply.headers, ...rateHeaders(admission)] };
}

/** People put keys where they do not belong, and from there they must not get into a log. */
function withoutKeys(path: string): string {
  return path.replaceAll(/api_live_\w+/g, "api_live_…");
}

function wrongMethod(exchange: Exchange, methods: string[]): Reply {
  const reply = refusal(exchange.requestId, new ApiError("method_not_allowed"));
  return { ...reply, headers: [...reply.headers, ["allow", methods.join(", ")]] };
}

function nothingHere(exchange: Exchange): Reply {
  if (isSlug(exchange.path.slice(1).replace(/\/$/, ""))) return wrongMethod(exchange, ["GET", "HEAD"]);
  return refusal(exchange.requestId, new ApiError("not_found"));
}
