import { randomUUID } from "node:crypto";
import { type ErrorCode, errors } from "../domain/errors.ts";
import type { HttpResponse } from "../engine/engine.ts";
import { STATUS_CODES } from "../engine/status-codes.ts";
import { htmlType, smallPagePolicy } from "../http/small-page.ts";
import { linkHeaders } from "./answer-head.ts";
import { scanEnvelope, scanPage } from "./pages.ts";

const constantHeaders = `${linkHeaders}\r\nVary: Accept`;
const json = "application/json; charset=utf-8";

/** Answers that lead nowhere. The caller has corked, or is in the handler itself. */
export class ScanRefusal {
  /** While draining, every answer ends its connection. */
  closing = false;

  send(res: HttpResponse, code: ErrorCode, page: boolean, isHead: boolean): void {
    const requestId = randomUUID();
    const { status } = errors[code];
    const body = page ? scanPage(code) : scanEnvelope(code, requestId);
    res.writeStatus(`${status} ${STATUS_CODES[status]}\r\n${constantHeaders}`);
    res.writeHeader("x-request-id", requestId);
    res.writeHeader("Content-Type", page ? htmlType : json);
    if (page) res.writeHeader("Content-Security-Policy", smallPagePolicy);
    if (code === "unavailable") res.writeHeader("Retry-After", "1");
    if (isHead) this.endHead(res, Buffer.byteLength(body));
    else this.end(res, body);
  }

  /** Made at once, such answers can be asked for without end by a client that reads none: it loses its connection. */
  end(res: HttpResponse, body: string): void {
    if (this.closing) res.end(body, true);
    else if (!res.tryEnd(body, Buffer.byteLength(body))[1]) res.close();
  }

  /**
   * Ends the answer to a HEAD. Not with the length as an argument: the library would then wait for a body that
   * never comes, and close the connection at its next request.
   */
  endHead(res: HttpResponse, length: number): void {
    res.writeHeader("Content-Length", String(length));
    this.endEmpty(res);
  }

  /** Ends an answer that has neither body nor length of the library's making. */
  endEmpty(res: HttpResponse): void {
    if (this.closing) res.writeHeader("Connection", "close");
    res.endWithoutBody();
  }
}
