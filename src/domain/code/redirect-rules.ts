/** What the shape of a redirect rule (`requests.ts`) cannot say, and how a rule is stored. */

import { isCountry } from "../countries.ts";
import type { RedirectRule } from "../documents.ts";
import { invalidField } from "../errors.ts";
import type { RedirectRuleInput } from "../requests.ts";

type CheckUrl = (path: string, url: string) => string;
type VisitorRuleInput = Exclude<RedirectRuleInput, { condition: "schedule" }>;

/** Rules as they are stored: checked, in order, each with the keys of its shape and no others. */
export function normaliseRules(
  path: string,
  rules: readonly RedirectRuleInput[],
  checkUrl: CheckUrl,
): RedirectRule[] {
  return rules.map((rule, index) => normaliseRule(`${path}[${index}]`, rule, checkUrl));
}

function normaliseRule(path: string, rule: RedirectRuleInput, checkUrl: CheckUrl): RedirectRule {
  if (rule.condition !== "schedule") refuseHalves(path, rule);
  const target = () => checkUrl(`${path}.url`, rule.url);
  switch (rule.condition) {
    case "device": {
      const { condition, value, condition2, value2 } = rule;
      const second = value2 && { condition2, value2: country(`${path}.value2`, value2) };
      return { condition, value, ...second, url: target() };
    }
    case "country": {
      const { condition, condition2, value2 } = rule;
      const value = country(`${path}.value`, rule.value);
      return { condition, value, ...(value2 && { condition2, value2 }), url: target() };
    }
    case "schedule": {
      const { condition, schedule_start, schedule_end } = rule;
      if (schedule_start >= schedule_end) {
        throw invalidField(
          `${path}.schedule_start`,
          "must be earlier than schedule_end; write a window over midnight as two rules",
        );
      }
      const schedule_days = [...new Set(rule.schedule_days)];
      return { condition, schedule_days, schedule_start, schedule_end, url: target() };
    }
  }
}

/** A second condition comes whole, and nothing of a schedule comes beside a device or a country. */
function refuseHalves(path: string, rule: VisitorRuleInput): void {
  for (const key of ["schedule_days", "schedule_start", "schedule_end"]) {
    if (key in rule) throw invalidField(`${path}.${key}`, "is only for a schedule rule");
  }
  if (rule.condition2 === undefined && rule.value2 !== undefined) {
    throw invalidField(`${path}.value2`, "needs condition2 beside it");
  }
  if (rule.condition2 !== undefined && rule.value2 === undefined) {
    throw invalidField(`${path}.value2`, "is required with condition2");
  }
}

function country(path: string, value: string): string {
  const code = value.toUpperCase();
  if (!isCountry(code)) throw invalidField(path, "must be an assigned ISO 3166-1 alpha-2 country code");
  return code;
}
