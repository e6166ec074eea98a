/**
 * What a client may still ask for: the IETF draft's pair with all policies, and the older trio for the minute or the
 * day, whichever will run out first (a second is over before a client could act on it). A refusal shows the policy
 * that refused, and nothing that could be taken for room.
 *
 * Every answer to a key holder carries these. For a second nothing of them changes but the room that is left, so what
 * goes around that is kept beside the limits.
 */
import type { Admission } from "../account/account-actor.ts";
import { dayMs, minuteMs, secondMs } from "../domain/account/rate-window.ts";
import type { Count, PlanLimits, StoredWindow } from "../domain/documents.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { Millis } from "../runtime/clock.ts";

interface Quota {
  name: "burst" | "minute" | "day";
  limit: Count;
  /** A number, or what stands for it. */
  room: Count | string;
  endsAt: Millis;
}

/** Their lines, as `Reply` takes them. */
export function rateLines(admission: Admission): string {
  const { limits, second, minute, day, refusal } = admission;
  const refused = refusal === null ? null : refusing(refusal.code, quotasOf(admission, roomIn));
  if (refused !== null) return lines(limits, [refused], refused, admission.at);
  const minuteRoom = roomIn(limits.per_minute, minute);
  const dayRoom = roomIn(limits.per_day, day);
  const around = aroundRoom(admission, dayRoom < minuteRoom ? "day" : "minute");
  const burst = `${around[0]}${roomIn(limits.burst, second)}${around[1]}`;
  return `${burst}${minuteRoom}${around[2]}${dayRoom}${around[3]}${Math.min(minuteRoom, dayRoom)}${around[4]}`;
}

function roomIn(limit: Count, { used }: StoredWindow): Count {
  return Math.max(0, limit - used);
}

type Quotas = Readonly<Record<Quota["name"], Quota>>;

function quotasOf(
  { limits, second, minute, day }: Admission,
  room: (limit: Count, window: StoredWindow) => Quota["room"],
): Quotas {
  const quota = (name: Quota["name"], limit: Count, window: StoredWindow, lengthMs: number): Quota => {
    return { name, limit, room: room(limit, window), endsAt: window.start + lengthMs };
  };
  return {
    burst: quota("burst", limits.burst, second, secondMs),
    minute: quota("minute", limits.per_minute, minute, minuteMs),
    day: quota("day", limits.per_day, day, dayMs),
  };
}

function refusing(code: ErrorCode, { burst, minute, day }: Quotas): Quota | null {
  if (code === "rate_limited") return burst;
  if (code === "rate_limit_minute") return minute;
  return code === "rate_limit_day" ? day : null;
}

function lines(
  { burst, per_minute, per_day }: PlanLimits,
  shown: readonly Quota[],
  tightest: Quota,
  at: Millis,
): string {
  const policy = `"burst";q=${burst};w=1, "minute";q=${per_minute};w=60, "day";q=${per_day};w=86400`;
  const left = shown.map(({ name, room, endsAt }) => `"${name}";r=${room};t=${secondsUntil(endsAt, at)}`);
  const { limit, room, endsAt } = tightest;
  return `\r\nratelimit-policy: ${policy}\r\nratelimit: ${left.join(", ")}\r\nx-ratelimit-limit: ${limit}\r\nx-ratelimit-remaining: ${room}\r\nx-ratelimit-reset: ${endsAt / 1000}`;
}

function secondsUntil(end: Millis, at: Millis): number {
  return Math.ceil((end - at) / 1000);
}

/** The lines of answers that are no refusals, cut where the room of a quota goes. */
interface Kept {
  tightest: "minute" | "day";
  starts: readonly [second: Millis, minute: Millis, day: Millis];
  secondsLeft: number;
  parts: readonly string[];
}

const kept = new WeakMap<PlanLimits, Kept>();
const cut = "\0";

function aroundRoom(admission: Admission, tightest: Kept["tightest"]): readonly string[] {
  const { limits, second, minute, day, at } = admission;
  const known = kept.get(limits);
  const secondsLeft = secondsUntil(day.start + dayMs, at);
  if (
    known?.secondsLeft === secondsLeft &&
    known.tightest === tightest &&
    known.starts[0] === second.start &&
    known.starts[1] === minute.start &&
    known.starts[2] === day.start
  ) {
    return known.parts;
  }
  const quotas = quotasOf(admission, () => cut);
  const parts = lines(limits, Object.values(quotas), quotas[tightest], at).split(cut);
  kept.set(limits, { tightest, starts: [second.start, minute.start, day.start], secondsLeft, parts });
  return parts;
}
