/**
 * Rate windows of one key or session: second (burst), minute and day, aligned to UTC.
 *
 * Exactly N requests pass in a window. To hold that over a crash without a durable write for every request,
 * the stored windows run ahead of the truth: a write reserves a small share of what the minute has used so far,
 * and the requests that it covers need no write of their own. After a crash the whole reservation counts as
 * used, so a window can lose a few requests, never gain one. An orderly stop stores the exact figures.
 *
 * The second is in memory alone, and goes from one member of a cluster to the next in what they say to each other. A
 * process without others that is killed and there again within the same second begins it anew.
 */
import type { Millis } from "../../runtime/clock.ts";
import type { PlanLimits, StoredWindow, StoredWindows } from "../documents.ts";
import type { ErrorCode } from "../errors.ts";

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** None was begun. */
export const noWindow: StoredWindow = { start: 0, used: 0 };

/** A reservation is this share of the minute's requests so far, at least one request or what is asked for. */
const reservedShare = 1 / 16;

export interface RateMeter {
  second: StoredWindow;
  minute: StoredWindow;
  day: StoredWindow;
  /** Requests that the stored windows already cover. */
  covered: number;
}

/** A meter on its way from who decided to who decides next. */
export interface HandedMeter {
  /** The id of the key, or of the session. */
  of: string;
  meter: RateMeter;
}

/** That of a key goes with its account. */
export interface HandedKeyMeter extends HandedMeter {
  account: string;
  /** When it says no more than the store does. */
  until: Millis;
}

export interface RateVerdict {
  refused: Extract<ErrorCode, "rate_limited" | "rate_limit_minute" | "rate_limit_day"> | null;
  /** Seconds until the refusing window ends. */
  retryAfter: number;
  /** The windows to store before the answer leaves; null when a reservation covers the request. */
  store: StoredWindows | null;
}

/** As far as it is stored: of the second nothing is. */
export function meterOf({ minute, day }: StoredWindows): RateMeter {
  return { second: { ...noWindow }, minute: { ...minute }, day: { ...day }, covered: 0 };
}

/** Takes one request out of the windows, or says which one refuses it. A refused request takes nothing. */
export function takeRequest(
  meter: RateMeter,
  limits: Pick<PlanLimits, "burst" | "per_minute" | "per_day">,
  now: Millis,
  reservedMin = 1,
): RateVerdict {
  roll(meter.second, secondMs, now);
  roll(meter.day, dayMs, now);
  // A new day begins with a new minute.
  if (roll(meter.minute, minuteMs, now)) meter.covered = 0;

  if (meter.second.used >= limits.burst) return refusal("rate_limited", meter.second, secondMs, now);
  if (meter.minute.used >= limits.per_minute)
    return refusal("rate_limit_minute", meter.minute, minuteMs, now);
  if (meter.day.used >= limits.per_day) return refusal("rate_limit_day", meter.day, dayMs, now);

  meter.second.used++;
  meter.minute.used++;
  meter.day.used++;
  if (meter.covered > 0) {
    meter.covered--;
    return { refused: null, retryAfter: 0, store: null };
  }
  meter.covered = Math.max(reservedMin, Math.floor(meter.minute.used * reservedShare)) - 1;
  return { refused: null, retryAfter: 0, store: storedWindows(meter, meter.covered) };
}

/** The exact windows, to be stored at an orderly stop; null when the stored ones are exact already. */
export function exactWindows(meter: RateMeter, stored: StoredWindows): StoredWindows | null {
  const exact = meter.minute.used === stored.minute.used && meter.day.used === stored.day.used;
  return exact ? null : storedWindows(meter, 0);
}

/** What is used of a window at a moment. */
export function usedNow(window: StoredWindow, lengthMs: number, now: Millis): number {
  return window.start === now - (now % lengthMs) ? window.used : 0;
}

function storedWindows(meter: RateMeter, ahead: number): StoredWindows {
  return {
    minute: { start: meter.minute.start, used: meter.minute.used + ahead },
    day: { start: meter.day.start, used: meter.day.used + ahead },
  };
}

/** A clock that steps back keeps the later window: going back must not open a window again. */
function roll(window: StoredWindow, lengthMs: number, now: Millis): boolean {
  const start = now - (now % lengthMs);
  if (start <= window.start) return false;
  window.start = start;
  window.used = 0;
  return true;
}

function refusal(
  refused: NonNullable<RateVerdict["refused"]>,
  window: StoredWindow,
  lengthMs: number,
  now: Millis,
): RateVerdict {
  const retryAfter = Math.max(1, Math.ceil((window.start + lengthMs - now) / 1000));
  return { refused, retryAfter, store: null };
}
