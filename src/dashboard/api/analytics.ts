/** Scans of a code, a project or the account, seen in five ways. */
import type { Interval, Robots } from "../../domain/analytics/range.ts";
import type { TopCodesAnswer } from "../../schema/dashboard-responses.ts";
import type {
  AnalyticsHoursAnswer,
  AnalyticsRankingAnswer,
  AnalyticsTrendAnswer,
} from "../../schema/responses.ts";
import { call } from "./client.ts";

export type { Interval, Robots };

export type Scope = { kind: "code"; id: string } | { kind: "project"; id: string } | { kind: "account" };

export interface AnalyticsQuery {
  /** Days by the clock of the account; `to` is not counted itself, and now when left out. */
  from: string;
  to?: string;
  robots?: Robots;
}

export type Trend = AnalyticsTrendAnswer;
export type Ranking = AnalyticsRankingAnswer;
/** 7 × 24 items, from Monday, 0:00. */
export type Hours = AnalyticsHoursAnswer;

export function readTrend(
  scope: Scope,
  query: AnalyticsQuery & { interval: Interval },
  signal?: AbortSignal,
): Promise<Trend> {
  return read(scope, "trend", query, signal);
}

/** As many names as there are at most. */
const namesMax = 100;

export function readRanking(
  scope: Scope,
  by: "countries" | "devices" | "referrers",
  query: AnalyticsQuery,
  signal?: AbortSignal,
): Promise<Ranking> {
  return read(scope, by, { ...query, limit: namesMax }, signal);
}

export function readHours(scope: Scope, query: AnalyticsQuery, signal?: AbortSignal): Promise<Hours> {
  return read(scope, "hours", query, signal);
}

export function readTopCodes(
  scope: Exclude<Scope, { kind: "code" }>,
  query: AnalyticsQuery & { limit: number },
  signal?: AbortSignal,
): Promise<TopCodesAnswer> {
  return call("GET", `/analytics/${pathOf(scope)}/codes`, { query: { ...query }, signal });
}

function read<T>(scope: Scope, view: string, query: object, signal: AbortSignal | undefined): Promise<T> {
  return call("GET", `/v2/analytics/${pathOf(scope)}/${view}`, { query: { ...query }, signal });
}

function pathOf(scope: Scope): string {
  switch (scope.kind) {
    case "code":
      return `qr-codes/${encodeURIComponent(scope.id)}`;
    case "project":
      return `projects/${encodeURIComponent(scope.id)}`;
    case "account":
      return "account";
  }
}
