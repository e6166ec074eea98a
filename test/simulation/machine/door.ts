/**
 * A request on its way through the server's door, without the socket: the check of who may call, the handler and
 * the gate are the real ones.
 */
import type { Admission } from "../../../src/account/account-actor.ts";
import type { ApiParts } from "../../../src/api/operations.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import { type AccessParts, answer } from "../../../src/door/access.ts";
import type { Route } from "../../../src/door/route.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import { asApiError, bytesOf, type Reply, refusal } from "../../../src/http/reply.ts";
import type { CodeFace } from "../checks/ledger.ts";

export interface Request {
  key?: string;
  params?: string[];
  query?: Record<string, string>;
  body?: object;
  idempotencyKey?: string;
}

/** The fields of answers that clients read; which of them are there depends on what was asked. */
export interface Fields extends CodeFace {
  code?: string;
  qr_id: string;
  slug: string | null;
  project_id: string;
  key_id: string;
  key: string;
  revoked_at: string | null;
  is_archived: boolean;
  items: { qr_id: string; name: string; is_default: boolean; is_archived: boolean }[];
  next_page_token: string | null;
}

export interface Answer {
  status: number;
  /** The error's code, empty for a success. */
  code: string;
  bytes: string;
  fields: Fields;
  /** What the door said of the key; null when it refused the key, and for the operator's requests. */
  admission: Admission | null;
}

/** The process died, or the connection to it: nobody knows what became of the request. */
export type Lost = "lost";

const encoder = new TextEncoder();

export async function answerAtTheDoor(
  route: Route<ApiParts>,
  request: Request,
  requestId: string,
  parts: ApiParts & AccessParts,
  failed: (cause: unknown) => void,
  waitedFor: Exchange["waitedFor"] = null,
): Promise<Answer> {
  const bytes = encoder.encode(JSON.stringify(request.body ?? {}));
  const headers: Record<string, string> = {
    "x-api-key": request.key ?? "",
    "content-type": "application/json",
    "idempotency-key": request.idempotencyKey ?? "",
  };
  const exchange = {
    requestId,
    params: request.params ?? [],
    query: new URLSearchParams(request.query),
    header: (name: string) => headers[name] ?? "",
    body: { bytes },
    unwanted: new AbortController().signal,
    waitedFor,
  } as unknown as Exchange;
  let admission: Admission | null = null;
  const { directory } = parts;
  const watched: AccessParts["directory"] = {
    run: (accountId, command) => directory.run(accountId, command),
    look: (accountId, command) => directory.look(accountId, command),
    create: (writes) => directory.create(writes),
    account: (accountId) => directory.account(accountId),
    usage: (accountId) => directory.usage(accountId),
    keyUsage: (accountId) => directory.keyUsage(accountId),
    admitAtOnce(key) {
      const admitted = directory.admitAtOnce(key);
      admission = admitted instanceof ApiError ? null : admitted;
      return admitted;
    },
    async admit(key) {
      admission = await directory.admit(key);
      return admission;
    },
  };
  let reply: Reply;
  try {
    reply = await answer(route, exchange, { ...parts, directory: watched });
  } catch (cause) {
    const error = asApiError(cause);
    if (error.code === "internal_error") failed(cause);
    reply = refusal(requestId, error);
  }
  const text = Buffer.from(bytesOf(reply)).toString();
  const fields: Fields = JSON.parse(text);
  return { status: reply.status, code: fields.code ?? "", bytes: text, fields, admission };
}
