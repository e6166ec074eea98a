import type { Admission } from "../actor/account-actor.ts";
import type { Count, Millis, StoredWindow } from "../domain/documents.ts";
import { dayMs, minuteMs } from "../domain/rate-window.ts";

/**
 * What a client may still ask for: the IETF draft's pair with both windows, and the older trio for the window
 * that will run out first.
 */
export function rateHeaders({ limits, at, ...windows }: Admission): [string, string][] {
  const minute = quotaOf(windows.minute, minuteMs, limits.per_minute, at);
  const day = quotaOf(windows.day, dayMs, limits.per_day, at);
  const tight = day.left < minute.left ? day : minute;
  return [
    ["ratelimit-policy", `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`],
    ["ratelimit", `"minute";r=${minute.left};t=${minute.seconds}, "day";r=${day.left};t=${day.seconds}`],
    ["x-ratelimit-limit", String(tight.limit)],
    ["x-ratelimit-remaining", String(tight.left)],
    ["x-ratelimit-reset", String(tight.resetsAt)],
  ];
}

function quotaOf(window: StoredWindow, lengthMs: number, limit: Count, now: Millis) {
  const end = window.start + lengthMs;
  return {
    limit,
    left: Math.max(0, limit - window.used),
    seconds: Math.ceil((end - now) / 1000),
    resetsAt: end / 1000,
  };
}
