/**
 * A row of the table of operations: address, who may call, body, handler, answers, errors and words, in one place.
 *
 * Routes, 404, 405 and `Allow`, HEAD, both OpenAPI documents, the labels of metrics and of the access log and the
 * tests of access all come from these rows. A handler is given the parts that it names and no others: a row of
 * `CodeParts` fits into a table of all parts, since whoever has all of them has those.
 *
 * Rejected: one table of routes and another of words, held together by a test. Whoever adds an operation then
 * writes its address, its access and its body twice, and learns of a mistake late.
 */
import type { Attempt, CreateAnswer } from "../domain/account/idempotency.ts";
import { ApiError } from "../domain/errors.ts";
import type { Call, Handler, Route, Served } from "../door/route.ts";
import type { Access } from "../http/access.ts";
import type { Exchange } from "../http/exchange.ts";
import { jsonType, justJson, type Reply } from "../http/reply.ts";
import type { Body } from "../http/request/request-body.ts";
import type { BodyDescription, OperationDescription } from "../openapi/operation.ts";
import type { AtOnce } from "../runtime/at-once.ts";
import type { Parser } from "../schema/validators.ts";

/** An operation that the door hands to its handler. */
export type ServedOperation<P> = OperationDescription & Route<P>;

type OperationFor<A extends Access, P> = OperationDescription & Served<A, P>;

/** One of the operator's, who names the account in the path. */
export type AdminOperation<P> = OperationFor<"admin", P>;

/** Operations on things of one kind, that the same may call. */
export function operationsFor<A extends Access, P>(
  common: Pick<OperationFor<A, P>, "tag" | "access">,
  rows: readonly Omit<OperationFor<A, P>, "tag" | "access">[],
): OperationFor<A, P>[] {
  return rows.map((row) => ({ ...common, ...row }) as OperationFor<A, P>);
}

/** The public links have a faster way than the door's: `src/redirect` registers and serves them by itself. */
export type Operation<P> =
  | ServedOperation<P>
  | (OperationDescription & { access: "anyone"; servedBy: "redirect" });

export function isServedByDoor<P>(operation: Operation<P>): operation is ServedOperation<P> {
  return "handler" in operation;
}

/** The address of a row. */
export const get = (path: string) => ({ method: "GET", path }) as const;
export const post = (path: string) => ({ method: "POST", path }) as const;
export const patch = (path: string) => ({ method: "PATCH", path }) as const;
export const remove = (path: string) => ({ method: "DELETE", path }) as const;

/** A body after its check, and the bytes that it came in. */
export interface Sent<T> {
  value: T;
  bytes: Uint8Array;
}

/** The part of a row that says what the body is and who handles it: the handler gets it read and checked. */
export function takesJson<C extends Call, P, T>(
  parse: Parser<T>,
  examples: BodyDescription["examples"],
  handler: (call: C, parts: P, sent: Sent<T>) => AtOnce<Reply>,
  { required }: { required: boolean } = { required: true },
): { body: BodyDescription; handler: Handler<C, P> } {
  return {
    body: { component: parse.component, required, examples },
    handler(call, parts) {
      const { exchange } = call;
      const { value, bytes } = jsonOf(exchange.body, exchange, required);
      return handler(call, parts, { value: parse(value), bytes });
    },
  };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The body as JSON. One that is absent and may be is an empty object. */
function jsonOf(body: Body, exchange: Exchange, required: boolean): Sent<unknown> {
  if (body === "too large") throw new ApiError("payload_too_large");
  const { bytes } = body;
  if (bytes.length === 0 && !required) return { value: {}, bytes };
  if (!isJson(exchange.header("content-type"))) {
    throw new ApiError("invalid_payload", "Content-Type must be application/json");
  }
  try {
    return { value: JSON.parse(decoder.decode(bytes)), bytes };
  } catch {
    throw new ApiError("invalid_payload", "The body is not valid JSON.");
  }
}

function isJson(contentType: string): boolean {
  if (contentType === "application/json") return true;
  const [type, ...parameters] = contentType.toLowerCase().split(";");
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  return (
    type!.trim() === "application/json" && (charset === undefined || /^charset="?utf-8"?$/.test(charset))
  );
}

const replayedJson = [jsonType, ["idempotent-replayed", "true"] as const];

/** A create as the client asked for it, with the key that makes it happen once. */
export function attemptOf(exchange: Exchange, operation: string, body: Uint8Array): Attempt {
  return { key: exchange.header("idempotency-key") || null, operation, body, requestId: exchange.requestId };
}

export function created(answer: CreateAnswer): Reply {
  const { status, body, requestId, replayed } = answer;
  return { status, headers: replayed ? replayedJson : justJson, body, requestId };
}

/** As the documents tell it. */
export const replayedHeaders = { "Idempotent-Replayed": "IdempotentReplayed" };
