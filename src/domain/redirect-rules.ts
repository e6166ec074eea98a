import { redirectRulesMax } from "../limits.ts";
import { isCountry } from "./countries.ts";
import type { Device, RedirectRule, Weekday } from "./documents.ts";
import { invalidField } from "./errors.ts";

/** A rule as a client sent it: nothing is taken for granted. */
export interface RedirectRuleInput {
  condition?: unknown;
  value?: unknown;
  condition2?: unknown;
  value2?: unknown;
  schedule_days?: unknown;
  schedule_start?: unknown;
  schedule_end?: unknown;
  url?: unknown;
}

type CheckUrl = (path: string, url: string) => string;

const devices: readonly unknown[] = ["ios", "android", "desktop"] satisfies Device[];
const weekdays: readonly unknown[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] satisfies Weekday[];
const visitorKeys = ["value", "condition2", "value2"] as const;
const scheduleKeys = ["schedule_days", "schedule_start", "schedule_end"] as const;
const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Rules as they are stored: checked, in order, each with the keys of its shape and no others. */
export function normaliseRules(
  path: string,
  rules: readonly RedirectRuleInput[],
  checkUrl: CheckUrl,
): RedirectRule[] {
  if (rules.length > redirectRulesMax) {
    throw invalidField(path, `must have at most ${redirectRulesMax} rules`);
  }
  return rules.map((rule, index) => normaliseRule(`${path}[${index}]`, rule, checkUrl));
}

function normaliseRule(path: string, rule: RedirectRuleInput, checkUrl: CheckUrl): RedirectRule {
  if (typeof rule !== "object" || rule === null) throw invalidField(path, "must be an object");
  switch (rule.condition) {
    case "device": {
      refuseKeys(path, rule, scheduleKeys, "is only for a schedule rule");
      const value = device(`${path}.value`, rule.value);
      const second = hasSecond(path, rule, "country")
        ? { condition2: "country" as const, value2: country(`${path}.value2`, rule.value2) }
        : {};
      return { condition: "device", value, ...second, url: target(path, rule, checkUrl) };
    }
    case "country": {
      refuseKeys(path, rule, scheduleKeys, "is only for a schedule rule");
      const value = country(`${path}.value`, rule.value);
      const second = hasSecond(path, rule, "device")
        ? { condition2: "device" as const, value2: device(`${path}.value2`, rule.value2) }
        : {};
      return { condition: "country", value, ...second, url: target(path, rule, checkUrl) };
    }
    case "schedule": {
      refuseKeys(path, rule, visitorKeys, "is not allowed on a schedule rule");
      const schedule_days = days(`${path}.schedule_days`, rule.schedule_days);
      const schedule_start = time(`${path}.schedule_start`, rule.schedule_start);
      const schedule_end = time(`${path}.schedule_end`, rule.schedule_end);
      if (schedule_start >= schedule_end) {
        throw invalidField(
          `${path}.schedule_start`,
          "must be earlier than schedule_end; write a window over midnight as two rules",
        );
      }
      const url = target(path, rule, checkUrl);
      return { condition: "schedule", schedule_days, schedule_start, schedule_end, url };
    }
    default:
      throw invalidField(`${path}.condition`, "must be device, country or schedule");
  }
}

function refuseKeys(
  path: string,
  rule: RedirectRuleInput,
  keys: readonly (keyof RedirectRuleInput)[],
  why: string,
): void {
  for (const key of keys) if (rule[key] !== undefined) throw invalidField(`${path}.${key}`, why);
}

/** Whether a second condition is there; it comes whole, and is of the type the first one is not. */
function hasSecond(path: string, rule: RedirectRuleInput, other: "device" | "country"): boolean {
  if (rule.condition2 === undefined) {
    if (rule.value2 !== undefined) throw invalidField(`${path}.value2`, "needs condition2 beside it");
    return false;
  }
  if (rule.condition2 !== other) {
    throw invalidField(`${path}.condition2`, `must be ${other} when condition is ${String(rule.condition)}`);
  }
  if (rule.value2 === undefined) throw invalidField(`${path}.value2`, "is required with condition2");
  return true;
}

function target(path: string, rule: RedirectRuleInput, checkUrl: CheckUrl): string {
  if (typeof rule.url !== "string") throw invalidField(`${path}.url`, "must be a URL");
  return checkUrl(`${path}.url`, rule.url);
}

function device(path: string, value: unknown): Device {
  if (!devices.includes(value)) throw invalidField(path, "must be ios, android or desktop");
  return value as Device;
}

function country(path: string, value: unknown): string {
  // The length comes first: upper-casing can turn one character into two ("ß").
  const code = typeof value === "string" && value.length === 2 ? value.toUpperCase() : "";
  if (!isCountry(code)) throw invalidField(path, "must be an assigned ISO 3166-1 alpha-2 country code");
  return code;
}

function days(path: string, value: unknown): Weekday[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalidField(path, "must name at least one day");
  }
  for (const [index, day] of value.entries()) {
    if (!weekdays.includes(day)) {
      throw invalidField(`${path}[${index}]`, "must be mon, tue, wed, thu, fri, sat or sun");
    }
  }
  return [...new Set<Weekday>(value)];
}

function time(path: string, value: unknown): string {
  if (typeof value !== "string" || !timeOfDay.test(value)) {
    throw invalidField(path, "must be a time of day as HH:mm, 00:00 to 23:59");
  }
  return value;
}
