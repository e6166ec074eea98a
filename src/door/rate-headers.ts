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
import type { ErrorCode } from "../domain/errors.ts";
import type { Millis } from "../runtime/clock.ts";

interface Quota {
  name: "burst" | "minute" | "day";
  limit: Count;
  room: Count;
  endsAt: Millis;
}

/** Their lines, as `Reply` takes them. */
export function rateLines(admission: Admission): string {
  const { limits, at, refusal } = admission;
  const burst = quota("burst", limits.burst, admission.second, secondMs);
  const minute = quota("minute", limits.per_minute, admission.minute, minuteMs);
  const day = quota("day", limits.per_day, admission.day, dayMs);
  const refused = refusal === null ? null : refusing(refusal.code, burst, minute, day);
  const tightest = refused ?? (day.room < minute.room ? day : minute);
  const now =
    refused === null ? `${left(burst, at)}, ${left(minute, at)}, ${left(day, at)}` : left(refused, at);
  return `\r\nratelimit-policy: ${policyOf(limits)}\r\nratelimit: ${now}\r\nx-ratelimit-limit: ${tightest.limit}\r\nx-ratelimit-remaining: ${tightest.room}\r\nx-ratelimit-reset: ${tightest.endsAt / 1000}`;
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
