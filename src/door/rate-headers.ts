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
import type { Count, PlanLimits } from "../domain/documents.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { Millis } from "../runtime/clock.ts";

const quotas = {
  burst: { window: "second", lengthMs: secondMs, limit: "burst" },
  minute: { window: "minute", lengthMs: minuteMs, limit: "per_minute" },
  day: { window: "day", lengthMs: dayMs, limit: "per_day" },
} as const;
type Quota = keyof typeof quotas;

const refusedBy: Partial<Record<ErrorCode, Quota>> = {
  rate_limited: "burst",
  rate_limit_minute: "minute",
  rate_limit_day: "day",
};

export function rateHeaders(admission: Admission): [string, string][] {
  const { limits, refusal } = admission;
  const refused = refusal === null ? undefined : refusedBy[refusal.code];
  const tightest = refused ?? (room(admission, "day") < room(admission, "minute") ? "day" : "minute");
  return [
    ["ratelimit-policy", policyOf(limits)],
    [
      "ratelimit",
      refused === undefined
        ? `${left(admission, "burst")}, ${left(admission, "minute")}, ${left(admission, "day")}`
        : left(admission, refused),
    ],
    ["x-ratelimit-limit", String(limits[quotas[tightest].limit])],
    ["x-ratelimit-remaining", String(room(admission, tightest))],
    ["x-ratelimit-reset", String(endOf(admission, tightest) / 1000)],
  ];
}

function left(admission: Admission, quota: Quota): string {
  const seconds = Math.ceil((endOf(admission, quota) - admission.at) / 1000);
  return `"${quota}";r=${room(admission, quota)};t=${seconds}`;
}

function room(admission: Admission, quota: Quota): Count {
  const { window, limit } = quotas[quota];
  return Math.max(0, admission.limits[limit] - admission[window].used);
}

function endOf(admission: Admission, quota: Quota): Millis {
  const { window, lengthMs } = quotas[quota];
  return admission[window].start + lengthMs;
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
