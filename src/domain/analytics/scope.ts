/** Whose scans are asked for, and whether the plan includes how far back. */
import type { Millis } from "../../runtime/clock.ts";
import type { AccountView, Command, Need } from "../command.ts";
import { ApiError } from "../errors.ts";
import { type AnalyticsQuery, earliestOf, readQuery } from "./range.ts";

export type ScopeKind = "code" | "project" | "account";

export interface Scope {
  /** Under which scans are stored. */
  of: string;
  query: AnalyticsQuery;
}

/** Archived codes and projects have a past as well. The id is not looked at for the account itself. */
export function readScope(kind: ScopeKind, id: string, asked: URLSearchParams): Command<Scope> {
  const needs: Record<ScopeKind, Need[]> = {
    code: [{ collection: "codes", id }],
    project: [{ collection: "projects", id }],
    account: [],
  };
  return {
    needs: () => needs[kind],
    apply(view, now) {
      const of = scopeId(kind, id, view);
      const days = view.limits.analytics_days;
      const { query, from } = readQuery(asked, view.account.timezone, days, now);
      if (from < earliestOf(days, query.timezone, now))
        throw notIncluded(days, view, from, query.timezone, now);
      return { answer: { of, query }, writes: [] };
    },
  };
}

function scopeId(kind: ScopeKind, id: string, view: AccountView): string {
  if (kind === "account") return view.account.id;
  if (kind === "project") {
    if (view.project(id) === null) throw new ApiError("project_not_found");
    return id;
  }
  const code = view.code(id);
  if (code === null) throw new ApiError("qr_not_found");
  return code.slug;
}

function notIncluded(
  days: number,
  { account, plans }: AccountView,
  from: Millis,
  timezone: string,
  now: Millis,
): ApiError {
  const enough = [...plans].filter(
    ([, plan]) => from >= earliestOf(plan.limits.analytics_days, timezone, now),
  );
  const names = enough.map(([name]) => name);
  const having = names.length === 0 ? "No plan goes further." : `Plans that go as far: ${names.join(", ")}.`;
  return new ApiError(
    "feature_disabled",
    `from is too early: the plan "${account.plan}" includes analytics of the last ${days} days. ${having}`,
  );
}
