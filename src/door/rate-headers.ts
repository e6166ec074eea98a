import type { Admission } from "../account/account-actor.ts";
import { dayMs, minuteMs, secondMs } from "../domain/account/rate-window.ts";
import type { Count, StoredWindow } from "../domain/documents.ts";
import type { Millis } from "../runtime/clock.ts";

interface Quota {
  policy: "burst" | "minute" | "day";
  limit: Count;
  windowSeconds: number;
  left: Count;
  seconds: number;
  resetsAt: number;
}

/**
 * What a client may still ask for: the IETF draft's pair with all policies, and the older trio for the minute or the
 * day, whichever will run out first (a second is over before a client could act on it). A refusal shows the policy
 * that refused, and nothing that could be taken for room.
 */
export function rateHeaders({ limits, at, refusal, ...windows }: Admission): [string, string][] {
  const burst = quotaOf("burst", windows.second, secondMs, limits.burst, at);
  const minute = quotaOf("minute", windows.minute, minuteMs, limits.per_minute, at);
  const day = quotaOf("day", windows.day, dayMs, limits.per_day, at);
  const policies = [burst, minute, day];
  const refusing = { rate_limited: burst, rate_limit_minute: minute, rate_limit_day: day };
  const refused = refusal === null ? null : refusing[refusal.code as keyof typeof refusing];
  const tight = refused ?? (day.left < minute.left ? day : minute);
  return [
    [
      "ratelimit-policy",
      policies
        .map(({ policy, limit, windowSeconds }) => `"${policy}";q=${limit};w=${windowSeconds}`)
        .join(", "),
    ],
    [
      "ratelimit",
      (refused === null ? policies : [refused])
        .map(({ policy, left, seconds }) => `"${policy}";r=${left};t=${seconds}`)
        .join(", "),
    ],
    ["x-ratelimit-limit", String(tight.limit)],
    ["x-ratelimit-remaining", String(tight.left)],
    ["x-ratelimit-reset", String(tight.resetsAt)],
  ];
}

function quotaOf(
  policy: Quota["policy"],
  window: StoredWindow,
  lengthMs: number,
  limit: Count,
  now: Millis,
): Quota {
  const end = window.start + lengthMs;
  return {
    policy,
    limit,
    windowSeconds: lengthMs / 1000,
    left: Math.max(0, limit - window.used),
    seconds: Math.ceil((end - now) / 1000),
    resetsAt: end / 1000,
  };
}
