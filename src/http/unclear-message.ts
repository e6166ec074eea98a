import { ApiError } from "../domain/errors.ts";
import type { Exchange } from "./exchange.ts";
import { refusal } from "./reply.ts";

/**
 * Refuses a message that does not say clearly where it ends; whoever sends one is not to be believed any further.
 * In the next turn, and as the last answer of its connection: until then the server ends the connection when
 * anything follows on it, and would otherwise take that for a request.
 */
export function refuseUnclear(exchange: Exchange, problem: string): void {
  exchange.closeAfterwards();
  setImmediate(() => exchange.send(refusal(exchange.requestId, new ApiError("invalid_payload", problem))));
}
