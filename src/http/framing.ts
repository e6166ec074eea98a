import type { HttpRequest } from "../engine/engine.ts";

/**
 * The length of a request's body, or why it cannot be trusted. The server's parser is lenient here, and where
 * two parsers disagree on the end of a message, one client's bytes become another's request.
 */
export function contentLength(req: HttpRequest): number | string {
  let problem: string | null = null;
  let length: string | null = null;
  req.forEach((name, value) => {
    if (name === "transfer-encoding") problem = "Transfer-Encoding is not accepted";
    if (name !== "content-length") return;
    if (length !== null) problem = "Content-Length must be given once";
    else if (!/^\d{1,15}$/.test(value)) problem = "Content-Length must be a number";
    length = value;
  });
  return problem ?? Number(length ?? 0);
}
