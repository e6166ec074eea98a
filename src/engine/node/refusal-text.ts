import { STATUS_CODES } from "node:http";
import type { Refusal } from "./request-rules.ts";

/** The whole answer to what is no request. */
export function refusalText({ status, problem }: Refusal): string {
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n" +
    `Content-Length: ${Buffer.byteLength(problem)}\r\nConnection: close\r\n\r\n${problem}`
  );
}
