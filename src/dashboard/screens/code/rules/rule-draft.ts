/** A redirect rule as it is being edited: every answer is kept, also those that the present kind does not ask for. */
import type { Device, RedirectRule, Weekday } from "../../../../domain/documents.ts";

export type RuleKind = "device" | "country" | "both" | "schedule";

export interface RuleDraft {
  /** Of this draft, so that a row stays itself while others move. */
  id: number;
  kind: RuleKind;
  device: Device;
  country: string;
  days: readonly Weekday[];
  start: string;
  end: string;
  url: string;
}

let lastId = 0;

export function newRule(): RuleDraft {
  lastId += 1;
  return {
    id: lastId,
    kind: "device",
    device: "ios",
    country: "",
    days: ["mon", "tue", "wed", "thu", "fri"],
    start: "09:00",
    end: "17:00",
    url: "",
  };
}

export function draftOf(rule: RedirectRule): RuleDraft {
  const draft = { ...newRule(), url: rule.url };
  switch (rule.condition) {
    case "device":
      return rule.value2 === undefined
        ? { ...draft, kind: "device", device: rule.value }
        : { ...draft, kind: "both", device: rule.value, country: rule.value2 };
    case "country":
      return rule.value2 === undefined
        ? { ...draft, kind: "country", country: rule.value }
        : { ...draft, kind: "both", country: rule.value, device: rule.value2 };
    case "schedule":
      return {
        ...draft,
        kind: "schedule",
        days: rule.schedule_days,
        start: rule.schedule_start,
        end: rule.schedule_end,
      };
  }
}

export function ruleOf({ kind, device, country, days, start, end, url }: RuleDraft): RedirectRule {
  switch (kind) {
    case "device":
      return { condition: "device", value: device, url };
    case "country":
      return { condition: "country", value: country, url };
    case "both":
      return { condition: "device", value: device, condition2: "country", value2: country, url };
    case "schedule":
      return {
        condition: "schedule",
        schedule_days: [...days],
        schedule_start: start,
        schedule_end: end,
        url,
      };
  }
}

/** Whether the service could make sense of it. */
export function isWhole(rule: RuleDraft): boolean {
  const needsCountry = rule.kind === "country" || rule.kind === "both";
  if (rule.url.trim() === "" || (needsCountry && rule.country === "")) return false;
  return rule.kind !== "schedule" || (rule.days.length > 0 && rule.start !== "" && rule.end !== "");
}

/** The same for the service: two drafts may differ in what is not asked for. */
export function sameRules(drafts: readonly RuleDraft[], rules: readonly RedirectRule[]): boolean {
  return JSON.stringify(drafts.map(ruleOf)) === JSON.stringify(rules.map((rule) => ruleOf(draftOf(rule))));
}
