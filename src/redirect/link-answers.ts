/**
 * What visitors of links get, and how often they got it: the one place that turns a verdict into a response.
 *
 * Whoever calls has corked, or is in the handler itself. The target of a special link is worked out when its scan is
 * counted and kept with the request; working it out with the answer would need all that is known of the visitor to
 * be kept instead.
 */
import { type ErrorCode, errors } from "../domain/errors.ts";
import { type HttpResponse, STATUS_CODES } from "../engine/engine.ts";
import { jsonType, refusalBody } from "../http/reply.ts";
import { newRequestId } from "../http/request-id.ts";
import { htmlType, smallPagePolicy } from "../http/small-page.ts";
import { leadsOn, type Verdict, verdict, verdicts } from "../link/decision.ts";
import type { LinkTable } from "../link/link-table.ts";
import { matchRules, type Visitor } from "../link/match-rules.ts";
import type { Millis } from "../runtime/clock.ts";
import type { AnswerEnd } from "./answer-end.ts";
import type { LinkRequest } from "./link-request.ts";
import { previewPage, scanPage, textPage } from "./pages.ts";
import { linkHeaders, RedirectHead, redirectHead, shortTargetChars } from "./redirect-head.ts";

export interface LinkObserver {
  /** Scans whose answers left together, and the time since the first of them came. */
  scansAnswered(scans: number, ms: number): void;
  /** Whether the answer to the request that just came is to be told; without this method every one is. */
  picksLink?(): boolean;
  /** Told of single answers. Without it no scan is measured. */
  linkAnswered?(method: "GET" | "HEAD", slug: string | null, status: number, ms: number): void;
}

const refusalOf: Readonly<Record<number, ErrorCode>> = {
  [verdict.blocked]: "qr_blocked",
  [verdict.notFound]: "qr_not_found",
  [verdict.expired]: "qr_expired",
  [verdict.limitReached]: "qr_scan_limit_reached",
  [verdict.unavailable]: "unavailable",
};

const pageHeaders = `Content-Type: ${htmlType}\r\nContent-Security-Policy: ${smallPagePolicy}`;
const jsonHeader = `Content-Type: ${jsonType[1]}`;
const anyTextHead = `200 OK\r\n${linkHeaders}\r\nVary: Accept\r\n`;
const textHead = `${anyTextHead}Content-Type: text/plain; charset=utf-8`;
const textPageHead = `${anyTextHead}${pageHeaders}`;
const previewHead = `200 OK\r\n${linkHeaders}\r\n${pageHeaders}`;

export class LinkAnswers {
  readonly #table: LinkTable;
  readonly #end: AnswerEnd;
  readonly #observer: LinkObserver;
  readonly #head: RedirectHead;
  readonly #answered = new Float64Array(verdicts.length);
  #uncounted = 0;
  #aborted = 0;

  constructor(table: LinkTable, end: AnswerEnd, observer: LinkObserver) {
    this.#table = table;
    this.#end = end;
    this.#observer = observer;
    this.#head = new RedirectHead(table);
  }

  /** How often each verdict was answered, in the order of `verdicts`. */
  get answered(): ArrayLike<number> {
    return this.#answered;
  }

  /** HEAD and prefetch of links that lead on. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** Clients that were gone before their answer. */
  get aborted(): number {
    return this.#aborted;
  }

  clientGone(): void {
    this.#aborted++;
  }

  /** The answer to a plain scan. */
  redirect(res: HttpResponse, slot: number): void {
    this.#answered[verdict.redirect]!++;
    if (this.#end.mayLeaveUnseen()) res.writeStatus(this.#head.of(slot)).endWithoutBody();
    else this.#end.empty(res, redirectHead + this.#table.url(slot));
  }

  #redirectTo(res: HttpResponse, target: string): void {
    if (target.length <= shortTargetChars && this.#end.mayLeaveUnseen()) {
      res.writeStatus(this.#head.to(target)).endWithoutBody();
    } else this.#end.empty(res, redirectHead + target);
  }

  /** By rules, else the text of a text code, else the address that is too long to be inline. */
  findTarget(request: LinkRequest, visitor: Visitor, slot: number, now: Millis): void {
    const { rules, zone, url, text } = this.#table.extra(slot)!;
    const matched = rules && matchRules(rules, visitor, zone === null ? "UTC" : zone.timezone, now);
    request.isText = matched === null && text !== null;
    request.target = matched ?? text ?? url;
  }

  /** A special link's target has been found. Whoever only looks is not counted as led on. */
  give(request: LinkRequest, decided: Verdict, slot: number, counts: boolean): void {
    if (!leadsOn(decided)) {
      this.refuse(request, decided);
      return;
    }
    // A rule may lead from a text to an address.
    const given = decided === verdict.text && !request.isText ? verdict.special : decided;
    if (counts) this.#answered[given]!++;
    else this.#uncounted++;
    if (given === verdict.text) this.#giveText(request);
    else {
      const target = given === verdict.redirect ? this.#table.url(slot) : request.target;
      if (request.isHead) this.#end.withLengthOf(request.res, redirectHead + target, "");
      else this.#redirectTo(request.res, target);
    }
    this.tell(request, given === verdict.text ? 200 : 302);
  }

  /** A page whatever was asked for: what fetches previews takes anything, and reads pages. */
  #givePreview(request: LinkRequest): void {
    this.#giveBody(request, previewHead, previewPage);
    this.tell(request, 200);
  }

  #giveText(request: LinkRequest): void {
    const { target } = request;
    if (request.wantsTextPage) this.#giveBody(request, textPageHead, textPage(target));
    else this.#giveBody(request, textHead, target);
  }

  refuse(request: LinkRequest, decided: Verdict, code: ErrorCode = refusalOf[decided]!): void {
    this.#answered[decided]!++;
    if (decided === verdict.preview) {
      this.#givePreview(request);
      return;
    }
    const requestId = newRequestId();
    const { status, message } = errors[code];
    let head = `${status} ${STATUS_CODES[status]}\r\n${linkHeaders}\r\nVary: Accept\r\nx-request-id: ${requestId}`;
    if (code === "unavailable") head += "\r\nRetry-After: 1";
    if (request.wantsPage) this.#giveBody(request, `${head}\r\n${pageHeaders}`, scanPage(code));
    else this.#giveBody(request, `${head}\r\n${jsonHeader}`, refusalBody(requestId, code, message));
    this.tell(request, status);
  }

  #giveBody({ res, isHead }: LinkRequest, head: string, body: string): void {
    if (isHead) this.#end.withLengthOf(res, head, body);
    else this.#end.withBody(res, head, body);
  }

  /** To be called with the answer to a request that is watched. */
  tell({ watch, isHead }: Pick<LinkRequest, "watch" | "isHead">, status: number): void {
    if (watch === null) return;
    const ms = performance.now() - watch.began;
    this.#observer.linkAnswered!(isHead ? "HEAD" : "GET", watch.slug, status, ms);
  }
}
