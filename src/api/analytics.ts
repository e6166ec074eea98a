/**
 * `/v2/analytics`: five views of the scans of a code, a project or the whole account, one row each.
 *
 * All views read the same hours and days, some at a time, so that the loop goes on in between. Projects and accounts
 * have hours of their own, which were added up as scans were saved: no view reads code by code.
 */
import type { Directory } from "../account/directory.ts";
import { beginOf } from "../domain/analytics/link-scans.ts";
import { type AnalyticsQuery, intervals, type Range, robotChoices } from "../domain/analytics/range.ts";
import { readScope, type ScopeKind } from "../domain/analytics/scope.ts";
import {
  chosen,
  hoursOfWeek,
  ranking,
  type TrendItem,
  trend,
  type View,
  type ViewName,
  viewNames,
} from "../domain/analytics/views.ts";
import { hourMs } from "../domain/analytics/zone.ts";
import { type ErrorCode, unavailable } from "../domain/errors.ts";
import { iso } from "../domain/timestamps.ts";
import type { KeyCall } from "../door/route.ts";
import { type Reply, success } from "../http/reply.ts";
import {
  analyticsDaysDefault,
  hoursPerRead,
  rankingDefault,
  rankingMax,
  trendPointsMax,
  viewReadsMax,
} from "../limits.ts";
import { answerExamples } from "../openapi/examples.ts";
import { jsonAnswer, type Parameter, pathId, queryParameter } from "../openapi/operation.ts";
import type { Millis } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";
import type { Operation } from "./operation.ts";

export interface AnalyticsParts {
  store: Pick<Store, "scanHours" | "scanDays" | "scanTotals" | "scanSums">;
  directory: Pick<Directory, "run">;
  analytics: {
    /** Every scan before it is in the store. */
    readonly completeUntil: Millis;
    /** Another number than before: hours became days in between, and what was read does not fit together. */
    movesOf(of: readonly string[]): Promise<number>;
  };
}

export type ScanParts = Pick<AnalyticsParts, "store" | "analytics">;

const views: Record<ViewName, (query: AnalyticsQuery) => View<object>> = {
  trend,
  countries: (query) => ranking("countries", query),
  devices: (query) => ranking("devices", query),
  referrers: (query) => ranking("referrers", query),
  hours: hoursOfWeek,
};

function reading(kind: ScopeKind, name: ViewName) {
  return async ({ exchange, accountId }: KeyCall, parts: AnalyticsParts): Promise<Reply> => {
    const command = readScope(kind, exchange.params[0] ?? "", exchange.query);
    const { of, query } = await parts.directory.run(accountId, command);
    // Asked first: what is saved meanwhile may be in the answer, and is not promised.
    const { completeUntil } = parts.analytics;
    const view = await whole([of], parts, async () => {
      const adding = views[name](query);
      await addUp(adding, of, query.range, parts.store);
      return adding;
    });
    return success(exchange.requestId, {
      ...told(query, completeUntil),
      ...(name === "trend" && { interval: query.interval }),
      total: view.total,
      items: name === "trend" ? (view.items() as TrendItem[]).map(presentPoint) : view.items(),
    });
  };
}

/** What an answer says of itself beside its scans. */
export function told({ range, isCut, timezone }: AnalyticsQuery, completeUntil: Millis) {
  return {
    from: iso(range.from),
    to: iso(range.to),
    timezone,
    cut: isCut,
    complete_until: iso(completeUntil),
  };
}

/** How many scans of each link, project or account there are in the range. */
export function scansOf(
  of: readonly string[],
  { range, robots: choice }: AnalyticsQuery,
  parts: ScanParts,
): Promise<Float64Array> {
  return whole(of, parts, async () => {
    const { people, robots } = await parts.store.scanSums(of, range);
    return people.map((scans, place) => chosen(choice, scans, robots[place]!));
  });
}

/** What is read of hours and days none of which changed places meanwhile. */
async function whole<T>(
  of: readonly string[],
  { analytics }: Pick<ScanParts, "analytics">,
  read: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < viewReadsMax; tries++) {
    const before = await analytics.movesOf(of);
    const found = await read();
    if ((await analytics.movesOf(of)) === before) return found;
  }
  throw unavailable("Old scans are just being put in order. Try again shortly.");
}

async function addUp(
  view: View<object>,
  of: string,
  range: Range,
  store: AnalyticsParts["store"],
): Promise<void> {
  if (view.of === "totals") {
    await store.scanTotals([of], range, (_place, ...totals) => view.add(...totals));
    return;
  }
  const read = async (times: "scanDays" | "scanHours") => {
    for (let { from, to } = range; from < to; ) {
      const found = await store[times](of, { from, to }, hoursPerRead);
      for (const doc of found) view.add(doc);
      if (found.length < hoursPerRead) return;
      from = beginOf(found.at(-1)!) + hourMs;
    }
  };
  await read("scanDays");
  await read("scanHours");
}

function presentPoint({ start, scans }: TrendItem): object {
  return { start: iso(start), scans };
}

const timestampText =
  "ISO 8601 with a zone, or a date alone: the begin of that day in the time zone. Every hour, UTC, that the range touches is in it.";

export const rangeParameters: readonly Parameter[] = [
  queryParameter(
    "from",
    `Where the range begins; ${analyticsDaysDefault} days before its end when left out. ${timestampText} How far back it may be is the plan's \`analytics_days\`.`,
    { example: "2026-03-01T00:00:00Z" },
  ),
  queryParameter("to", `Where it ends, exclusive; now when left out. ${timestampText}`, {
    example: "2026-03-08T00:00:00Z",
  }),
  queryParameter(
    "timezone",
    "IANA name of the zone whose days and hours are meant; the account's when left out. Scans are kept by hours, UTC, and such an hour belongs to the local hour and day in which it begins: in zones of half and quarter hours the first part of a local day is counted to the day before.",
    { example: "Europe/Berlin" },
  ),
  queryParameter(
    "robots",
    "Whether scans of known robots (crawlers, makers of link previews) are left out, counted in, or all that is shown.",
    { schema: { type: "string", enum: robotChoices, default: "exclude" }, example: "exclude" },
  ),
];

const intervalParameter = queryParameter(
  "interval",
  `What a point stands for. Weeks begin on Monday. More than ${trendPointsMax} points are refused.`,
  { schema: { type: "string", enum: intervals, default: "day" }, example: "day" },
);

export const limitParameter = queryParameter(
  "limit",
  "How many names there are in the answer; the rest is `other`.",
  { schema: { type: "integer", minimum: 1, maximum: rankingMax, default: rankingDefault }, example: 3 },
);

interface ViewWords {
  title: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  component: string;
  example: object;
}

const cutText =
  "All five views of one range have the same `total`. Hours are kept 90 days, after that days for 5 years: `from` and `to` of the answer are the range that was counted, and `cut` says whether it had to be changed for that.";

const ranked = (title: string, by: string, key: string, example: object): ViewWords => ({
  title,
  summary: `by ${by}`,
  description: `Most first. ${key} ${cutText}`,
  parameters: [...rangeParameters, limitParameter],
  component: "AnalyticsRankingAnswer",
  example,
});

const words: Record<ViewName, ViewWords> = {
  trend: {
    title: "Trend",
    summary: "over time",
    description: `One point for every hour, day, week or month of the range, also where nothing was scanned. The first begins with the range, the others where the local calendar says. ${cutText}`,
    parameters: [...rangeParameters, intervalParameter],
    component: "AnalyticsTrendAnswer",
    example: answerExamples.trend,
  },
  countries: ranked(
    "Countries",
    "country",
    "A `key` is an ISO 3166-1 alpha-2 code, or `unknown`.",
    answerExamples.countries,
  ),
  devices: ranked(
    "Devices",
    "device",
    "A `key` is `ios`, `android`, `desktop` or `unknown`.",
    answerExamples.devices,
  ),
  referrers: ranked(
    "Referrers",
    "referring host",
    "A `key` is the host of the page that led to the link, `direct` when there was none, `unknown` for scans whose referrer was lost in a crash, `other` for what is beyond the limit.",
    answerExamples.referrers,
  ),
  hours: {
    title: "Hours",
    summary: "by hour of the week",
    description: `7 × 24 items: every hour of a week by the clock of the time zone, from Monday, 0:00. ${cutText}`,
    parameters: rangeParameters,
    component: "AnalyticsHoursAnswer",
    example: answerExamples.hours,
  },
};

interface ScopeWords {
  kind: ScopeKind;
  name: string;
  path: string;
  what: string;
  parameters: readonly Parameter[];
  errors: readonly ErrorCode[];
}

const scopes: readonly ScopeWords[] = [
  {
    kind: "code",
    name: "QrCode",
    path: "/v2/analytics/qr-codes/{qr_id}",
    what: "a code",
    parameters: [pathId("qr_id", "The `qr_id`; archived codes too.", answerExamples.code.qr_id)],
    errors: ["qr_not_found"],
  },
  {
    kind: "project",
    name: "Project",
    path: "/v2/analytics/projects/{project_id}",
    what: "a project",
    parameters: [pathId("project_id", "The project; archived ones too.", answerExamples.project.project_id)],
    errors: ["project_not_found"],
  },
  {
    kind: "account",
    name: "Account",
    path: "/v2/analytics/account",
    what: "the account",
    parameters: [],
    errors: [],
  },
];

function row(scope: ScopeWords, name: ViewName): Operation<AnalyticsParts> {
  const { title, summary, description, parameters, component, example } = words[name];
  return {
    id: `get${scope.name}${title}`,
    method: "GET",
    path: `${scope.path}/${name}`,
    tag: "Analytics",
    summary: `Scans of ${scope.what} ${summary}`,
    description,
    access: "key",
    parameters: [...scope.parameters, ...parameters],
    handler: reading(scope.kind, name),
    answers: [jsonAnswer(200, "The view.", component, example)],
    errors: ["invalid_request", "feature_disabled", ...scope.errors],
  };
}

export const analyticsOperations: readonly Operation<AnalyticsParts>[] = scopes.flatMap((scope) =>
  viewNames.map((name) => row(scope, name)),
);
