/**
 * Holds an answer against the OpenAPI documents: the status must be documented for the operation, the body must
 * have exactly the documented fields, an error must have one of the documented codes, and the documented
 * headers must be there. The test client calls this for every answer that any test receives.
 */
import assert from "node:assert/strict";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { adminOpenapiDocument, openapiDocument } from "../../src/api/operations.ts";
import { dashboardOpenapiDocument } from "../../src/dashboard-api/operations.ts";
import { errors } from "../../src/domain/errors.ts";
import type { DocumentedOperation, DocumentedResponse, OpenapiDocument } from "../../src/openapi/document.ts";
import { errorsOfAnyRequest } from "../../src/openapi/operation.ts";
import type { Schema } from "../../src/schema/components.ts";

export interface Answered {
  method: string;
  /** With or without a query. */
  path: string;
  status: number;
  headers: Headers | Record<string, string | undefined>;
  /** Parsed or as text; empty, null or undefined when there is none. */
  body: unknown;
}

const documents = [
  openapiDocument("https://contract.test"),
  adminOpenapiDocument("https://contract.test"),
  dashboardOpenapiDocument("https://contract.test"),
] as const;

/** The schema as ajv reads it, with one addition: a field that is not documented is a mistake. */
function strict(schema: Schema): object {
  const { exclusiveMinimum, minimum, allOf, oneOf, items, properties, ...rest } = schema;
  if (schema.$ref) return { $ref: schema.$ref.replace(/^#/, "contract#") };
  const bound = minimum === undefined ? {} : exclusiveMinimum ? { exclusiveMinimum: minimum } : { minimum };
  return {
    ...rest,
    ...bound,
    ...(allOf && { allOf: allOf.map(strict) }),
    ...(oneOf && { oneOf: oneOf.map(strict) }),
    ...(items && { items: strict(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, strict(value)])),
      additionalProperties: typeof schema.additionalProperties === "object",
    }),
  };
}

// The schemas themselves are checked by the tests of the documents; to do it here would take every file of tests longer.
const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, meta: false });
addFormats.default(ajv);
ajv.addSchema({
  $id: "contract",
  components: {
    schemas: Object.fromEntries(
      documents.flatMap((document) =>
        Object.entries(document.components.schemas).map(([name, schema]) => [name, strict(schema)]),
      ),
    ),
  },
});

const compiled = new Map<string, ValidateFunction>();

/** Also for examples: throws when the value is not what the schema says. */
export function assertFits(schema: Schema, value: unknown, what: string): void {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(strict(schema));
  compiled.set(key, validate);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
}

interface Found {
  document: OpenapiDocument;
  template: string;
  pattern: RegExp;
  operations: Record<string, DocumentedOperation>;
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

const parametersOf = (template: string) => template.split("{").length;

/** All documented paths, those with fixed words before those with parameters. */
const documentedPaths: readonly Found[] = documents
  .flatMap((document) =>
    Object.entries(document.paths).map(([template, operations]) => ({
      document,
      template,
      pattern: patternOf(template),
      operations,
    })),
  )
  .sort((a, b) => parametersOf(a.template) - parametersOf(b.template));

function headerOf(answered: Answered, name: string): string | null {
  const { headers } = answered;
  if (headers instanceof Headers) return headers.get(name);
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return entry?.[1] ?? null;
}

function jsonBody({ body }: Answered): Record<string, unknown> {
  return (typeof body === "string" ? JSON.parse(body) : body) as Record<string, unknown>;
}

const isEmpty = (body: unknown) =>
  body === undefined || body === null || body === "" || (body instanceof Uint8Array && body.length === 0);

function assertError(answered: Answered, codes: readonly string[], what: string): void {
  if (answered.method.toUpperCase() === "HEAD") {
    assert.ok(isEmpty(answered.body), `${what} has a body`);
    return;
  }
  const body = jsonBody(answered);
  assertFits({ $ref: "#/components/schemas/ErrorAnswer" }, body, what);
  assert.equal(
    body.request_id,
    headerOf(answered, "x-request-id"),
    `${what}: request_id and x-request-id differ`,
  );
  const code = body.code as keyof typeof errors;
  assert.ok(codes.includes(code), `${what}: code ${code} is not among ${codes.join(", ")}`);
  assert.equal(errors[code].status, answered.status, `${what}: ${code} has another status`);
}

function assertHeaders(
  document: OpenapiDocument,
  response: DocumentedResponse,
  answered: Answered,
  what: string,
) {
  for (const [name, { $ref }] of Object.entries(response.headers ?? {})) {
    const header = document.components.headers[$ref.slice($ref.lastIndexOf("/") + 1)]!;
    const value = headerOf(answered, name);
    if (value === null && !header.required) continue;
    assert.ok(value !== null, `${what}: the header ${name} is missing`);
    assertFits(header.schema, header.schema.type === "integer" ? Number(value) : value, `${what}: ${name}`);
  }
}

function assertJson(schema: Schema, answered: Answered, what: string): void {
  const body = jsonBody(answered);
  assertFits(schema, body, what);
  if ("request_id" in body) {
    assert.equal(body.request_id, headerOf(answered, "x-request-id"), `${what}: request_id, x-request-id`);
  }
}

function assertBody(response: DocumentedResponse, answered: Answered, what: string): void {
  if (!response.content) {
    // Now and then a redirect gets a line break for a body (`redirect/answer-end.ts`).
    const isNothing = isEmpty(answered.body) || (answered.status === 302 && answered.body === "\n");
    assert.ok(isNothing, `${what} has a body, and none is documented`);
    return;
  }
  const type = (headerOf(answered, "content-type") ?? "").split(";")[0]!;
  const content = response.content[type];
  assert.ok(content, `${what}: media type ${type} is not among ${Object.keys(response.content).join(", ")}`);
  const codes = content.schema.allOf?.[1]?.properties?.code?.enum;
  if (codes) assertError(answered, codes as string[], what);
  else if (type === "application/json") assertJson(content.schema, answered, what);
}

function assertWrongMethod(answered: Answered, found: Found, what: string): void {
  // Below "/", any word could be a slug: a word that is none may as well be an unknown path.
  if (found.template === "/{slug}" && answered.status === 404) {
    assertError(answered, ["not_found"], what);
    return;
  }
  assertError(answered, ["method_not_allowed"], what);
  const allowed = (headerOf(answered, "allow") ?? "").split(/,\s*/).sort();
  const documented = new Set(Object.keys(found.operations).map((method) => method.toUpperCase()));
  if (documented.has("GET")) documented.add("HEAD");
  assert.deepEqual(allowed, [...documented].sort(), what);
}

/** Nothing may be taken for another type, and what is an account's own, or a refusal, is kept by no cache. */
function assertStandingHeaders(answered: Answered, path: string, what: string): void {
  assert.equal(headerOf(answered, "x-content-type-options"), "nosniff", what);
  const isNeverStored = answered.status >= 400 || /^\/(v1|v2|admin|dashboard\/api)(\/|$)/.test(path);
  if (isNeverStored) assert.equal(headerOf(answered, "cache-control"), "no-store", what);
}

export function assertInContract(answered: Answered): void {
  // A link may end in a slash.
  const path = answered.path.split(/[?#]/)[0]!.replace(/^(\/qr-[^/]+)\/$/i, "$1");
  const what = `${answered.method} ${path} → ${answered.status}`;
  assertStandingHeaders(answered, path, what);
  const found = documentedPaths.find(({ pattern }) => pattern.test(path));
  const method = answered.method.toLowerCase();
  const isHead = method === "head";
  // HEAD is answered wherever GET is, in the same way but for the body.
  const operation = found?.operations[method] ?? (isHead ? found?.operations.get : undefined);
  const anyRequest = errorsOfAnyRequest.filter((code) => errors[code].status === answered.status);
  if (found && operation) {
    const response = operation.responses[answered.status];
    assert.ok(response, `${what}: the status is not among ${Object.keys(operation.responses).join(", ")}`);
    assertHeaders(found.document, response, answered, what);
    if (isHead) assert.ok(isEmpty(answered.body), `${what} has a body`);
    else assertBody(response, answered, what);
  } else if (anyRequest.length > 0) {
    assertError(answered, anyRequest, what);
  } else if (found) {
    assertWrongMethod(answered, found, what);
  } else {
    assertError(answered, ["not_found"], what);
  }
}
