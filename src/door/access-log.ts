/**
 * One line for a request, for whoever wants to see them. It is off unless the operator turns it on.
 *
 * A line holds nothing that a client chose freely: the route of the table instead of the path, in which people
 * put keys and worse; the slug only when it is one; no address, no header, no query. What a request was about is
 * found by its `request_id`, which the client has too.
 *
 * Scans are watched from the outside, by the handler that is put on the server: without a log the handler is
 * registered as it is and a scan pays nothing at all. With one, a scan pays an addition, and one that is picked
 * gets a `writeStatus` of its own, which is the one thing that every answer to a scan has to call. Picking by a
 * running sum instead of chance takes exactly the wanted share.
 */

import type { HttpApp, HttpRequest, HttpResponse } from "../engine/engine.ts";
import { isSlug } from "../link/slug.ts";
import { scanPaths } from "../redirect/link-handler.ts";
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
  /** The same server, whose public links are watched from now on. */
  watchScans(app: HttpApp): HttpApp;
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

type ScanHandler = (res: HttpResponse, req: HttpRequest) => void;

/** Null when nothing is to be logged. */
export function openAccessLog({ kind, sample, log }: AccessLogOptions): AccessLog | null {
  if (kind === "off") return null;
  let due = 0;

  function watched(method: string, handler: ScanHandler): ScanHandler {
    return (res, req) => {
      due += sample;
      if (due >= 1) {
        due -= 1;
        tell(method, res, req);
      }
      handler(res, req);
    };
  }

  function tell(method: string, res: HttpResponse, req: HttpRequest): void {
    const began = performance.now();
    const asked = req.getParameter(0) ?? "";
    const slug = isSlug(asked) ? asked.toLowerCase() : null;
    const write = res.writeStatus;
    res.writeStatus = (line) => {
      // Throws when the visitor has gone: then there was no answer.
      const written = write.call(res, line);
      log.info({ method, slug, status: statusOf(line), ms: toMs(performance.now() - began) }, "scan");
      return written;
    };
  }

  return {
    request({ seconds, ...request }) {
      log.info({ ...request, ms: toMs(seconds * 1000) }, "request");
    },
    watchScans(app) {
      if (kind !== "all" || sample === 0) return app;
      // The library's methods take no other receiver than the server itself.
      return new Proxy(app, {
        get(server, name) {
          const register = Reflect.get(server, name).bind(server);
          if (name !== "get" && name !== "head") return register;
          return (path: string, handler: ScanHandler) =>
            register(path, scanPaths.includes(path) ? watched(name.toUpperCase(), handler) : handler);
        },
      });
    },
  };
}

/** The status line is text, or its bytes. */
function statusOf(line: Parameters<HttpResponse["writeStatus"]>[0]): number {
  return Number(
    typeof line === "string" ? line.slice(0, 3) : Buffer.from(line as Uint8Array).toString("latin1", 0, 3),
  );
}

/** Whole microseconds are enough. */
function toMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
