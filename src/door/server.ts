/** The HTTP server: puts routes on an engine, each behind the door, and refuses what has none. */
import { ApiError } from "../domain/errors.ts";
import type { Engine, HttpApp, HttpHandler, HttpRequest, HttpResponse } from "../engine/engine.ts";
import { isOfPages, type Method } from "../http/access.ts";
import { AnswersAtOnce } from "../http/answers-at-once.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Reply, refusal, refuseMalformed } from "../http/reply.ts";
import { isSlug } from "../link/slug.ts";
import type { Clock } from "../runtime/clock.ts";
import { type AccessParts, answer, type MetricsAccess } from "./access.ts";
import type { AccessLog } from "./access-log.ts";
import { type Connections, limitConnections } from "./connection-limit.ts";
import { Door, type DoorParts, type Watch } from "./door.ts";
import { answeredElsewhere, answeredWhereDecided, type Elsewhere, placeOf, requestIn } from "./forwarding.ts";
import { RequestTurns } from "./request-turns.ts";
import { type Address, methodsByPattern, patternOf, type Route } from "./route.ts";

export interface Server {
  port: number;
  connections: Connections;
  /** Stops listening, lets the requests in flight end (at most `withinMs`), then closes every connection. */
  close(withinMs: number): Promise<void>;
}

/** What the server uses itself, beside what handlers do. */
export interface ServerParts extends DoorParts {
  metrics: { route(method: string, pattern: string): (status: number | "aborted", seconds: number) => void };
  metricsAccess: MetricsAccess;
}

export interface ServerOptions<P> {
  engine: Engine;
  host: string;
  port: number;
  routes: readonly Route<P>[];
  /** Those that the public links have. */
  linkMethods: readonly Method[];
  parts: ServerParts;
  /** What handlers work with at this moment; null while this process decides for nobody. */
  here(): (P & AccessParts & { keeps: boolean }) | null;
  /** Who answers then; null where there is no other. */
  elsewhere: Elsewhere | null;
  /** Null when requests are not logged. */
  accessLog: AccessLog | null;
  /** Where requests come in that another process took. Stays open when the server is closed. */
  inner?: HttpApp;
  /** Registers the public links, which have a faster path of their own. */
  registerLinks(app: HttpApp, atOnce: AnswersAtOnce): Drained;
}

/** Whoever answers requests, and is to end with none of them unanswered. */
interface Drained {
  readonly isEmpty: boolean;
  /** From now on answers end their connections. Resolves when it was empty, or after so long. */
  drain(withinMs: number): Promise<void>;
}

const registerFor = { GET: "get", HEAD: "head", POST: "post", PATCH: "patch", DELETE: "del" } as const;

export async function listen<P>(options: ServerOptions<P>): Promise<Server> {
  const { engine, parts, accessLog, inner } = options;
  const app = engine.createApp(refuseMalformed);
  const connections = limitConnections(app);
  const atOnce = new AnswersAtOnce();
  const turns = new RequestTurns();
  const newDoor = () => new Door(parts, atOnce, turns, engine.readsChunksStrictly);
  const door = newDoor();
  const links = options.registerLinks(app, atOnce);
  const routes = options.routes.filter(({ access }) => access !== "metrics" || parts.metricsAccess !== "off");
  const watch = watching(parts, accessLog);
  const served = routes.map((route) => ({ route, watch: watch(route.method, patternOf(route)) }));
  const watchOthers = watch("any", "/*");
  // What others took is not waited for when this server is closed: it has a door of its own. And it goes no further.
  const entrances: [HttpApp, Door, Elsewhere | null][] = [[app, door, options.elsewhere]];
  if (inner !== undefined) entrances.push([inner, newDoor(), null]);
  for (const [each, through, elsewhere] of entrances) {
    for (const { route, watch: watchRoute } of served) {
      const params = patternOf(route).split("/:").length - 1;
      const isOfPage = isOfPages(route.access);
      const serveHere: HttpHandler = (res, req) => {
        const here = options.here();
        if (here === null)
          through.serve(res, req, 0, watchRoute, answeredElsewhere(route, elsewhere, res, req));
        else
          through.serve(res, req, params, watchRoute, (exchange) => answer(route, exchange, here), isOfPage);
      };
      const place = placeOf(route);
      if (elsewhere === null || place === "anybody") {
        registerRoute(each, route, serveHere);
        continue;
      }
      if (place === "keeper") {
        registerRoute(each, route, (res, req) => {
          if (options.here()?.keeps) serveHere(res, req);
          else through.serve(res, req, 0, watchRoute, answeredElsewhere(route, elsewhere, res, req));
        });
        continue;
      }
      const answerHere = (exchange: Exchange) => answer(route, exchange, options.here()!);
      registerRoute(each, route, (res, req) => {
        const asked = requestIn(res, req);
        through.serve(
          ...([res, req, params, watchRoute] as const),
          (exchange) => answeredWhereDecided(place, elsewhere, exchange, asked, answerHere),
          isOfPage,
        );
      });
    }
    registerRefusals(
      each,
      routes,
      (res, req, refuse) => through.serve(res, req, 0, watchOthers, refuse),
      options,
    );
  }

  const listening = await engine.listen(app, options.host, options.port);
  return {
    port: listening.port,
    connections,
    async close(withinMs) {
      listening.close();
      await drainAll([door, links], withinMs, parts.clock);
      app.close();
    },
  };
}

/** While one of them is waited for, a connection that is still open may bring another something: all are empty at once. */
async function drainAll(all: readonly Drained[], withinMs: number, clock: Clock): Promise<void> {
  const end = clock.now() + withinMs;
  for (let left = withinMs; left > 0 && !all.every(({ isEmpty }) => isEmpty); left = end - clock.now()) {
    await Promise.all(all.map((each) => each.drain(left)));
  }
}

/** Whoever wants to know of the answers of a route. */
function watching({ metrics }: Pick<ServerParts, "metrics">, accessLog: AccessLog | null) {
  return (method: string, route: string): Watch => {
    const meter = metrics.route(method, route);
    return (requestId, status, seconds) => {
      meter(status, seconds);
      accessLog?.request({ request_id: requestId, method, route, status, seconds });
    };
  };
}

function registerRoute(app: HttpApp, route: Address, serve: HttpHandler): void {
  const pattern = patternOf(route);
  app[registerFor[route.method]](pattern, serve);
  if (route.method === "GET") app.head(pattern, serve);
}

/** What has no route is refused: another method of an address that has some, and any other address. */
function registerRefusals(
  app: HttpApp,
  routes: readonly Address[],
  serve: (res: HttpResponse, req: HttpRequest, refuse: (exchange: Exchange) => Reply) => void,
  { linkMethods }: { linkMethods: readonly Method[] },
): void {
  for (const [pattern, allowed] of methodsByPattern(routes)) {
    const refuse = (res: HttpResponse, req: HttpRequest) =>
      serve(res, req, (exchange) => wrongMethod(exchange, allowed));
    // A method's own routes are tried before those of any method, so a fixed path has to refuse by name the
    // methods that a path with a parameter in the same place would take.
    for (const method of Object.keys(registerFor) as Method[]) {
      if (!allowed.includes(method)) app[registerFor[method]](pattern, refuse);
    }
    app.any(pattern, refuse);
  }
  app.any("/*", (res, req) => serve(res, req, (exchange) => nothingHere(exchange, linkMethods)));
}

function wrongMethod(exchange: Exchange, methods: readonly string[]): Reply {
  const reply = refusal(exchange.requestId, new ApiError("method_not_allowed"));
  return { ...reply, headers: [...reply.headers, ["allow", methods.join(", ")]] };
}

function nothingHere(exchange: Exchange, linkMethods: readonly Method[]): Reply {
  if (isSlug(exchange.path.slice(1).replace(/\/$/, ""))) return wrongMethod(exchange, linkMethods);
  return refusal(exchange.requestId, new ApiError("not_found"));
}
