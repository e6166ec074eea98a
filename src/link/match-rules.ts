/**
 * Which redirect rule a scan meets.
 *
 * A code's rules are compiled once, when its link is loaded; a scan then compares numbers and short strings.
 * What the visitor is comes through functions, so that no header is read and no address looked up unless a
 * rule that is really reached asks for it, and each at most once.
 */
import { type Device, type RedirectRule, weekdays } from "../domain/documents.ts";
import type { Millis } from "../runtime/clock.ts";

export interface Visitor {
  device(): Device;
  /** Null when it is not known; that meets no country rule. */
  country(): string | null;
  /** Minutes since Monday 00:00 on a clock of that time zone; see `schedule.ts`. */
  minuteOfWeek(timezone: string, now: Millis): number;
}

/** One shape for all rules keeps the loop below fast: a condition that a rule lacks is null. */
interface CompiledRule {
  readonly device: Device | null;
  readonly country: string | null;
  readonly schedule: Schedule | null;
  readonly url: string;
}

interface Schedule {
  /** Bit 0 is Monday. */
  readonly days: number;
  /** Minutes of the day; the first one inside and the first one after. */
  readonly start: number;
  readonly end: number;
}

export type CompiledRules = readonly CompiledRule[];

const dayMinutes = 24 * 60;

export function compileRules(rules: readonly RedirectRule[]): CompiledRules {
  return rules.map(compileRule);
}

/** The destination of the first rule that matches, or null. Schedules are read by the clock of `timezone`. */
export function matchRules(
  rules: CompiledRules,
  visitor: Visitor,
  timezone: string,
  now: Millis,
): string | null {
  let device: Device | null = null;
  let country: string | null | undefined;
  let minute = -1;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index]!;
    if (rule.device !== null) {
      device ??= visitor.device();
      if (rule.device !== device) continue;
    }
    if (rule.country !== null) {
      if (country === undefined) country = visitor.country();
      if (rule.country !== country) continue;
    }
    if (rule.schedule !== null) {
      if (minute === -1) minute = visitor.minuteOfWeek(timezone, now);
      if (!isOpen(rule.schedule, minute)) continue;
    }
    return rule.url;
  }
  return null;
}

function isOpen(schedule: Schedule, minuteOfWeek: number): boolean {
  const day = Math.floor(minuteOfWeek / dayMinutes);
  const minute = minuteOfWeek - day * dayMinutes;
  return (schedule.days & (1 << day)) !== 0 && minute >= schedule.start && minute < schedule.end;
}

function compileRule(rule: RedirectRule): CompiledRule {
  switch (rule.condition) {
    case "device":
      return { device: rule.value, country: rule.value2 ?? null, schedule: null, url: rule.url };
    case "country":
      return { device: rule.value2 ?? null, country: rule.value, schedule: null, url: rule.url };
    case "schedule": {
      const schedule = {
        days: rule.schedule_days.reduce((days, day) => days | (1 << weekdays.indexOf(day)), 0),
        start: minutesOf(rule.schedule_start),
        end: endOf(rule.schedule_end),
      };
      return { device: null, country: null, schedule, url: rule.url };
    }
  }
}

/** There is no 24:00 to write, so the last minute of the day belongs to a window that ends with it. */
function endOf(time: string): number {
  return time === "23:59" ? dayMinutes : minutesOf(time);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
