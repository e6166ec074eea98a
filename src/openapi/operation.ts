/** What a document tells of an operation, and what the descriptions of many operations share. */
import type { ErrorCode } from "../domain/errors.ts";
import type { Access, Method } from "../http/access.ts";
import { idempotencyKeyCharsMax, pageSizeDefault, pageSizeMax } from "../limits.ts";
import type { Schema } from "../schema/components.ts";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface Content {
  schema: Schema;
  example?: unknown;
}

export interface AnswerDescription {
  status: number;
  description: string;
  /** A JSON answer: the component that describes it, and one of its kind. */
  component?: string;
  example?: unknown;
  /** An answer of another media type. */
  content?: Record<string, Content>;
  /** Headers beyond `x-request-id` and those of the rate limits, by their name among the components. */
  headers?: Record<string, string>;
}

export interface BodyDescription {
  component: string;
  required: boolean;
  examples: Record<string, Example>;
}

export interface OperationDescription {
  id: string;
  method: Method;
  /** Parameters are written `{name}`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  parameters?: readonly Parameter[];
  body?: BodyDescription;
  answers: readonly AnswerDescription[];
  /** Beyond those that every operation of this access, or with a body, can give. */
  errors?: readonly ErrorCode[];
  /** Refusals are shown as a page to those who ask for HTML. */
  refusalPages?: boolean;
}

/** A message whose end is unclear is refused, and a failure can happen, before anything else is looked at. */
export const errorsOfAnyRequest: readonly ErrorCode[] = [
  "invalid_payload",
  "headers_too_large",
  "internal_error",
  "unavailable",
];

const ofSessions: readonly ErrorCode[] = ["unauthorized", "forbidden", "rate_limited", "rate_limit_minute"];

const byAccess: Record<Access, readonly ErrorCode[]> = {
  key: ["unauthorized", "api_access_disabled", "rate_limited", "rate_limit_minute", "rate_limit_day"],
  admin: ["unauthorized", "rate_limited"],
  metrics: ["unauthorized", "rate_limited"],
  anyone: [],
  page: ["forbidden"],
  user: [...ofSessions, "api_access_disabled"],
  owner: [...ofSessions, "api_access_disabled"],
  operator: ofSessions,
};

const withBody: readonly ErrorCode[] = ["invalid_request", "payload_too_large"];

export function errorsOf(operation: OperationDescription): ErrorCode[] {
  const own = [...errorsOfAnyRequest, ...byAccess[operation.access], ...(operation.errors ?? [])];
  return [...new Set(operation.body ? [...own, ...withBody] : own)];
}

/** Text when nothing else is said of it. */
export function queryParameter(
  name: string,
  description: string,
  more: Partial<Pick<Parameter, "schema" | "example">> = {},
): Parameter {
  return { name, in: "query", description, schema: { type: "string" }, ...more };
}

export const pageSize = queryParameter(
  "page_size",
  `Items on a page, 1 to ${pageSizeMax}. Never refused: more counts as ${pageSizeMax}, anything that is no number as ${pageSizeDefault}.`,
  { schema: { type: "integer" }, example: pageSizeDefault },
);

export const pageToken = queryParameter(
  "page_token",
  "The `next_page_token` of the page before. Opaque; one that is not valid here is ignored, and the list begins anew.",
);

export const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes a repeat safe: within 24 hours a request with the same key and the same body gets the first answer, and nothing is created twice. The same key with another body is refused.",
  schema: { type: "string", minLength: 1, maxLength: idempotencyKeyCharsMax, pattern: "^[!-~]+$" },
  example: "order-4711",
};

export function pathId(name: string, description: string, example: string): Parameter {
  return { name, in: "path", description, required: true, schema: { type: "string" }, example };
}

export function jsonAnswer(
  status: number,
  description: string,
  component: string,
  example: unknown,
  headers: Record<string, string> = {},
): AnswerDescription {
  return { status, description, component, example, headers };
}

/** Of what is large and always the same. */
const staticHeaders = { ETag: "ETag", Vary: "VaryAcceptEncoding" };
const compressed = { "Content-Encoding": "ContentEncoding" };
/** Of what pages of other sites may read. */
export const sharedHeaders = {
  "Access-Control-Allow-Origin": "AnySite",
  "Access-Control-Expose-Headers": "AnySiteSees",
};

export function staticAnswers(
  description: string,
  type: string,
  headers: Record<string, string>,
  schema: Schema = { type: "string" },
): AnswerDescription[] {
  const told = { ...staticHeaders, ...headers };
  return [
    { status: 200, description, content: { [type]: { schema } }, headers: { ...told, ...compressed } },
    { status: 304, description: "The client has it already (`If-None-Match`).", headers: told },
  ];
}

export function thisDocument(id: string, path: string, headers: Record<string, string> = {}) {
  return {
    id,
    method: "GET",
    path,
    tag: "Service",
    summary: "This document",
    access: "anyone",
    answers: staticAnswers("OpenAPI 3.0.3.", "application/json", headers, {
      type: "object",
      additionalProperties: true,
    }),
  } as const satisfies OperationDescription;
}
