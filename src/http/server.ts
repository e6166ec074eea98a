/**
 * The HTTP server: puts the route table on uWebSockets.js, takes every request through the same door, and turns
 * whatever a handler throws into an answer.
 */

import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from "uWebSockets.js";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ApiError, unavailable } from "../domain/errors.ts";
import { isSlug } from "../scan/slug.ts";
import { requireAdmin } from "./auth.ts";
import { type Call, readJson, type Services } from "./call.ts";
import { Exchange, type Reply } from "./exchange.ts";
import { rateHeaders } from "./rate-headers.ts";
import { asApiError, refusal } from "./reply.ts";
import { methodsByPath, type Route, routes } from "./routes.ts";
import type { ScanRoutes } from "./scan.ts";

export interface Server {
  port: number;
  /** Stops listening, lets the requests in flight end (at most `withinMs`), then closes every connection. */
  close(withinMs: number): Promise<void>;
}

export interface ServerOptions {
  host: string;
  port: number;
  services: Services;
  /** Registers the public links, which have a faster path of their own. */
  registerScans(app: TemplatedApp): ScanRoutes;
}

const uwsMethod = { GET: "get", HEAD: "head", POST: "post", PATCH: "patch", DELETE: "del" } as const;

export async function listen(options: ServerOptions): Promise<Server> {
  const { services } = options;
  const app = App();
  const door = new Door(services);
  const scanRoutes = options.registerScans(app);
  for (const route of routes) {
    const params = route.path.split("/:").length - 1;
    const serve = (res: HttpResponse, req: HttpRequest) =>
      door.serve(res, req, params, (exchange) => answer(route, exchange, services));
    app[uwsMethod[route.method]](route.path, serve);
    if (route.method === "GET") app.head(route.path, serve);
  }
  for (const [path, allowed] of methodsByPath(routes)) {
    const refuse = (res: HttpResponse, req: HttpRequest) =>
      door.serve(res, req, 0, (exchange) => wrongMethod(exchange, allowed));
    // A method's own routes are tried before those of any method, so a fixed path has to refuse by name the
    // methods that a path with a parameter in the same place would take.
    for (const [method, register] of Object.entries(uwsMethod)) {
      if (!allowed.includes(method)) app[register](path, refuse);
    }
    app.any(path, refuse);
  }
  app.any("/*", (res, req) => door.serve(res, req, 0, nothingHere));

  const socket = await bind(app, options.host, options.port);
  return {
    port: us_socket_local_port(socket),
    async close(withinMs) {
      us_listen_socket_close(socket);
      door.draining = true;
      await Promise.all([door.emptied(withinMs), scanRoutes.drain()]);
      app.close();
    },
  };
}

/** An overload that the library has and its types leave out. */
type ListenWithOptions = (
  host: string,
  port: number,
  options: number,
  done: (socket: us_listen_socket | false) => void,
) => void;

/** By default the library shares a port with whoever has it, and half of the requests would go astray. */
const exclusivePort = 1;

export function bind(app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    (app as unknown as { listen: ListenWithOptions }).listen(host, port, exclusivePort, (socket) => {
      if (socket) resolve(socket);
      else reject(new Error(`cannot listen on ${host}:${port}: is the port taken?`));
    });
  });
}

/**
 * The server parses on behind an answer, close or not, and would take what follows an unclear message for a
 * request. While an answer is due it closes the connection instead, so this one waits for the next turn.
 */
async function refuseFraming(problem: string): Promise<never> {
  await nextTurn();
  throw new ApiError("invalid_payload", problem);
}

/** Every request passes here: it is counted while it is in flight, and always gets exactly one answer. */
class Door {
  draining = false;
  readonly #services: Services;
  #inFlight = 0;
  #onEmpty: () => void = () => {};

  constructor(services: Services) {
    this.#services = services;
  }

  serve(
    res: HttpResponse,
    req: HttpRequest,
    params: number,
    answerTo: (exchange: Exchange) => Promise<Reply> | Reply,
  ): void {
    let open = true;
    const leave = () => {
      if (open) {
        open = false;
        this.#left();
      }
    };
    this.#inFlight++;
    const exchange = new Exchange(res, req, params, leave);
    void this.#reply(exchange, answerTo).then((reply) => {
      if (this.draining) exchange.closeAfterwards();
      this.#send(exchange, reply);
      leave();
    });
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
      if (exchange.framingError !== null) await refuseFraming(exchange.framingError);
      return await answerTo(exchange);
    } catch (cause) {
      return this.#failure(exchange, cause);
    }
  }

  #failure(exchange: Exchange, cause: unknown): Reply {
    const { requestId, method, path } = exchange;
    if (!(cause instanceof ApiError)) {
      this.#services.log.error({ err: cause, request_id: requestId, method, path }, "request failed");
    }
    return refusal(requestId, asApiError(cause));
  }

  #left(): void {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#onEmpty();
  }
}

async function answer(route: Route, exchange: Exchange, services: Services): Promise<Reply> {
  const bodyOptional = route.access === "admin" && route.bodyOptional === true;
  const call: Call = { exchange, services, json: () => readJson(exchange, bodyOptional) };
  switch (route.access) {
    case "public":
      return route.handler(call);
    case "admin":
      requireAdmin(exchange.header("authorization"), services.adminToken);
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

function wrongMethod(exchange: Exchange, methods: string[]): Reply {
  const reply = refusal(exchange.requestId, new ApiError("method_not_allowed"));
  return { ...reply, headers: [...reply.headers, ["allow", methods.join(", ")]] };
}

function nothingHere(exchange: Exchange): Reply {
  if (isSlug(exchange.path.slice(1))) return wrongMethod(exchange, ["GET", "HEAD"]);
  return refusal(exchange.requestId, new ApiError("not_found"));
}
