/** What the account's plan lets it do. */

import type { CodeFields } from "../code/code-fields.ts";
import type { AccountView } from "../command.ts";
import { ApiError } from "../errors.ts";
import { plansWith } from "./plans.ts";

/** Clearing an advanced field is always allowed; setting one needs the plan. */
export function requirePlanFor(fields: CodeFields, view: AccountView): void {
  if (view.plan.advanced) return;
  const needing: [string, boolean][] = [
    ["redirect_rules", fields.redirect_rules !== undefined && fields.redirect_rules.length > 0],
    ["expires_at", fields.expires_at !== undefined && fields.expires_at !== null],
    ["scan_limit", fields.scan_limit !== undefined && fields.scan_limit !== null],
  ];
  for (const [field, needsPlan] of needing) {
    if (needsPlan) throw notIncluded(field, "advanced", view);
  }
}

export function requireCreates(view: AccountView): void {
  if (!view.plan.creates) throw notIncluded("creating QR codes", "creates", view);
}

/** One more active code must fit under the cap. */
export function requireCap(view: AccountView): void {
  const cap = view.limits.qr_cap;
  if (view.account.active_codes >= cap) {
    throw new ApiError("quota_exceeded_qr", `The plan's cap of ${cap} active QR codes is reached.`);
  }
}

/** One more project must fit under the cap; archived ones count as well. The answer is how many there are then. */
export function requireProjectRoom(view: AccountView): number {
  const cap = view.limits.projects;
  const count = view.account.project_count;
  if (count === null) throw new Error(`the projects of ${view.account.id} were not counted`);
  if (count >= cap) {
    throw new ApiError("quota_exceeded_projects", `The plan's cap of ${cap} projects is reached.`);
  }
  return count + 1;
}

function notIncluded(
  what: string,
  feature: "creates" | "advanced",
  { account, plans }: AccountView,
): ApiError {
  const having = plansWith(feature, plans);
  return new ApiError("feature_disabled", `The plan "${account.plan}" does not include ${what}. ${having}`);
}
