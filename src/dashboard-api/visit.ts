/**
 * "What would this visitor get?": the decision of a scan, for a visitor who is made up and rules that may not be stored
 * yet. Nothing is counted. The order is that of `link/decision.ts`, the rules are matched by the very same code.
 */

import type { Directory } from "../account/directory.ts";
import { type Operation, post, type Sent, takesJson } from "../api/operation.ts";
import { readAccount } from "../domain/account/account-commands.ts";
import { requireProject } from "../domain/account/project-commands.ts";
import { readAnyCode } from "../domain/code/code-commands.ts";
import { type FieldRules, fieldsOf } from "../domain/code/code-fields.ts";
import { isCountry } from "../domain/countries.ts";
import type { VisitBody } from "../domain/dashboard-requests.ts";
import type { AccountDoc, CodeDoc, ProjectDoc, RedirectRule } from "../domain/documents.ts";
import { errors, invalidField } from "../domain/errors.ts";
import { iso, parseTimestamp } from "../domain/timestamps.ts";
import type { UserCall } from "../door/route.ts";
import { type Reply, success } from "../http/reply.ts";
import type { Links } from "../link/links.ts";
import { compileRules, matchRules, type Visitor } from "../link/match-rules.ts";
import { minuteOfWeek } from "../link/schedule.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { jsonAnswer, pathId } from "../openapi/operation.ts";
import type { Clock, Millis } from "../runtime/clock.ts";
import type { VisitAnswer } from "../schema/dashboard-responses.ts";
import { parsers } from "../schema/validators.ts";

export interface VisitParts {
  directory: Pick<Directory, "run">;
  links: Pick<Links, "scanCount">;
  fields: FieldRules;
  clock: Clock;
}

interface Visited {
  account: AccountDoc;
  project: ProjectDoc;
  code: CodeDoc;
}

type Met = Pick<VisitAnswer, "outcome" | "status" | "url" | "rule" | "text">;

async function postVisit(
  { exchange, accountId }: UserCall,
  { directory, links, fields, clock }: VisitParts,
  { value }: Sent<VisitBody>,
): Promise<Reply> {
  const at = value.at === undefined ? clock.now() : parseTimestamp("at", value.at);
  const country = value.country?.toUpperCase() ?? null;
  if (country !== null && !isCountry(country))
    throw invalidField("country", "must be an assigned country code");
  const url = value.redirect_url && fields.checkUrl("redirect_url", value.redirect_url).href;
  const rules =
    value.redirect_rules && fieldsOf({ redirect_rules: value.redirect_rules }, fields).redirect_rules;
  const code = await directory.run(accountId, readAnyCode(exchange.params[0]!));
  const project = await directory.run(accountId, requireProject(code.project_id));
  const account = await directory.run(accountId, readAccount());
  const visited = { account, project, code };
  const visitor = {
    device: () => value.device ?? ("desktop" as const),
    country: () => country,
    minuteOfWeek,
  };
  const met =
    closedTo(visited, await links.scanCount(code.slug), at) ??
    ledOn(visited, rules ?? code.redirect_rules, url ?? code.redirect_url, visitor, at);
  return success(exchange.requestId, { ...met, at: iso(at), timezone: account.timezone });
}

function closedTo({ code, project }: Visited, scanCount: number, at: Millis): Met | null {
  const refused = (outcome: Met["outcome"], { status }: { status: number }) => ({
    ...nothing,
    outcome,
    status,
  });
  if (code.blocked) return refused("blocked", errors.qr_blocked);
  if (code.status === "archived") return refused("archived", errors.qr_not_found);
  if (project.is_archived) return refused("project_archived", errors.qr_not_found);
  if (code.expires_at !== null && at >= code.expires_at) return refused("expired", errors.qr_expired);
  if (code.scan_limit !== null && scanCount >= code.scan_limit) {
    return refused("limit_reached", errors.qr_scan_limit_reached);
  }
  return null;
}

function ledOn(
  { code, account }: Visited,
  rules: readonly RedirectRule[],
  url: string,
  visitor: Visitor,
  at: Millis,
): Met {
  for (const [place, rule] of compileRules(rules).entries()) {
    const target = matchRules([rule], visitor, account.timezone, at);
    if (target !== null) return { ...nothing, outcome: "redirect", status: 302, url: target, rule: place };
  }
  if (code.text !== null) return { ...nothing, outcome: "text", status: 200, text: code.text };
  return { ...nothing, outcome: "redirect", status: 302, url };
}

const nothing = { url: null, rule: null, text: null };

export const visitOperations: readonly Operation<VisitParts>[] = [
  {
    id: "visitCode",
    ...post("/dashboard/api/qr-codes/{id}/visit"),
    tag: "QR codes",
    summary: "What a visitor would get",
    description: "Of the code as it is, or with a target and rules that are not stored. Nothing is counted.",
    access: "user",
    parameters: [pathId("id", "The `qr_id`.", answerExamples.code.qr_id)],
    ...takesJson(parsers.VisitBody, { visit: requestExamples.visit }, postVisit),
    answers: [jsonAnswer(200, "What it would be.", "VisitAnswer", answerExamples.visit)],
    errors: ["qr_not_found"],
  },
];
