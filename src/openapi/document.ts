/**
 * An OpenAPI 3.0.3 document, built from the operations that it is given, the component schemas that typia made from
 * the request and answer types, and the one table of errors. Nothing is said here that is not said there.
 */

import { type ErrorCode, errors } from "../domain/errors.ts";
import { challenges } from "../http/access.ts";
import { isNeverStored } from "../http/standing-headers.ts";
import { apiVersion } from "../schema/api-version.ts";
import { refTo, type Schema } from "../schema/components.ts";
import { documentedComponents } from "../schema/left-out.ts";
import { errorExample } from "./examples.ts";
import {
  type AnswerDescription,
  type Content,
  type Example,
  errorsOf,
  type OperationDescription,
  type Parameter,
} from "./operation.ts";

type Header = Omit<Parameter, "name" | "in">;

export interface DocumentedResponse {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Content & { examples?: Record<string, Example> }>;
}

export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: NonNullable<OperationDescription["parameters"]>;
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Schema; examples: Record<string, Example> }>;
  };
  responses: Record<string, DocumentedResponse>;
}

export interface OpenapiDocument {
  openapi: "3.0.3";
  info: { title: string; version: string; description: string; license: { name: string; url: string } };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    securitySchemes: Record<string, Record<string, string>>;
    headers: Record<string, Header>;
    schemas: Record<string, Schema>;
  };
}

const header =
  (schema: Schema) =>
  (description: string, example: unknown): Header => ({ description, required: true, schema, example });
const text = header({ type: "string" });
const whole = header({ type: "integer", minimum: 0 });

const headers: Record<string, Header> = {
  RequestId: text("The `request_id` of the body.", errorExample.request_id),
  RateLimitPolicy: text(
    "The quotas of the key: requests (`q`) in a window of seconds (`w`).",
    '"burst";q=500;w=1, "minute";q=1200;w=60, "day";q=1000000;w=86400',
  ),
  RateLimit: text(
    "What is left of the quotas (`r`), and the seconds until they are renewed (`t`). A 429 shows the one that refused.",
    '"burst";r=499;t=1, "minute";r=1193;t=42, "day";r=998097;t=53682',
  ),
  RateLimitLimit: whole(
    "Of the minute and the day, the quota that will run out first, or the one that refused: its requests.",
    1200,
  ),
  RateLimitRemaining: whole("What is left of that quota.", 1193),
  RateLimitReset: whole("When that quota is renewed, in epoch seconds.", 1_772_355_960),
  RetryAfter: whole("Seconds after which a repeat may succeed.", 1),
  IdempotentReplayed: {
    description:
      "`true` on an answer that was first given to an earlier request with this `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  Destination: text("Where the code leads.", "https://example.com/spring"),
  NoStore: text("Never to be cached.", "no-store"),
  NoSniff: text("The type is the one that is named.", "nosniff"),
  KeyChallenge: text("What is missing: a key.", challenges.key),
  TokenChallenge: text("What is missing: the admin token.", challenges.admin),
  MetricsChallenge: text("What is missing: a token for the figures.", challenges.metrics),
  SessionChallenge: text("What is missing: a session.", challenges.user),
  SessionCookie: text(
    "The session, out of reach of scripts; or its end.",
    "__Host-qrelay=…; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict",
  ),
  VaryAccept: {
    description: "The answer is a page or not by what the client accepts.",
    schema: { type: "string" },
    example: "Accept",
  },
  VaryAcceptEncoding: text("The answer is compressed by what the client accepts.", "Accept-Encoding"),
  ContentEncoding: {
    description: "How the answer is compressed; absent when it is not.",
    schema: { type: "string", enum: ["br", "gzip"] },
    example: "br",
  },
  NoCache: text("To be kept, and asked about each time.", "no-cache"),
  AnySite: text("Pages of any site may read it.", "*"),
  AnySiteSees: text("What such pages see beside the content.", "ETag"),
  Immutable: text("Files never change.", "public, max-age=31536000, immutable"),
  ETag: text("Names the content.", '"4f9d1c7ab20e5836c1d7f0b9e8a2643d"'),
};

/** What is asked for, and what a 401 says of it; of all others a session. */
const askedFor: Partial<Record<OperationDescription["access"], { scheme: string; challenge: string }>> = {
  key: { scheme: "ApiKey", challenge: "KeyChallenge" },
  admin: { scheme: "AdminToken", challenge: "TokenChallenge" },
  metrics: { scheme: "MetricsToken", challenge: "MetricsChallenge" },
};
const session = { scheme: "Session", challenge: "SessionChallenge" };

const rateHeaders: Record<string, string> = {
  "RateLimit-Policy": "RateLimitPolicy",
  RateLimit: "RateLimit",
  "X-RateLimit-Limit": "RateLimitLimit",
  "X-RateLimit-Remaining": "RateLimitRemaining",
  "X-RateLimit-Reset": "RateLimitReset",
};

/** Those of every answer. */
function standingHeaders({ path }: OperationDescription, status: number): Record<string, string> {
  return {
    "X-Content-Type-Options": "NoSniff",
    ...(isNeverStored(path, status) && { "Cache-Control": "NoStore" }),
  };
}

function headerRefs(names: Record<string, string>): Record<string, { $ref: string }> {
  return Object.fromEntries(
    Object.entries(names).map(([header, name]) => [header, { $ref: `#/components/headers/${name}` }]),
  );
}

function successResponse(operation: OperationDescription, answer: AnswerDescription): DocumentedResponse {
  const names = { ...standingHeaders(operation, answer.status), ...answer.headers };
  if (answer.component) names["x-request-id"] = "RequestId";
  if (operation.access === "key") Object.assign(names, rateHeaders);
  const response: DocumentedResponse = { description: answer.description, headers: headerRefs(names) };
  if (operation.method === "HEAD") return response;
  if (answer.component) {
    response.content = { "application/json": { schema: refTo(answer.component), example: answer.example } };
  } else if (answer.content) {
    response.content = answer.content;
  }
  return response;
}

function errorResponse(
  operation: OperationDescription,
  status: number,
  codes: ErrorCode[],
): DocumentedResponse {
  const names: Record<string, string> = {
    "x-request-id": "RequestId",
    ...standingHeaders(operation, status),
  };
  const { challenge } = askedFor[operation.access] ?? session;
  if (status === errors.unauthorized.status) names["WWW-Authenticate"] = challenge;
  if (status === 429 && operation.access === "key") Object.assign(names, rateHeaders);
  if (status === 429 || status === 503) names["Retry-After"] = "RetryAfter";
  if (operation.refusalPages) names.Vary = "VaryAccept";
  const response: DocumentedResponse = {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join("\n\n"),
    headers: headerRefs(names),
  };
  if (operation.method === "HEAD") return response;
  const examples = codes.map((code) => {
    const { message } = errors[code];
    return [code, { summary: message, value: { ...errorExample, code, message } }] as const;
  });
  response.content = {
    "application/json": {
      schema: {
        allOf: [
          refTo("ErrorAnswer"),
          { type: "object", properties: { code: { type: "string", enum: codes } } },
        ],
      },
      examples: Object.fromEntries(examples),
    },
  };
  if (operation.refusalPages) response.content["text/html"] = { schema: { type: "string" } };
  return response;
}

function responsesOf(operation: OperationDescription): Record<string, DocumentedResponse> {
  const responses: Record<string, DocumentedResponse> = {};
  for (const answer of operation.answers) responses[answer.status] = successResponse(operation, answer);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of byStatus) responses[status] = errorResponse(operation, status, codes);
  return responses;
}

function documented(operation: OperationDescription): DocumentedOperation {
  const { id, tag, summary, description, access, parameters, body } = operation;
  const { scheme } = askedFor[access] ?? session;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: access === "anyone" || access === "page" ? [] : [{ [scheme]: [] }],
    ...(parameters && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required,
        content: { "application/json": { schema: refTo(body.component), examples: body.examples } },
      },
    }),
    responses: responsesOf(operation),
  };
}

interface Referred {
  headers: Set<string>;
  schemas: Set<string>;
}

/** Names of all components that the value refers to, directly or through other components. */
function referredTo(value: unknown, found: Referred = { headers: new Set(), schemas: new Set() }): Referred {
  if (Array.isArray(value)) for (const item of value) referredTo(item, found);
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (key !== "$ref") referredTo(inner, found);
      else if (typeof inner === "string") referTo(inner, found);
    }
  }
  return found;
}

function referTo(address: string, found: Referred): void {
  const [, , kind, name] = address.split("/");
  if (kind === "headers") found.headers.add(name!);
  if (kind !== "schemas" || found.schemas.has(name!)) return;
  found.schemas.add(name!);
  referredTo(documentedComponents[name!], found);
}

function only<T>(all: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}

export interface About {
  title: string;
  description: string;
  publicUrl: string;
  tags: OpenapiDocument["tags"];
  securitySchemes: OpenapiDocument["components"]["securitySchemes"];
}

export function documentOf(operations: readonly OperationDescription[], about: About): OpenapiDocument {
  const paths: OpenapiDocument["paths"] = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: documented(operation) };
  }
  const referred = referredTo(paths);
  return {
    openapi: "3.0.3",
    info: {
      title: about.title,
      version: apiVersion,
      description: about.description,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: about.publicUrl }],
    tags: about.tags,
    paths,
    components: {
      securitySchemes: about.securitySchemes,
      headers: only(headers, referred.headers),
      schemas: only(documentedComponents, referred.schemas),
    },
  };
}
