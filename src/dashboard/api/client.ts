/**
 * Calls of the service from a page: JSON there and back, with the session's cookie.
 *
 * The types of bodies and answers are those that the OpenAPI document is made from, so there is nothing to generate
 * and nothing that can fall behind. Every failure becomes a `Refusal` whose message tells a person what to do.
 */
import type { ErrorAnswer } from "../../schema/responses.ts";

export const apiPrefix = "/dashboard/api";

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** The field that the message is about, as the API spells it; null when it is about none. */
  readonly field: string | null;

  constructor(status: number, code: string, message: string, field: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

type Query = Record<string, string | number | readonly string[] | null | undefined>;

export interface CallOptions {
  query?: Query;
  body?: object;
  signal?: AbortSignal | undefined;
}

let whenSignedOut: () => void = () => {};

/** Who is told that the session has ended. */
export function onSignedOut(tell: () => void): void {
  whenSignedOut = tell;
}

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const { query, body, signal } = options;
  const response = await fetchAnswer(apiPrefix + path + queryText(query), {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    ...(signal && { signal }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const refusal = refusalOf(response, answer as Partial<ErrorAnswer> | null);
  if (refusal.status === 401 && path !== sessionPath) whenSignedOut();
  throw refusal;
}

/** The one path at which "not signed in" is an answer and no surprise. */
export const sessionPath = "/session";

async function fetchAnswer(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: "same-origin", cache: "no-store" });
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new Refusal(
      0,
      "unreachable",
      "The service could not be reached. Check your connection, then try again.",
    );
  }
}

export function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === "AbortError";
}

function refusalOf(response: Response, answer: Partial<ErrorAnswer> | null): Refusal {
  const { status } = response;
  if (status === 429) {
    const seconds = Number(response.headers.get("retry-after")) || 60;
    const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
    return new Refusal(status, answer?.code ?? "rate_limited", `Too many requests. Try again in ${wait}.`);
  }
  if (answer?.code === undefined || answer.message === undefined) {
    return new Refusal(status, "unknown", `The service answered with ${status}. Try again in a moment.`);
  }
  if (status >= 500) {
    const told = answer.request_id
      ? ` If it goes on, tell the operator this number: ${answer.request_id}`
      : "";
    return new Refusal(status, answer.code, `${answer.message}${status === 503 ? "" : told}`);
  }
  const namesField = answer.code === "invalid_request" || answer.code === "unsafe_url";
  const field = namesField ? /^[a-z][\w.[\]]*(?=\s)/.exec(answer.message)?.[0] : null;
  return new Refusal(status, answer.code, answer.message, field ?? null);
}

function queryText(query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === "") continue;
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
