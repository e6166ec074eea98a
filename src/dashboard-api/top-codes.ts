/**
 * The codes of an account or a project that were scanned most in a range.
 *
 * Scans are kept by code and hour, and no order of codes is kept: one that is right for every range would be written anew
 * with every scan. So all codes are passed, a page at a time, and what is stored as the count of each says whether it can
 * matter: in no range can a code have more scans than it ever had. Only of those that could be among the best so far the
 * hours are read. Most accounts have a few codes with most of the scans, and then hours are read of little more than the
 * codes that are named.
 *
 * Rejected: sums by day of every code under its account. They would double what a checkpoint writes, to spare a page that
 * people look at now and then some reading.
 *
 * All scans of the account are asked for last. What is saved meanwhile can so be in the total and not in a code, never
 * the other way round; what was saved before is in both.
 */

import type { FairTurns } from "../account/fair-turns.ts";
import {
  type AnalyticsParts,
  limitParameter,
  rangeParameters,
  type ScanParts,
  scansOf,
  told,
} from "../api/analytics.ts";
import type { Operation } from "../api/operation.ts";
import { BestCodes, mostFirst, type RankedCode } from "../domain/analytics/best-codes.ts";
import type { AnalyticsQuery } from "../domain/analytics/range.ts";
import { readScope } from "../domain/analytics/scope.ts";
import { readAnyCode } from "../domain/code/code-commands.ts";
import type { UserCall } from "../door/route.ts";
import { type Reply, success } from "../http/reply.ts";
import { rankedCodesAtOnce, rankedCodesPage } from "../limits.ts";
import { answerExamples } from "../openapi/examples.ts";
import { jsonAnswer, pathId } from "../openapi/operation.ts";
import { Cancelled, type Store } from "../store/store.ts";

export interface TopCodeParts extends AnalyticsParts {
  store: AnalyticsParts["store"] & Pick<Store, "countedCodes">;
  searches: FairTurns;
}

type RankingParts = Pick<TopCodeParts, "store" | "analytics">;

interface Asked {
  accountId: string;
  /** Null for the whole account. */
  projectId: string | null;
  query: AnalyticsQuery;
  unwanted: AbortSignal;
}

function topCodes(kind: "account" | "project") {
  return async ({ exchange, accountId }: UserCall, parts: TopCodeParts): Promise<Reply> => {
    const { directory, searches } = parts;
    const { params, unwanted, requestId } = exchange;
    const { of, query } = await directory.run(accountId, readScope(kind, params[0] ?? "", exchange.query));
    const { completeUntil } = parts.analytics;
    const asked = { accountId, projectId: kind === "project" ? of : null, query, unwanted };
    const best = await searches.run(accountId, unwanted, () => bestCodes(asked, parts));
    const [total = 0] = await scansOf([of], query, parts);
    const items = await Promise.all(
      best.map(async ({ id, scans }) => {
        const { label, status } = await directory.run(accountId, readAnyCode(id));
        return { qr_id: id, label, status, scans };
      }),
    );
    const other = items.reduce((left, { scans }) => left - scans, total);
    return success(requestId, { ...told(query, completeUntil), total, items, other });
  };
}

export async function bestCodes(asked: Asked, parts: RankingParts): Promise<readonly RankedCode[]> {
  const { accountId, projectId, query } = asked;
  const best = new BestCodes(query.limit);
  for (let before: string | null = null; ; ) {
    const page = await parts.store.countedCodes({
      account_id: accountId,
      project_id: projectId,
      before,
      limit: rankedCodesPage,
    });
    const atMost = page.items
      .map(({ id, slug, count }) => ({ id, slug, scans: count }))
      .filter((code) => best.hasRoomFor(code));
    await takeBest(best, atMost.sort(mostFirst), asked, parts);
    if (!page.more) return best.all;
    before = page.items.at(-1)!.id;
  }
}

/** Those that may have most come first, so that the others soon have no room. */
async function takeBest(
  best: BestCodes,
  codes: readonly (RankedCode & { slug: string })[],
  { query, unwanted }: Asked,
  parts: ScanParts,
): Promise<void> {
  for (let at = 0; at < codes.length; at += rankedCodesAtOnce) {
    if (unwanted.aborted) throw new Cancelled();
    const some = codes.slice(at, at + rankedCodesAtOnce).filter((code) => best.hasRoomFor(code));
    if (some.length === 0) return;
    const slugs = some.map(({ slug }) => slug);
    const scans = await scansOf(slugs, query, parts);
    for (const [place, { id }] of some.entries()) best.add({ id, scans: scans[place]! });
  }
}

const common = {
  method: "GET",
  tag: "QR codes",
  description:
    "Most first; archived codes too, and of as many scans the newer code first. `other` is what all other codes have: with it the scans of the codes are the `total`, which is that of all views of the same range.",
  access: "user",
  answers: [jsonAnswer(200, "The codes.", "TopCodesAnswer", answerExamples.topCodes)],
} as const;

export const topCodeOperations: readonly Operation<TopCodeParts>[] = [
  {
    ...common,
    id: "getAccountTopCodes",
    path: "/dashboard/api/analytics/account/codes",
    summary: "The codes of the account that were scanned most",
    parameters: [...rangeParameters, limitParameter],
    handler: topCodes("account"),
    errors: ["invalid_request", "feature_disabled"],
  },
  {
    ...common,
    id: "getProjectTopCodes",
    path: "/dashboard/api/analytics/projects/{project_id}/codes",
    summary: "The codes of a project that were scanned most",
    parameters: [
      pathId("project_id", "The project; archived ones too.", answerExamples.project.project_id),
      ...rangeParameters,
      limitParameter,
    ],
    handler: topCodes("project"),
    errors: ["invalid_request", "feature_disabled", "project_not_found"],
  },
];
