import type { Attempt, CreateAnswer } from "../domain/account/idempotency.ts";
import type { Exchange } from "../http/exchange.ts";
import { jsonType, type Reply } from "../http/reply.ts";

/** As the documents tell it. */
export const replayedHeaders = { "Idempotent-Replayed": "IdempotentReplayed" };

/** A create as the client asked for it, with the key that makes it happen once. */
export function attemptOf(exchange: Exchange, operation: string, body: Uint8Array): Attempt {
  return { key: exchange.header("idempotency-key") || null, operation, body, requestId: exchange.requestId };
}

export function created(answer: CreateAnswer): Reply {
  const headers: [string, string][] = [[...jsonType]];
  if (answer.replayed) headers.push(["idempotent-replayed", "true"]);
  return { status: answer.status, headers, body: answer.body, requestId: answer.requestId };
}
