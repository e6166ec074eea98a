/** What a plan allows. The built-in plans can be replaced whole by a file (`PLANS_FILE`). */
import { analyticsDaysDefault, daysKeptDays, projectsMax } from "../../limits.ts";
import type { AccountDoc, PlanLimits } from "../documents.ts";
import { ApiError } from "../errors.ts";

export interface Plan {
  limits: PlanLimits;
  /** May create codes at all. */
  creates: boolean;
  /** May use redirect rules, expiry and scan limits. */
  advanced: boolean;
}

export type Plans = ReadonlyMap<string, Plan>;

export const limitNames = [
  "qr_cap",
  "per_minute",
  "per_day",
  "burst",
  "keys",
  "projects",
  "analytics_days",
] as const;

function plan(
  qr_cap: number,
  per_minute: number,
  per_day: number,
  burst: number,
  analytics_days: number,
  creates: boolean,
  advanced: boolean,
): Plan {
  return {
    limits: { qr_cap, per_minute, per_day, burst, keys: 10, projects: projectsMax, analytics_days },
    creates,
    advanced,
  };
}

export const builtInPlans: Plans = new Map([
  ["viewer", plan(0, 30, 1_000, 5, 30, false, false)],
  ["free", plan(10, 30, 1_000, 5, 30, true, false)],
  ["starter", plan(100, 60, 10_000, 10, 90, true, false)],
  ["pro", plan(1_000, 300, 100_000, 50, 365, true, false)],
  ["agency", plan(50_000, 1_200, 1_000_000, 200, daysKeptDays, true, true)],
  ["enterprise", plan(5_000_000, 60_000, 50_000_000, 2_000, daysKeptDays, true, true)],
]);

export const defaultPlan = "free";

export function isLimit(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * The limits in force for an account: the plan's, with the account's own in their place. A malformed limit throws,
 * and a plan that is not configured refuses: neither ever means "unlimited".
 */
export function effectiveLimits(account: AccountDoc, plans: Plans): PlanLimits {
  const limits = { ...planOf(account, plans).limits, ...account.limits };
  for (const name of limitNames) {
    if (!isLimit(limits[name])) throw new Error(`account ${account.id} has a malformed limit ${name}`);
  }
  return limits;
}

/** The limits to show an operator: nothing is allowed to an account whose limits or plan cannot be used. */
export function shownLimits(account: AccountDoc, plans: Plans): PlanLimits {
  try {
    return effectiveLimits(account, plans);
  } catch {
    return { qr_cap: 0, per_minute: 0, per_day: 0, burst: 0, keys: 0, projects: 0, analytics_days: 0 };
  }
}

export function planOf(account: AccountDoc, plans: Plans): Plan {
  const found = plans.get(account.plan);
  if (found === undefined) {
    throw new ApiError(
      "api_access_disabled",
      `The account's plan "${account.plan}" is not configured. The operator of the service can set another one.`,
    );
  }
  return found;
}

/** The names of the plans that have a feature, for people. */
export function plansWith(feature: "creates" | "advanced", plans: Plans): string {
  const names = [...plans].filter(([, plan]) => plan[feature]).map(([name]) => name);
  return names.length === 0 ? "No plan does." : `Plans that do: ${names.join(", ")}.`;
}

/** Reads a plans file: `{"<plan>": {"qr_cap": …, "creates": …, …}, …}`. Throws with the key that is wrong. */
export function parsePlans(text: string): Plans {
  const file = parseObject(text);
  const plans = new Map<string, Plan>();
  for (const [name, value] of Object.entries(file)) {
    if (typeof value !== "object" || value === null) throw new Error(`${name} must be an object`);
    plans.set(name, parsePlan(name, value as Record<string, unknown>));
  }
  if (!plans.has(defaultPlan)) throw new Error(`${defaultPlan} is missing: it is the plan of new accounts`);
  return plans;
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`the file is not JSON: ${(cause as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error("the file must hold an object of plans by name");
  }
  return value as Record<string, unknown>;
}

function parsePlan(name: string, value: Record<string, unknown>): Plan {
  const known = new Set<string>([...limitNames, "creates", "advanced"]);
  for (const key of Object.keys(value)) {
    if (!known.has(key)) throw new Error(`${name}.${key} is not a key of a plan`);
  }
  const limit = (key: (typeof limitNames)[number], fallback?: number): number => {
    const given = value[key] ?? fallback;
    if (!isLimit(given)) throw new Error(`${name}.${key} must be a whole number, 0 or more`);
    return given;
  };
  const flag = (key: "creates" | "advanced"): boolean => {
    const given = value[key];
    if (typeof given !== "boolean") throw new Error(`${name}.${key} must be true or false`);
    return given;
  };
  return {
    limits: {
      qr_cap: limit("qr_cap"),
      per_minute: limit("per_minute"),
      per_day: limit("per_day"),
      burst: limit("burst"),
      keys: limit("keys", 10),
      projects: limit("projects", projectsMax),
      analytics_days: limit("analytics_days", analyticsDaysDefault),
    },
    creates: flag("creates"),
    advanced: flag("advanced"),
  };
}
