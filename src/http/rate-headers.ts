import type { Admission } from "../actor/account-actor.ts";
import type { Millis } from "../domain/documents.ts";
import { dayMs, minuteMs, secondsLeft } from "../domain/rate-window.ts";

/**
 * What a client may still ask for: the IETF draft's pair with both windows, and the older trio for the window
 * that will run out first.
 */
export function rateHeaders(admission: Admission, now: Millis): [string, string][] {
  const { limits, usedMinute, usedDay } = admission;
  const minute = {
    limit: limits.per_minute,
    left: Math.max(0, limits.per_minute - usedMinute),
    lengthMs: minuteMs,
  };
  const day = { limit: limits.per_day, left: Math.max(0, limits.per_day - usedDay), lengthMs: dayMs };
  const tight = day.left < minute.left ? day : minute;
  const reset = Math.floor(now / 1000) + secondsLeft(tight.lengthMs, now);
  return [
    ["ratelimit-policy", `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`],
    [
      "ratelimit",
      `"minute";r=${minute.left};t=${secondsLeft(minuteMs, now)}, "day";r=${day.left};t=${secondsLeft(dayMs, now)}`,
    ],
    ["x-ratelimit-limit", String(tight.limit)],
    ["x-ratelimit-remaining", String(tight.left)],
    ["x-ratelimit-reset", String(reset)],
  ];
}
