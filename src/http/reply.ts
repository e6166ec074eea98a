/** The envelope that every answer wears. */
import { ApiError } from "../domain/errors.ts";
import { apiVersion } from "../schema/api-version.ts";
import { Cancelled, StoreUnavailable } from "../store/store.ts";
import type { Reply } from "./exchange.ts";

export const jsonType = ["content-type", "application/json; charset=utf-8"] as const;

/** The bytes of a success: the envelope and the fields, flat. */
export function successBody(requestId: string, fields: object): string {
  return JSON.stringify({ ok: true, version: apiVersion, request_id: requestId, ...fields });
}

/** The same from fields that are text already, without braces. */
export function successOfText(requestId: string, fields: string): Reply {
  const body = `{"ok":true,"version":"${apiVersion}","request_id":"${requestId}",${fields}}`;
  return { status: 200, headers: [jsonType], body };
}

export function success(requestId: string, fields: object, status = 200): Reply {
  return { status, headers: [jsonType], body: successBody(requestId, fields) };
}

export function refusal(requestId: string, error: ApiError): Reply {
  const { status, code, message, retryAfter } = error;
  const body = JSON.stringify({ ok: false, version: apiVersion, request_id: requestId, code, message });
  const headers: [string, string][] = [[...jsonType]];
  if (retryAfter !== null) headers.push(["retry-after", String(retryAfter)]);
  return { status, headers, body };
}

/** What a client is told of a failure; a cause from the inside stays inside. */
export function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof StoreUnavailable || cause instanceof Cancelled)
    return new ApiError("unavailable", undefined, 1);
  return new ApiError("internal_error");
}
