/**
 * The server of a process that does not own the accounts: links are served here, what the service says of itself too, and
 * all else is forwarded to the owner, whose answer is given as it is.
 *
 * Here a request has its body read and its time limited as everywhere; who may call is for the owner to say, who gets
 * the request as it came, with the address that it came from.
 */
import { type ApiError, unavailable } from "../domain/errors.ts";
import type { Engine, HttpApp, HttpRequest } from "../engine/engine.ts";
import type { InnerAnswer, InnerRequest } from "../engine/inner-app.ts";
import type { Method } from "../http/access.ts";
import { AnswersAtOnce } from "../http/answers-at-once.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Reply, refuseMalformed } from "../http/reply.ts";
import type { Body } from "../http/request-body.ts";
import { bodyBytesMax } from "../limits.ts";
import { Cancelled } from "../store/store.ts";
import type { AccessLog } from "./access-log.ts";
import { limitConnections } from "./connection-limit.ts";
import { Door, type DoorParts } from "./door.ts";
import { type Address, patternOf } from "./route.ts";
import {
  listeningServer,
  registerRefusals,
  registerRoute,
  type Server,
  type ServerParts,
  watching,
} from "./server.ts";

/** The owner's answer, which may be given up when it is unwanted. Rejects with what the client is to be told otherwise. */
export type Forward = (
  request: InnerRequest,
  body: Uint8Array,
  unwanted: AbortSignal,
) => Promise<InnerAnswer>;

export interface ForwardingOptions {
  engine: Engine;
  host: string;
  port: number;
  /** Every address that the owner serves. */
  routes: readonly Address[];
  linkMethods: readonly Method[];
  /** What is answered here, by path. */
  own: Readonly<Record<string, (exchange: Exchange) => Promise<Reply> | Reply>>;
  parts: DoorParts & Pick<ServerParts, "metrics">;
  accessLog: AccessLog | null;
  forward: Forward;
  registerLinks(app: HttpApp, atOnce: AnswersAtOnce): { drain(): Promise<void> };
}

export async function listenForwarding(options: ForwardingOptions): Promise<Server> {
  const { engine, parts, accessLog, routes, own, forward } = options;
  const app = engine.createApp(refuseMalformed);
  const connections = limitConnections(app);
  const atOnce = new AnswersAtOnce();
  const door = new Door(parts, atOnce, engine.readsChunksStrictly);
  const links = options.registerLinks(app, atOnce);
  const watch = watching(parts, accessLog);
  const watchOthers = watch("any", "/*");
  for (const route of routes) {
    const watchRoute = watch(route.method, patternOf(route));
    const answerHere = own[route.path];
    registerRoute(app, route, (res, req) => {
      const asked = answerHere === undefined ? requestIn(res, req) : null;
      door.serve(res, req, 0, watchRoute, (exchange) =>
        asked === null ? answerHere!(exchange) : forwarded(exchange, asked, forward),
      );
    });
  }
  registerRefusals(app, routes, (res, req, refuse) => door.serve(res, req, 0, watchOthers, refuse), options);

  const listening = await engine.listen(app, options.host, options.port);
  return listeningServer(listening, connections, [door, links], app);
}

function requestIn(res: { getRemoteAddressAsText(): ArrayBuffer }, req: HttpRequest): InnerRequest {
  const headers: [string, string][] = [];
  req.forEach((name, value) => void headers.push([name, value]));
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: req.getQuery(),
    headers,
    peer: Buffer.from(res.getRemoteAddressAsText()).toString(),
  };
}

async function forwarded(exchange: Exchange, asked: InnerRequest, forward: Forward): Promise<Reply> {
  const body = await exchange.body();
  if (body === "aborted") throw new Cancelled("The client has gone.");
  const {
    status,
    head,
    length,
    body: told,
  } = await forward(
    { ...asked, headers: withLength(asked.headers, body) },
    body === "too large" ? new Uint8Array() : body.bytes,
    exchange.unwanted,
  );
  exchange.requestId = /\r\nx-request-id: ([^\r]+)/i.exec(head)?.[1] ?? exchange.requestId;
  return { status, headers: [], body: told, made: { head, length } };
}

/** The body is here, whatever was said of how it would come. One that was not taken is announced as too large. */
function withLength(
  headers: InnerRequest["headers"],
  body: Exclude<Body, "aborted">,
): InnerRequest["headers"] {
  const others = headers.filter(([name]) => name !== "content-length" && name !== "transfer-encoding");
  const bytes = body === "too large" ? bodyBytesMax + 1 : body.bytes.length;
  return bytes === 0 ? others : [...others, ["content-length", String(bytes)]];
}

/** What a client is told when the owner is not known, or did not answer. */
export function noOwner(): ApiError {
  return unavailable("No process is known to own the accounts at the moment. Try again shortly.");
}

export function ownerSilent(): ApiError {
  return unavailable(
    "The owner of the accounts did not answer; it may have done what was asked. Try again shortly.",
  );
}
