/** An answer, and the envelope that every answer wears. */
import { ApiError, type ErrorCode, errors } from "../domain/errors.ts";
import type { RefuseMalformed } from "../engine/engine.ts";
import { STATUS_CODES } from "../engine/engine.ts";
import { apiVersion } from "../schema/api-version.ts";
import { Cancelled, StoreUnavailable } from "../store/store.ts";
import { newRequestId } from "./request-id.ts";
import { isNeverStored, noSniff, noStore } from "./standing-headers.ts";

export interface Reply {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** More headers, each as a line break and its line: made of nothing that a client has sent, so nobody looks at them. */
  lines?: string;
  /** Goes before the body, of which it is a part: ASCII that is made for this answer, where the rest is kept for many. */
  begin?: string;
  body: string | Uint8Array;
  /** Set when an earlier request made this answer: it is given under that request's id. */
  requestId?: string;
  /** Set when another process made it: the status with all headers, and the length of a body that HEAD leaves out. */
  made?: { head: string; length: number };
}

// Not by a copy of all that is there: what such a copy looks like is known only once it is made, and slow to read.

export function withLines(reply: Reply, lines: string): Reply {
  const { status, headers, begin, body, requestId, made } = reply;
  return { status, headers, lines, begin, body, requestId, made };
}

export function withHeader(reply: Reply, header: Reply["headers"][number]): Reply {
  const { status, headers, lines, begin, body, requestId, made } = reply;
  return { status, headers: [...headers, header], lines, begin, body, requestId, made };
}

/** Of the whole body. */
export function lengthOf({ begin = "", body }: Reply): number {
  return begin.length + Buffer.byteLength(body);
}

/** The whole body. Bytes that nothing goes before are not copied: a large answer is shared by all who take it. */
export function bytesOf({ begin = "", body }: Pick<Reply, "begin" | "body">): Uint8Array {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return begin === "" ? bytes : Buffer.concat([Buffer.from(begin, "latin1"), bytes]);
}

export const jsonType = ["content-type", "application/json; charset=utf-8"] as const;

export const justJson = [jsonType];

/** The bytes of a success: the envelope and the fields, flat. */
export function successBody(requestId: string, fields: object): string {
  const rest = JSON.stringify(fields).slice(1);
  return rest === "}" ? `${successBegin(requestId)}}` : successOfText(requestId, rest);
}

/** The same, where the fields and the brace behind them are a text by now. */
export function successOfText(requestId: string, fieldsAndEnd: string): string {
  return `${successBegin(requestId)},${fieldsAndEnd}`;
}

/** The same, where the fields and the brace behind them are bytes that are kept for many answers, but for the first ones. */
export function successOfBytes(requestId: string, fieldsAndEnd: Uint8Array, firstFields = ""): Reply {
  const begin = `${successBegin(requestId)},${firstFields}`;
  return { status: 200, headers: justJson, begin, body: fieldsAndEnd };
}

function successBegin(requestId: string): string {
  return `{"ok":true,"version":"${apiVersion}","request_id":"${requestId}"`;
}

export function success(requestId: string, fields: object, status = 200): Reply {
  return { status, headers: justJson, body: successBody(requestId, fields) };
}

const quotedMessages = Object.fromEntries(
  Object.entries(errors).map(([code, { message }]) => [code, JSON.stringify(message)]),
);

/** The bytes of a refusal. */
export function refusalBody(requestId: string, code: ErrorCode, message: string): string {
  const quoted = message === errors[code].message ? quotedMessages[code] : JSON.stringify(message);
  return `{"ok":false,"version":"${apiVersion}","request_id":"${requestId}","code":"${code}","message":${quoted}}`;
}

export function refusal(requestId: string, error: ApiError): Reply {
  const { status, code, message, retryAfter } = error;
  const body = refusalBody(requestId, code, message);
  const headers = retryAfter === null ? justJson : [jsonType, ["retry-after", String(retryAfter)] as const];
  return { status, headers, body };
}

/** What a client is told of a failure; a cause from the inside stays inside. */
export function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof StoreUnavailable || cause instanceof Cancelled)
    return new ApiError("unavailable", undefined, 1);
  return new ApiError("internal_error");
}

/** What is no request gets the envelope too, where the engine asks for one. */
export const refuseMalformed: RefuseMalformed = ({ status, problem }) => {
  const requestId = newRequestId();
  const code = status === 431 ? "headers_too_large" : "invalid_payload";
  const reply = refusal(requestId, new ApiError(code, problem));
  return { head: headOf(reply, requestId, ""), body: String(reply.body) };
};

const neverStored = line(noSniff) + line(noStore);
const everStored = line(noSniff);

/** The status and the headers, in the form in which engines take them all as a status. */
export function headOf(reply: Reply, ownId: string, path: string): string {
  if (reply.made !== undefined) return reply.made.head;
  const { status, headers, lines, requestId = ownId } = reply;
  let head = `${status} ${STATUS_CODES[status] ?? ""}\r\nx-request-id: ${requestId}`;
  head += isNeverStored(path, status) ? neverStored : everStored;
  for (const header of headers) {
    requireSafeHeader(header);
    head += line(header);
  }
  return lines === undefined ? head : head + lines;
}

function line([name, value]: Reply["headers"][number]): string {
  return `\r\n${name}: ${value}`;
}

/** Printable ASCII only: anything else could end the header and begin another. A pattern would take ten times as long. */
function requireSafeHeader([name, value]: Reply["headers"][number]): void {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) throw new Error(`the header ${name} has an unsafe character at ${at}`);
  }
}
