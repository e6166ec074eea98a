/** What Node's parser lets pass and this service does not. */
import { headersMax } from "../../limits.ts";
import { isSameName } from "./request.ts";

export interface Refusal {
  status: 400 | 431;
  problem: string;
}

/** Null when nothing is wrong with the head of the request. */
export function headProblem(
  target: string,
  rawHeaders: readonly string[],
  isHttp11: boolean,
): Refusal | null {
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

function bad(problem: string): Refusal {
  return { status: 400, problem };
}
