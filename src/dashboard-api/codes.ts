/** `/dashboard/api/qr-codes`: lists with figures, codes that are put away, and those that only the dashboard makes. */

import type { FairTurns } from "../account/fair-turns.ts";
import { type CodeParts, codeReply, filtersOf, matching, newCode } from "../api/codes.ts";
import { listScope, stretchOf } from "../api/list-pages.ts";
import {
  attemptOf,
  get,
  operationsFor,
  post,
  replayedHeaders,
  type Sent,
  takesJson,
} from "../api/operation.ts";
import { presentListItem, presentNewCode } from "../api/present.ts";
import { requireProject } from "../domain/account/project-commands.ts";
import { readAnyCode } from "../domain/code/code-commands.ts";
import { createContentCode } from "../domain/code/create-code.ts";
import type { CreateContentBody } from "../domain/dashboard-requests.ts";
import type { CodeDoc } from "../domain/documents.ts";
import { invalidField } from "../domain/errors.ts";
import { iso } from "../domain/timestamps.ts";
import type { UserCall } from "../door/route.ts";
import { type Reply, success } from "../http/reply.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import {
  idempotencyKey,
  jsonAnswer,
  pageSize,
  pageToken,
  pathId,
  queryParameter,
} from "../openapi/operation.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { OwnCodeListItem } from "../schema/dashboard-responses.ts";
import { parsers } from "../schema/validators.ts";
import { type CodeOrder, placeAfter } from "../store/store.ts";

export type OwnCodeParts = CodeParts & { searches: FairTurns };

const orders: readonly CodeOrder[] = ["newest", "oldest", "label"];

/** Searches and other orders look at all codes of the account, so they take turns. */
async function listCodes({ exchange, accountId }: UserCall, parts: OwnCodeParts): Promise<Reply> {
  const { store, directory, tokens, searches } = parts;
  const asked = exchange.query;
  const order = orderOf(asked.get("sort"));
  const filters = { ...filtersOf(asked), label_contains: asked.get("search") || null };
  if (filters.project_id !== null) await directory.run(accountId, requireProject(filters.project_id));
  const { project_id, statuses, type, label_contains } = filters;
  const scope = listScope(
    "own codes",
    accountId,
    project_id,
    [...statuses].sort(),
    type,
    label_contains,
    order,
  );
  const stretch = stretchOf(asked, 1, tokens, scope);
  const page = await matching(filters, (known) => {
    const query = { account_id: accountId, ...filters, ...stretch, order, type: known };
    if (label_contains === null && order === "newest") return store.listCodes(query);
    const { unwanted } = exchange;
    return searches.run(accountId, unwanted, () => store.listCodes(query, unwanted));
  });
  const last = page.items.at(-1);
  return success(exchange.requestId, {
    items: await Promise.all(page.items.map((code) => listItem(code, parts))),
    next_page_token: page.more && last ? tokens.issue(scope, placeAfter(order, last)) : null,
  });
}

function orderOf(asked: string | null): CodeOrder {
  if (asked === null || asked === "") return "newest";
  const order = orders.find((known) => known === asked);
  if (order === undefined) throw invalidField("sort", `must be one of ${orders.join(", ")}`);
  return order;
}

async function listItem(code: CodeDoc, parts: OwnCodeParts): Promise<OwnCodeListItem> {
  const { links, renders, publicUrl } = parts;
  return {
    ...presentListItem(code, renders.isRendering(code.id)),
    updated_at: iso(code.updated_at),
    expires_at: code.expires_at === null ? null : iso(code.expires_at),
    scan_limit: code.scan_limit,
    scan_count: await links.scanCount(code.slug),
    file_url_svg: presentNewCode(code, publicUrl()).file_url_svg,
  };
}

async function getCode({ exchange, accountId }: UserCall, parts: OwnCodeParts): Promise<Reply> {
  const code = await parts.directory.run(accountId, readAnyCode(exchange.params[0]!));
  return codeReply(code, exchange.requestId, parts);
}

function postCode(
  { exchange, accountId }: UserCall,
  parts: OwnCodeParts,
  { value, bytes }: Sent<CreateContentBody>,
): AtOnce<Reply> {
  const attempt = attemptOf(exchange, "POST /dashboard/api/qr-codes", bytes);
  return newCode(accountId, attempt, parts, (fresh) => createContentCode(value, fresh));
}

export const ownCodeOperations = operationsFor({ tag: "QR codes", access: "user" }, [
  {
    id: "listOwnCodes",
    ...get("/dashboard/api/qr-codes"),
    summary: "List QR codes with their figures",
    parameters: [
      queryParameter("search", "Only codes whose label contains this, whatever the case of letters."),
      queryParameter("project_id", "Only codes of this project."),
      queryParameter(
        "status",
        "Only codes with this status; repeat it for several. Without it, archived codes are left out.",
        { schema: { type: "array", items: { type: "string" } } },
      ),
      queryParameter("type", "Only codes of this type."),
      queryParameter("sort", "`newest` when omitted.", { schema: { type: "string", enum: orders } }),
      pageSize,
      pageToken,
    ],
    handler: listCodes,
    answers: [jsonAnswer(200, "A page of codes.", "OwnCodeListAnswer", answerExamples.ownCodes)],
    errors: ["invalid_request", "project_not_found"],
  },
  {
    id: "createContentCode",
    ...post("/dashboard/api/qr-codes"),
    summary: "Create a code whose image says all",
    description: "Contact card, Wi-Fi, e-mail, phone, SMS, place, event. What it says cannot be changed.",
    parameters: [idempotencyKey],
    ...takesJson(parsers.CreateContentBody, { wifi: requestExamples.createWifi }, postCode),
    answers: [jsonAnswer(201, "The code.", "NewCodeAnswer", answerExamples.newCode, replayedHeaders)],
    errors: [
      "api_access_disabled",
      "feature_disabled",
      "project_forbidden",
      "project_not_found",
      "quota_exceeded_qr",
    ],
  },
  {
    id: "getOwnCode",
    ...get("/dashboard/api/qr-codes/{id}"),
    summary: "Read a QR code, an archived one too",
    parameters: [pathId("id", "The `qr_id`.", answerExamples.code.qr_id)],
    handler: getCode,
    answers: [jsonAnswer(200, "The code.", "CodeAnswer", answerExamples.code)],
    errors: ["qr_not_found"],
  },
]);
