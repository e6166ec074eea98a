/**
 * A request on its way through the server's door: what `door/server.ts` does around a handler, without the socket.
 * The handlers themselves are the real ones.
 */
import type { Admission } from "../../src/account/account-actor.ts";
import type { Services } from "../../src/api/call.ts";
import type { Route } from "../../src/api/routes.ts";
import { ApiError, unavailable } from "../../src/domain/errors.ts";
import type { Exchange, Reply } from "../../src/http/exchange.ts";
import { asApiError, refusal } from "../../src/http/reply.ts";
import type { CodeFace } from "./ledger.ts";

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
  route: Route,
  request: Request,
  requestId: string,
  services: Services,
  failed: (cause: unknown) => void,
): Promise<Answer> {
  const bytes = encoder.encode(JSON.stringify(request.body ?? {}));
  const headers: Record<string, string> = { "idempotency-key": request.idempotencyKey ?? "" };
  const exchange = {
    requestId,
    params: request.params ?? [],
    query: new URLSearchParams(request.query),
    header: (name: string) => headers[name] ?? "",
    unwanted: new AbortController().signal,
  } as unknown as Exchange;
  const call = { exchange, services, json: () => Promise.resolve({ value: request.body ?? {}, bytes }) };
  let admission: Admission | null = null;
  let reply: Reply;
  try {
    if (route.access === "key") {
      const admitted = await services.directory.admit(request.key ?? "");
      admission = admitted;
      reply = await (async () => {
        if (admitted.refusal !== null) throw admitted.refusal;
        return route.handler({ ...call, admission: admitted, accountId: admitted.accountId });
      })().catch((cause) => {
        if (!(cause instanceof ApiError)) throw cause;
        return refusal(requestId, cause);
      });
      await admitted.durable?.catch(() => {
        throw unavailable("The store did not take the request. Try again shortly.");
      });
    } else {
      reply = await route.handler(call);
    }
  } catch (cause) {
    const error = asApiError(cause);
    if (error.code === "internal_error") failed(cause);
    reply = refusal(requestId, error);
  }
  const text = reply.body as string;
  const fields: Fields = JSON.parse(text);
  return { status: reply.status, code: fields.code ?? "", bytes: text, fields, admission };
}
