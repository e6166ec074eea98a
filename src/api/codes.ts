/** `/v1/qr-codes` */

import { once } from "../domain/account/idempotency.ts";
import { requireProject } from "../domain/account/project-commands.ts";
import { readCode } from "../domain/code/code-commands.ts";
import { createCode } from "../domain/code/create-code.ts";
import { updateCode } from "../domain/code/update-code.ts";
import {
  type CodeDoc,
  type CodeStatus,
  type CodeType,
  codeStatuses,
  codeTypes,
} from "../domain/documents.ts";
import { ApiError, invalidField } from "../domain/errors.ts";
import type { UpdateCodeBody } from "../domain/requests.ts";
import type { Reply } from "../http/exchange.ts";
import { success, successBody } from "../http/reply.ts";
import { type Targets, withRemoteCheck } from "../safety/remote-check.ts";
import { parseCreateCode, parseUpdateCode } from "../schema/validators.ts";
import type { Page } from "../store/store.ts";
import type { KeyCall, Services } from "./call.ts";
import { attemptOf, created } from "./idempotent-create.ts";
import { listScope, nextToken, stretchOf } from "./list-pages.ts";
import { presentCode, presentListItem, presentNewCode } from "./present.ts";

export async function postCode(call: KeyCall): Promise<Reply> {
  const { exchange, services, accountId } = call;
  const { value, bytes } = await call.json();
  const body = parseCreateCode(value);
  const fields = await withRemoteCheck(services.fields, services.remoteCheck, body);
  const slug = await services.slugs.reserve();
  try {
    const create = createCode(body, fields, { slug, random: services.random });
    const attempt = attemptOf(exchange, "POST /v1/qr-codes", bytes);
    const command = once(attempt, create, (code) =>
      successBody(exchange.requestId, presentNewCode(code, services.publicUrl)),
    );
    return created(await services.directory.run(accountId, command));
  } finally {
    services.slugs.release(slug);
  }
}

export async function getCode({ exchange, services, accountId }: KeyCall): Promise<Reply> {
  const code = await services.directory.run(accountId, readCode(exchange.params[0]!));
  return codeReply(code, exchange.requestId, services, services.renders.isRendering(code.id));
}

/** A slug is known once it is shown; until then it is nobody's. */
export async function findCode({ exchange, services, accountId }: KeyCall): Promise<Reply> {
  const slug = exchange.query.get("slug");
  if (slug === null || slug === "") throw invalidField("slug", "is required");
  const found = await services.store.codeBySlug(slug);
  if (found === null || found.account_id !== accountId) throw new ApiError("qr_not_found");
  const code = await services.directory.run(accountId, readCode(found.id));
  if (code.render.rendered_at === null) throw new ApiError("qr_not_found");
  return codeReply(code, exchange.requestId, services, services.renders.isRendering(code.id));
}

/** Answers the state at the commit: that a worker has taken the image up since is for the next read to tell. */
export async function patchCode(call: KeyCall): Promise<Reply> {
  const { exchange, services, accountId } = call;
  const { value } = await call.json();
  const body = parseUpdateCode(value);
  const id = exchange.params[0]!;
  const targets = await targetsOf(id, accountId, body, services);
  const fields = await withRemoteCheck(services.fields, services.remoteCheck, targets);
  const command = updateCode(id, body, fields);
  const code = await services.directory.run(accountId, command);
  return codeReply(code, exchange.requestId, services, false);
}

/** A code that comes back into service brings its stored targets along, as far as the body does not replace them. */
async function targetsOf(
  id: string,
  accountId: string,
  body: UpdateCodeBody,
  { store, remoteCheck }: Services,
): Promise<Targets> {
  if (remoteCheck === null || body.status !== "active") return body;
  const stored = await store.get("codes", id);
  if (stored?.account_id !== accountId || stored.status !== "archived") return body;
  return {
    redirect_url: body.redirect_url ?? stored.redirect_url,
    redirect_rules: body.redirect_rules === undefined ? stored.redirect_rules : body.redirect_rules,
  };
}

export async function listCodes({ exchange, services, accountId }: KeyCall): Promise<Reply> {
  const { store, tokens, renders, searches } = services;
  const filters = filtersOf(exchange.query);
  if (filters.project_id !== null)
    await services.directory.run(accountId, requireProject(filters.project_id));
  const scope = listScope(
    "qr-codes",
    accountId,
    filters.project_id,
    [...filters.statuses].sort(),
    filters.type,
    filters.label_contains,
  );
  const stretch = stretchOf(exchange.query, 1, tokens, scope);
  const { unwanted } = exchange;
  const page = await matching(filters, (type) => {
    const list = () => store.listCodes({ account_id: accountId, ...filters, ...stretch, type }, unwanted);
    return filters.label_contains === null ? list() : searches.run(accountId, unwanted, list);
  });
  return success(exchange.requestId, {
    items: page.items.map((code) => presentListItem(code, renders.isRendering(code.id))),
    next_page_token: nextToken(page, tokens, scope),
  });
}

interface Filters {
  project_id: string | null;
  statuses: CodeStatus[];
  /** As the client wrote it; a type that does not exist matches nothing. */
  type: string | null;
  label_contains: string | null;
}

function filtersOf(query: URLSearchParams): Filters {
  const asked = query.getAll("status").filter((status) => status !== "");
  return {
    project_id: query.get("project_id") || null,
    statuses: codeStatuses.filter((status) =>
      asked.length === 0 ? status !== "archived" : asked.includes(status),
    ),
    type: query.get("type") || null,
    label_contains: query.get("label_contains") || null,
  };
}

function matching(
  filters: Filters,
  list: (type: CodeType | null) => Promise<Page<CodeDoc>>,
): Promise<Page<CodeDoc>> | Page<CodeDoc> {
  if (filters.type === null) return list(null);
  const type = codeTypes.find((known) => known === filters.type);
  return type === undefined ? { items: [], more: false } : list(type);
}

async function codeReply(
  code: CodeDoc,
  requestId: string,
  { links, publicUrl }: Services,
  isRendering: boolean,
): Promise<Reply> {
  const life = { scanCount: await links.scanCount(code.slug), isRendering, publicUrl };
  return success(requestId, presentCode(code, life));
}
