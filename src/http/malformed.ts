import { randomUUID } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import type { RefuseMalformed } from "../engine/engine.ts";
import { STATUS_CODES } from "../engine/status-codes.ts";
import { refusal } from "./reply.ts";
import { noSniff, noStore } from "./standing-headers.ts";

/** What is no request gets the envelope too, where the engine asks for one. */
export const refuseMalformed: RefuseMalformed = ({ status, problem }) => {
  const requestId = randomUUID();
  const code = status === 431 ? "headers_too_large" : "invalid_payload";
  const { headers, body } = refusal(requestId, new ApiError(code, problem));
  const lines = [["x-request-id", requestId], ...headers, noStore, noSniff].map((header) =>
    header.join(": "),
  );
  return { head: [`${status} ${STATUS_CODES[status]}`, ...lines].join("\r\n"), body: String(body) };
};
