/**
 * What a client may still ask for: the IETF draft's pair with all policies, and the older trio for the minute or the
 * day, whichever will run out first (a second is over before a client could act on it). A refusal shows the policy
 * that refused, and nothing that could be taken for room.
 *
 * Every answer to a key holder carries these, so they are put together without lists, and the part that only changes
 * with the limits is kept beside them.
 */
import type { Admission } from "../account/account-actor.ts";
import { dayMs, minuteMs, secondMs } from "../domain/account/rate-window.ts";
import type { Count, PlanLimits, StoredWindow } from "../domain/documents.ts";
import type { Millis } from "../runtime/clock.ts";

export function rateHeaders(admission: Admission): [string, string][] {
  const { limits, at, refusal, second, minute, day } = admission;
  switch (refusal?.code) {
    case "rate_limited":
      return headers(
        limits,
        left("burst", second, secondMs, limits.burst, at),
        second,
        secondMs,
        limits.burst,
      );
    case "rate_limit_minute":
      return headers(
        limits,
        left("minute", minute, minuteMs, limits.per_minute, at),
        minute,
        minuteMs,
        limits.per_minute,
      );
    case "rate_limit_day":
      return headers(limits, left("day", day, dayMs, limits.per_day, at), day, dayMs, limits.per_day);
  }
  const all = `${left("burst", second, secondMs, limits.burst, at)}, ${left("minute", minute, minuteMs, limits.per_minute, at)}, ${left("day", day, dayMs, limits.per_day, at)}`;
  return limits.per_day - day.used < limits.per_minute - minute.used
    ? headers(limits, all, day, dayMs, limits.per_day)
    : headers(limits, all, minute, minuteMs, limits.per_minute);
}

function headers(
  limits: PlanLimits,
  rateLimit: string,
  tightest: StoredWindow,
  lengthMs: number,
  limit: Count,
): [string, string][] {
  return [
    ["ratelimit-policy", policyOf(limits)],
    ["ratelimit", rateLimit],
    ["x-ratelimit-limit", String(limit)],
    ["x-ratelimit-remaining", String(room(tightest, limit))],
    ["x-ratelimit-reset", String((tightest.start + lengthMs) / 1000)],
  ];
}

function left(policy: string, window: StoredWindow, lengthMs: number, limit: Count, now: Millis): string {
  const seconds = Math.ceil((window.start + lengthMs - now) / 1000);
  return `"${policy}";r=${room(window, limit)};t=${seconds}`;
}

function room({ used }: StoredWindow, limit: Count): Count {
  return Math.max(0, limit - used);
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
