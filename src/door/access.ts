/** Who may call, checked before the handler of a route is asked. */
import type { Admission } from "../account/account-actor.ts";
import { type AskedDirectory, whileWaitedFor } from "../account/while-waited-for.ts";
import { ApiError, errors, unavailable } from "../domain/errors.ts";
import { type Access, challenges, type PageAccess } from "../http/access.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Reply, refusal, withHeader, withLines } from "../http/reply.ts";
import type { People } from "../people/people.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { AdminGuard } from "./admin-guard.ts";
import { rateLines } from "./rate-headers.ts";
import type { Route } from "./route.ts";
import { requireOperator, requireUser, type SessionGuard } from "./session-guard.ts";

/** Who may read `/metrics`: holders of a token, everybody, nobody. */
export const metricsAccesses = ["token", "open", "off"] as const;
export type MetricsAccess = (typeof metricsAccesses)[number];

export interface AccessParts {
  directory: AskedDirectory;
  people: Pick<People, "storedBy">;
  adminGuard: AdminGuard;
  sessionGuard: SessionGuard;
  metricsAccess: MetricsAccess;
  /** Whether what is in memory was still the truth when the request came; null where it always is. */
  mayServe: (() => boolean) | null;
}

export function answer<P>(route: Route<P>, exchange: Exchange, parts: P & AccessParts): AtOnce<Reply> {
  const { waitedFor } = exchange;
  const own = waitedFor === null ? parts : inTime(parts, waitedFor);
  if (route.access === "key") return answerKeyHolder(route, exchange, own);
  return challenged(route.access, exchange, () => admitted(route, exchange, own));
}

/** For a request that another process handed on. */
function inTime<P>(parts: P & AccessParts, isWaitedFor: () => boolean): P & AccessParts {
  const directory = whileWaitedFor(parts.directory, isWaitedFor);
  return { ...parts, directory, people: parts.people.storedBy(directory.create) };
}

/** Whoever is refused for want of a key or a token is told what would be one. */
export function challenged(access: Access, exchange: Exchange, answerTo: () => AtOnce<Reply>): AtOnce<Reply> {
  try {
    const reply = answerTo();
    if (!(reply instanceof Promise)) return withChallenge(access, reply);
    return reply.then(
      (told) => withChallenge(access, told),
      (cause: unknown) => withChallenge(access, refused(exchange, cause)),
    );
  } catch (cause) {
    return withChallenge(access, refused(exchange, cause));
  }
}

function withChallenge(access: Access, reply: Reply): Reply {
  if (reply.status !== errors.unauthorized.status || access === "anyone") return reply;
  return withHeader(reply, ["www-authenticate", challenges[access]]);
}

function admitted<P>(
  route: Exclude<Route<P>, { access: "key" }>,
  exchange: Exchange,
  parts: P & AccessParts,
): AtOnce<Reply> {
  if (route.access !== "anyone" && route.access !== "metrics") requireRight(parts);
  switch (route.access) {
    case "user":
    case "owner":
    case "operator":
    case "page":
      return answerPage(route, exchange, parts);
    case "admin":
      parts.adminGuard.check(exchange.header("authorization"), exchange.client);
      break;
    case "metrics":
      if (parts.metricsAccess !== "open") {
        parts.adminGuard.checkMetrics(exchange.header("authorization"), exchange.client);
      }
  }
  return route.handler({ exchange }, parts);
}

function requireRight({ mayServe }: AccessParts): void {
  if (mayServe !== null && !mayServe()) {
    throw unavailable("Another process may own the accounts by now. Try again shortly.");
  }
}

/** Who is known, and what is at hand, is answered without a promise. */
function answerKeyHolder<P>(
  route: Route<P> & { access: "key" },
  exchange: Exchange,
  parts: P & AccessParts,
): AtOnce<Reply> {
  requireRight(parts);
  const key = exchange.header("x-api-key");
  const admission = parts.directory.admitAtOnce(key) ?? parts.directory.admit(key);
  if (admission instanceof ApiError) return keyRefused(exchange, admission);
  if (!(admission instanceof Promise)) return answerAdmitted(route, exchange, parts, admission);
  return admission.then(
    (late) => answerAdmitted(route, exchange, parts, late),
    (cause: unknown) => keyRefused(exchange, cause),
  );
}

function keyRefused(exchange: Exchange, cause: unknown): Reply {
  return withChallenge("key", refused(exchange, cause));
}

/** Refusals after admission carry the rate headers too, and every answer passes the gate. */
function answerAdmitted<P>(
  route: Route<P> & { access: "key" },
  exchange: Exchange,
  parts: P & AccessParts,
  admission: Admission,
): AtOnce<Reply> {
  try {
    if (admission.refusal !== null) throw admission.refusal;
    const reply = route.handler({ exchange, accountId: admission.accountId, via: "api" }, parts);
    if (!(reply instanceof Promise)) return told(admission, reply);
    return reply.then(
      (late) => told(admission, late),
      (cause: unknown) => told(admission, keyRefused(exchange, cause)),
    );
  } catch (cause) {
    return told(admission, keyRefused(exchange, cause));
  }
}

function told(admission: Admission, reply: Reply): AtOnce<Reply> {
  const { wayOut } = admission;
  const whole = withLines(reply, rateLines(admission));
  return wayOut.isOpen ? whole : wayOut.pass(() => whole, "request");
}

/** Who has the page open is known by the session; what is asked with it takes nothing from anybody's key. */
async function answerPage<P>(
  route: Route<P> & { access: PageAccess },
  exchange: Exchange,
  parts: P & AccessParts,
): Promise<Reply> {
  const { head: page, client } = exchange.page!;
  parts.sessionGuard.requireOwnPage(exchange.method, page);
  if (route.access === "page") return route.handler({ exchange, page, client }, parts);
  const found = await parts.sessionGuard.require(page);
  if (route.access === "operator") {
    requireOperator(found);
    return route.handler({ exchange }, parts);
  }
  const { user } = requireUser(found, route.access);
  return route.handler({ exchange, page, client, user, accountId: user.account_id, via: "dashboard" }, parts);
}

/** What is no refusal is a failure, and goes on as one. */
function refused(exchange: Exchange, cause: unknown): Reply {
  if (!(cause instanceof ApiError)) throw cause;
  return refusal(exchange.requestId, cause);
}
