/** Who may call, checked before the handler of a route is asked. */
import type { Admission } from "../account/account-actor.ts";
import type { Directory } from "../account/directory.ts";
import { dayMs, minuteMs, secondMs } from "../domain/account/rate-window.ts";
import type { Count, PlanLimits, StoredWindow } from "../domain/documents.ts";
import { ApiError, type ErrorCode, errors, unavailable } from "../domain/errors.ts";
import { type Access, challenges, type PageAccess } from "../http/access.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Reply, refusal } from "../http/reply.ts";
import type { Millis } from "../runtime/clock.ts";
import type { AdminGuard } from "./admin-guard.ts";
import type { Route } from "./route.ts";
import { requireOperator, requireUser, type SessionGuard } from "./session-guard.ts";

/** Who may read `/metrics`: holders of a token, everybody, nobody. */
export const metricsAccesses = ["token", "open", "off"] as const;
export type MetricsAccess = (typeof metricsAccesses)[number];

export interface AccessParts {
  directory: Pick<Directory, "admit" | "admitAtOnce">;
  adminGuard: AdminGuard;
  sessionGuard: SessionGuard;
  metricsAccess: MetricsAccess;
  /** Whether what is in memory was still the truth when the request came; null where it always is. */
  mayServe: (() => boolean) | null;
}

export function answer<P>(
  route: Route<P>,
  exchange: Exchange,
  parts: P & AccessParts,
): Promise<Reply> | Reply {
  return challenged(route.access, exchange, () => admitted(route, exchange, parts));
}

/** Whoever is refused for want of a key or a token is told what would be one. */
export function challenged(
  access: Access,
  exchange: Exchange,
  answerTo: () => Promise<Reply> | Reply,
): Promise<Reply> | Reply {
  const challenge = (reply: Reply): Reply => {
    if (reply.status !== errors.unauthorized.status || access === "anyone") return reply;
    return { ...reply, headers: [...reply.headers, ["www-authenticate", challenges[access]]] };
  };
  const refuse = (cause: unknown) => challenge(refused(exchange, cause));
  try {
    const reply = answerTo();
    return reply instanceof Promise ? reply.then(challenge, refuse) : challenge(reply);
  } catch (cause) {
    return refuse(cause);
  }
}

function admitted<P>(route: Route<P>, exchange: Exchange, parts: P & AccessParts): Promise<Reply> | Reply {
  if (route.access !== "anyone" && route.access !== "metrics") requireRight(parts);
  switch (route.access) {
    case "key":
      return answerKeyHolder(route, exchange, parts);
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

/** A key that is known to be wrong is refused without a promise. */
function answerKeyHolder<P>(
  route: Route<P> & { access: "key" },
  exchange: Exchange,
  parts: P & AccessParts,
): Promise<Reply> {
  const key = exchange.header("x-api-key");
  const admission = parts.directory.admitAtOnce(key) ?? parts.directory.admit(key);
  return answerAdmitted(route, exchange, parts, admission);
}

/** Refusals after admission carry the rate headers too, and every answer passes the gate. */
async function answerAdmitted<P>(
  route: Route<P> & { access: "key" },
  exchange: Exchange,
  parts: P & AccessParts,
  admitted: Promise<Admission> | Admission,
): Promise<Reply> {
  const admission = admitted instanceof Promise ? await admitted : admitted;
  let reply: Reply;
  try {
    if (admission.refusal !== null) throw admission.refusal;
    reply = await route.handler({ exchange, accountId: admission.accountId, via: "api" }, parts);
  } catch (cause) {
    reply = refused(exchange, cause);
  }
  const told = { ...reply, headers: [...reply.headers, ...rateHeaders(admission)] };
  return admission.wayOut.isOpen ? told : admission.wayOut.pass(told, "request");
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

interface Quota {
  name: "burst" | "minute" | "day";
  limit: Count;
  room: Count;
  endsAt: Millis;
}

/**
 * What a client may still ask for: the IETF draft's pair with all policies, and the older trio for the minute or the
 * day, whichever will run out first (a second is over before a client could act on it). A refusal shows the policy
 * that refused, and nothing that could be taken for room.
 *
 * Every answer to a key holder carries these, so they are put together without lists, and the part that only changes
 * with the limits is kept beside them.
 */
function rateHeaders(admission: Admission): [string, string][] {
  const { limits, at, refusal } = admission;
  const burst = quota("burst", limits.burst, admission.second, secondMs);
  const minute = quota("minute", limits.per_minute, admission.minute, minuteMs);
  const day = quota("day", limits.per_day, admission.day, dayMs);
  const refused = refusal === null ? null : refusing(refusal.code, burst, minute, day);
  const tightest = refused ?? (day.room < minute.room ? day : minute);
  return [
    ["ratelimit-policy", policyOf(limits)],
    [
      "ratelimit",
      refused === null ? `${left(burst, at)}, ${left(minute, at)}, ${left(day, at)}` : left(refused, at),
    ],
    ["x-ratelimit-limit", String(tightest.limit)],
    ["x-ratelimit-remaining", String(tightest.room)],
    ["x-ratelimit-reset", String(tightest.endsAt / 1000)],
  ];
}

function quota(name: Quota["name"], limit: Count, { start, used }: StoredWindow, lengthMs: number): Quota {
  return { name, limit, room: Math.max(0, limit - used), endsAt: start + lengthMs };
}

function refusing(code: ErrorCode, burst: Quota, minute: Quota, day: Quota): Quota | null {
  if (code === "rate_limited") return burst;
  if (code === "rate_limit_minute") return minute;
  return code === "rate_limit_day" ? day : null;
}

function left({ name, room, endsAt }: Quota, at: Millis): string {
  return `"${name}";r=${room};t=${Math.ceil((endsAt - at) / 1000)}`;
}

const policies = new WeakMap<PlanLimits, string>();

function policyOf(limits: PlanLimits): string {
  let policy = policies.get(limits);
  if (policy === undefined) {
    const { burst, per_minute, per_day } = limits;
    policy = `"burst";q=${burst};w=1, "minute";q=${per_minute};w=60, "day";q=${per_day};w=86400`;
    policies.set(limits, policy);
  }
  return policy;
}
