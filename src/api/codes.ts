/** The handlers of `/v1/qr-codes`; their rows are in `code-operations.ts`. */

import type { Directory } from "../account/directory.ts";
import type { FairTurns } from "../account/fair-turns.ts";
import { type Attempt, once } from "../domain/account/idempotency.ts";
import { requireProject } from "../domain/account/project-commands.ts";
import { readCode } from "../domain/code/code-commands.ts";
import type { FieldRules } from "../domain/code/code-fields.ts";
import { createCode, type NewCode } from "../domain/code/create-code.ts";
import { updateCode } from "../domain/code/update-code.ts";
import type { Command } from "../domain/command.ts";
import {
  type CodeDoc,
  type CodeStatus,
  type CodeType,
  codeStatuses,
  codeTypes,
} from "../domain/documents.ts";
import { ApiError, invalidField } from "../domain/errors.ts";
import type { CreateCodeBody, UpdateCodeBody } from "../domain/requests.ts";
import type { KeyCall } from "../door/route.ts";
import { type Reply, successOfBytes, successOfText } from "../http/reply.ts";
import type { Links } from "../link/links.ts";
import type { SlugReservations } from "../link/slug-reservations.ts";
import { type AtOnce, goOn } from "../runtime/at-once.ts";
import type { Random } from "../runtime/random.ts";
import { type RemotePolicy, type Targets, withRemoteCheck } from "../safety/remote-check.ts";
import type { Page, Store } from "../store/store.ts";
import { newCodeText, pageBytes, uncountedBytes } from "./code-texts.ts";
import { listScope, nextToken, type PageTokens, stretchOf } from "./list-pages.ts";
import { attemptOf, created, type Sent } from "./operation.ts";

/** What is needed to show a code with what is known of it beyond its document. */
export interface CodeViewParts {
  links: Pick<Links, "scanCount">;
  renders: { isRendering(codeId: string): boolean };
  publicUrl(): string;
}

export interface CodeParts extends CodeViewParts {
  store: Pick<Store, "get" | "codeBySlug" | "listCodes">;
  directory: Pick<Directory, "run" | "look">;
  slugs: Pick<SlugReservations, "reserve" | "release">;
  fields: FieldRules;
  /** Null when no remote service is asked about URLs. */
  remoteCheck: RemotePolicy | null;
  searches: FairTurns;
  tokens: PageTokens;
  random: Random;
}

export function postCode(
  { exchange, accountId }: KeyCall,
  parts: CodeParts,
  { value, bytes }: Sent<CreateCodeBody>,
): AtOnce<Reply> {
  return goOn(withRemoteCheck(parts.fields, parts.remoteCheck, value), (fields) => {
    const attempt = attemptOf(exchange, "POST /v1/qr-codes", bytes);
    return newCode(accountId, attempt, parts, (fresh) => createCode(value, fields, fresh));
  });
}

/** Answers a create, of whatever kind, with the code that it made. */
export function newCode(
  accountId: string,
  attempt: Attempt,
  { slugs, random, directory, publicUrl }: Pick<CodeParts, "slugs" | "random" | "directory" | "publicUrl">,
  create: (fresh: NewCode) => Command<CodeDoc>,
): AtOnce<Reply> {
  return goOn(slugs.reserve(), (slug) => {
    const failed = (cause: unknown): never => {
      slugs.release(slug);
      throw cause;
    };
    try {
      const command = once(attempt, create({ slug, random }), (code) =>
        successOfText(attempt.requestId, newCodeText(code, publicUrl())),
      );
      return directory.run(accountId, command).then((answer) => {
        slugs.release(slug);
        return created(answer);
      }, failed);
    } catch (cause) {
      return failed(cause);
    }
  });
}

export function getCode({ exchange, accountId }: KeyCall, parts: CodeParts): AtOnce<Reply> {
  const found = parts.directory.look(accountId, readCode(exchange.params[0]!));
  return goOn(found, (code) => codeReply(code, exchange.requestId, parts));
}

/** A slug is known once it is shown; until then it is nobody's. */
export async function findCode({ exchange, accountId }: KeyCall, parts: CodeParts): Promise<Reply> {
  const slug = exchange.query.get("slug");
  if (slug === null || slug === "") throw invalidField("slug", "is required");
  const found = await parts.store.codeBySlug(slug);
  if (found === null || found.account_id !== accountId) throw new ApiError("qr_not_found");
  const code = await parts.directory.run(accountId, readCode(found.id));
  if (code.render.rendered_at === null) throw new ApiError("qr_not_found");
  return codeReply(code, exchange.requestId, parts);
}

/** Answers the state at the commit: that a worker has taken the image up since is for the next read to tell. */
export function patchCode(
  { exchange, accountId }: KeyCall,
  parts: CodeParts,
  { value }: Sent<UpdateCodeBody>,
): AtOnce<Reply> {
  const id = exchange.params[0]!;
  const targets = targetsOf(id, accountId, value, parts);
  const checked = goOn(targets, (targets) => withRemoteCheck(parts.fields, parts.remoteCheck, targets));
  return goOn(checked, async (fields) => {
    const code = await parts.directory.run(accountId, updateCode(id, value, fields));
    return codeReply(code, exchange.requestId, parts, false);
  });
}

/** A code that comes back into service brings its stored targets along, as far as the body does not replace them. */
function targetsOf(
  id: string,
  accountId: string,
  body: UpdateCodeBody,
  { store, remoteCheck }: CodeParts,
): AtOnce<Targets> {
  if (remoteCheck === null || body.status !== "active") return body;
  return store.get("codes", id).then((stored) => withStoredTargets(body, stored, accountId));
}

function withStoredTargets(body: UpdateCodeBody, stored: CodeDoc | null, accountId: string): Targets {
  if (stored?.account_id !== accountId || stored.status !== "archived") return body;
  return {
    redirect_url: body.redirect_url ?? stored.redirect_url,
    redirect_rules: body.redirect_rules === undefined ? stored.redirect_rules : body.redirect_rules,
  };
}

export async function listCodes({ exchange, accountId }: KeyCall, parts: CodeParts): Promise<Reply> {
  const { store, directory, tokens, renders, searches } = parts;
  const asked = exchange.query;
  const filters = filtersOf(asked);
  if (filters.project_id !== null) await directory.run(accountId, requireProject(filters.project_id));
  const scope = listScope(
    "qr-codes",
    accountId,
    filters.project_id,
    [...filters.statuses].sort(),
    filters.type,
    filters.label_contains,
  );
  const stretch = stretchOf(asked, 1, tokens, scope);
  const page = await matching(filters, (type) => {
    const query = { account_id: accountId, ...filters, ...stretch, type };
    if (filters.label_contains === null) return store.listCodes(query);
    const { unwanted } = exchange;
    return searches.run(accountId, unwanted, () => store.listCodes(query, unwanted));
  });
  const fields = pageBytes(
    page,
    (id) => renders.isRendering(id),
    () => nextToken(page, tokens, scope),
  );
  return successOfBytes(exchange.requestId, fields);
}

interface Filters {
  project_id: string | null;
  statuses: CodeStatus[];
  /** As the client wrote it; a type that does not exist matches nothing. */
  type: string | null;
  label_contains: string | null;
}

export function filtersOf(query: URLSearchParams): Filters {
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

export function matching(
  filters: Filters,
  list: (type: CodeType | null) => Promise<Page<CodeDoc>>,
): Promise<Page<CodeDoc>> | Page<CodeDoc> {
  if (filters.type === null) return list(null);
  const type = codeTypes.find((known) => known === filters.type);
  return type === undefined ? { items: [], more: false } : list(type);
}

export function codeReply(
  code: CodeDoc,
  requestId: string,
  { links, renders, publicUrl }: CodeViewParts,
  isRendering = renders.isRendering(code.id),
): AtOnce<Reply> {
  return goOn(links.scanCount(code.slug), (scanCount) => {
    const rest = uncountedBytes(code, isRendering, publicUrl());
    return successOfBytes(requestId, rest, `"scan_count":${scanCount},`);
  });
}
