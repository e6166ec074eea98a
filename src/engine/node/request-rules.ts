/** What Node's parser lets pass and this service does not. */
import { headersMax } from "../../limits.ts";
import type { Malformed } from "../engine.ts";
import { isSameName, type Message } from "./request.ts";

/** Null when nothing is wrong with the head of the request. */
export function headProblem({ target, rawHeaders, major, isHttp11 }: Message): Malformed | null {
  if (major !== 1) return bad("This service speaks HTTP/1.1 and HTTP/1.0.");
  if (rawHeaders.length > 2 * headersMax) {
    return { status: 431, problem: `A request must have at most ${headersMax} headers.` };
  }
  if (!target.startsWith("/")) return bad("The target of a request must be a path.");
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4) {
      if (isSameName(name, "host")) hosts++;
    } else if (name.length === 17 && rawHeaders[at + 1] === "" && isSameName(name, "transfer-encoding")) {
      return bad("Transfer-Encoding must not be empty.");
    }
  }
  if (hosts > 1) return bad("Host must be given once.");
  if (hosts === 0 && isHttp11) return bad("Host must be given.");
  return null;
}

/** Whether what begins here asks for no body, for all that can be seen of it. */
export function startsWithHead(bytes: Uint8Array | undefined, at = 0): boolean {
  return bytes !== undefined && [...headMethod].every((code, offset) => bytes[at + offset] === code);
}

const headMethod = Buffer.from("HEAD ");

function bad(problem: string): Malformed {
  return { status: 400, problem };
}

/** Null when the connection has merely ended. */
export function malformedOf(error: NodeJS.ErrnoException): Malformed | null {
  if (error.code === "HPE_HEADER_OVERFLOW") return { status: 431, problem: "The headers are too large." };
  if (error.code === "HPE_INVALID_EOF_STATE" || !error.code?.startsWith("HPE_")) return null;
  return { status: 400, problem: "This is not a well-formed HTTP request." };
}
