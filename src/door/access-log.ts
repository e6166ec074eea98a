/**
 * One line for a request, for whoever wants to see them. It is off unless the operator turns it on.
 *
 * A line holds nothing that a client chose freely: the route of the table instead of the path, in which people
 * put keys and worse; the slug only when it is one; no address, no header, no query. What a request was about is
 * found by its `request_id`, which the client has too.
 *
 * Both are told by those who answer, as metrics are: the door tells of every request, the links of those scans that
 * were picked when they came. Without a log nobody is asked and a scan pays nothing. Picking by a running sum instead
 * of chance takes exactly the wanted share.
 */
import type { Log } from "../runtime/log.ts";

export interface AccessLogOptions {
  /** Which requests get a line: none, those that are no scans, all. */
  kind: "off" | "api" | "all";
  /** The share of scans that get a line, 0 to 1. */
  sample: number;
  log: Pick<Log, "info">;
}

export interface AccessLog {
  request(request: AnsweredRequest): void;
  /** Null when no scan gets a line. */
  readonly links: LinkLog | null;
}

export interface AnsweredRequest {
  request_id: string;
  /** As in the route table, like the route. */
  method: string;
  route: string;
  /** A client may leave before it gets its answer. */
  status: number | "aborted";
  seconds: number;
}

export interface LinkLog {
  picksLink(): boolean;
  linkAnswered(method: string, slug: string | null, status: number, ms: number): void;
}

export function openAccessLog({ kind, sample, log }: AccessLogOptions): AccessLog | null {
  if (kind === "off") return null;
  let due = 0;
  const links: LinkLog = {
    picksLink() {
      due += sample;
      if (due < 1) return false;
      due -= 1;
      return true;
    },
    linkAnswered(method, slug, status, ms) {
      log.info({ method, slug, status, ms: rounded(ms) }, "scan");
    },
  };
  return {
    request({ seconds, ...request }) {
      log.info({ ...request, ms: rounded(seconds * 1000) }, "request");
    },
    links: kind === "all" && sample > 0 ? links : null,
  };
}

/** Milliseconds, to the microsecond: more says nothing. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
