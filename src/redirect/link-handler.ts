/**
 * The public links: `GET /{slug}`.
 *
 * A hot scan runs from the request to its answer, or to its ticket, without a promise, a closure or the store: find the
 * link, decide, count, answer. Where the answer has to wait, the response is left with the ticket; `src/scan` says when it
 * is redeemed and what it comes to, and this room turns that into an answer. What is not counted (refusals, HEAD,
 * prefetches) is answered at once, as far as `AnswersAtOnce` allows; what has to wait for the store is a `SlowScan`. A
 * promise a scan would make all of that one path, at the price of the hot one.
 *
 * A client may be gone when its ticket is redeemed. The library then throws on any use of its response, and the abort
 * handler is not told which response it was, so one handler without a closure serves all, and whoever redeems expects
 * the throw.
 *
 * The library closes a connection on which a further request comes before the answer to the last one: a client that
 * pipelines scans loses the connection at the first that has to wait, and has to repeat those that were not answered.
 */
import type { ErrorCode } from "../domain/errors.ts";
import type { HttpApp, HttpRequest, HttpResponse } from "../engine/engine.ts";
import { AnswersAtOnce } from "../http/answers-at-once.ts";
import { RequestHead } from "../http/request/request-head.ts";
import { slowScansMax } from "../limits.ts";
import { leadsOn, type Verdict, verdict } from "../link/decision.ts";
import { isSlug, noSlug, type SlugKey, slugKey } from "../link/slug.ts";
import { type Random, systemRandom } from "../runtime/random.ts";
import { ScanCounter, type TicketListener, withoutTicket } from "../scan/scan-counter.ts";
import type { Scans } from "../scan/scans.ts";
import { SlowScans } from "../scan/slow-scans.ts";
import { AnswerEnd } from "./answer-end.ts";
import { isClear, refuseUnclear } from "./clear-request.ts";
import { registerFixedFiles } from "./fixed-files.ts";
import { LinkAnswers, type LinkObserver } from "./link-answers.ts";
import { LinkHead } from "./link-head.ts";
import { LinkRequest, type Watch } from "./link-request.ts";
import { Visit, type VisitOptions } from "./visit.ts";

export interface ScanRoutesOptions extends VisitOptions {
  scans: Scans;
  observer?: LinkObserver;
  /** Shared with whoever answers on the same engine. */
  atOnce?: AnswersAtOnce;
  random?: Random;
}

export interface ScanRoutes {
  /** Plain numbers, counted since the start. */
  readonly counters: ScanCounters;
  /** Whether no scan waits for its answer. */
  readonly isEmpty: boolean;
  /** From now on answers end their connections. Resolves when no scan waits for its answer. */
  drain(): Promise<void>;
}

export interface ScanCounters {
  /** By verdict, in the order of `verdicts`. */
  readonly answered: ArrayLike<number>;
  readonly uncounted: number;
  readonly aborted: number;
  /** Scans that had to wait for the store. */
  readonly cold: number;
}

/** A slash behind the slug is overlooked: people and programs add one. */
const scanPaths: readonly string[] = ["/:slug", "/:slug/"];

export function registerScans(app: HttpApp, options: ScanRoutesOptions): ScanRoutes {
  const { atOnce = new AnswersAtOnce(), random = systemRandom } = options;
  const end = new AnswerEnd(random);
  const handler = new LinkHandler(options, atOnce, end);
  for (const path of scanPaths) {
    app.get(path, handler.get);
    app.head(path, handler.head);
  }
  registerFixedFiles(app, end, atOnce);
  return {
    counters: handler,
    get isEmpty() {
      return handler.isEmpty;
    },
    drain() {
      end.startClosing();
      return handler.emptied();
    },
  };
}

/** What a ticket carries: the response of a plain scan, all that matters of any other. */
type Waiting = HttpResponse | LinkRequest;

const unobserved: LinkObserver = { scansAnswered() {} };
const always = () => true;

class LinkHandler implements TicketListener<Waiting>, ScanCounters {
  readonly #scans: Scans;
  readonly #atOnce: AnswersAtOnce;
  readonly #observer: LinkObserver;
  readonly #answers: LinkAnswers;
  readonly #counter: ScanCounter<Waiting>;
  readonly #slow: SlowScans<Waiting>;
  readonly #head: LinkHead;
  readonly #visit: Visit;
  /** Null when nobody wants to hear of single answers. */
  readonly #picks: (() => boolean) | null;

  /** The ticket that is being answered; here, so that no answer needs a closure. */
  #res: HttpResponse | null = null;
  #request: LinkRequest | null = null;
  #decided: Verdict = verdict.unavailable;
  #slot = -1;

  constructor(options: ScanRoutesOptions, atOnce: AnswersAtOnce, end: AnswerEnd) {
    const { scans, observer = unobserved } = options;
    this.#scans = scans;
    this.#atOnce = atOnce;
    this.#observer = observer;
    this.#answers = new LinkAnswers(scans.table, end, observer);
    this.#counter = new ScanCounter(scans, this);
    this.#slow = new SlowScans(scans, this.#counter, slowScansMax);
    this.#head = new LinkHead(options.countryHeader);
    this.#visit = new Visit(options, this.#head);
    this.#picks = observer.linkAnswered === undefined ? null : (observer.picksLink?.bind(observer) ?? always);
  }

  get answered(): ArrayLike<number> {
    return this.#answers.answered;
  }

  get uncounted(): number {
    return this.#answers.uncounted;
  }

  get aborted(): number {
    return this.#answers.aborted;
  }

  get cold(): number {
    return this.#slow.taken;
  }

  readonly get = (res: HttpResponse, req: HttpRequest): void => this.#serve(res, req, false);
  readonly head = (res: HttpResponse, req: HttpRequest): void => this.#serve(res, req, true);

  get isEmpty(): boolean {
    return this.#slow.isEmpty && this.#counter.isEmpty && this.#atOnce.holdsNothing;
  }

  async emptied(): Promise<void> {
    while (!this.isEmpty) {
      await this.#slow.emptied();
      await this.#counter.emptied();
      if (!this.#atOnce.holdsNothing) await this.#atOnce.turned();
    }
  }

  #serve(res: HttpResponse, req: HttpRequest, isHead: boolean): void {
    const head = this.#head.read(req);
    const slug = req.getParameter(0)!;
    const watch = this.#picks?.() ? watchOf(slug) : null;
    if (head.namesBody && this.#refusedUnclear(res, req, isHead, watch)) return;
    const key = slugKey(slug);
    if (key === noSlug) {
      this.#refuse(requestOf(res, req, isHead, watch), verdict.notFound, "not_found");
      return;
    }
    const counts = !isHead && !isPrefetch(head);
    const slot = this.#scans.table.find(key);
    this.#visit.begin(res);
    const isPlain = counts && watch === null;
    if (isPlain && this.#counter.countPlain(slot, key, this.#visit)) {
      this.#answers.redirect(res, slot);
      return;
    }
    const decided = this.#counter.decideAtOnce(slot, key, counts, this.#visit);
    if (isPlain && decided === verdict.redirect && this.#serveRedirect(res, slot, key)) return;
    this.#serveOther(requestOf(res, req, isHead, watch), slot, key, decided, counts);
  }

  /** A scan whose link leads on to its inline target; false when it cannot be counted. */
  #serveRedirect(res: HttpResponse, slot: number, key: SlugKey): boolean {
    if (this.#counter.countAtOnce(slot, key, this.#visit)) this.#answers.redirect(res, slot);
    else if (this.#counter.count(slot, key, verdict.redirect, res, this.#visit)) res.onAborted(noteNothing);
    else return false;
    return true;
  }

  /** Anything but a plain scan that is counted. */
  #serveOther(request: LinkRequest, slot: number, key: SlugKey, decided: Verdict, counts: boolean): void {
    if (!this.#counter.mayServe()) this.#serveUnderNextRight(request, key, counts);
    else if (decided === verdict.undecided) this.#serveSlowly(request, key, counts, null);
    else if (counts) this.#serveCounted(request, slot, key, decided);
    else if (leadsOn(decided)) this.#serveUncounted(request, slot, key, decided);
    else this.#refuse(request, decided);
  }

  /** Apart from `#serve`, which would pay for the closure with every scan. */
  #refusedUnclear(res: HttpResponse, req: HttpRequest, isHead: boolean, watch: Watch | null): boolean {
    const head = new RequestHead().read(req);
    if (isClear(head)) return false;
    refuseUnclear(res, req, head, (status) => {
      if (status !== "aborted") this.#answers.tell({ watch, isHead }, status);
    });
    return true;
  }

  #serveCounted(request: LinkRequest, slot: number, key: SlugKey, decided: Verdict): void {
    this.#findTarget(request, this.#visit, slot, decided);
    if (leadsOn(decided) && this.#counter.countAtOnce(slot, key, this.#visit)) {
      this.#answers.give(request, decided, slot, true);
    } else if (this.#counter.giveTicket(slot, key, decided, request, this.#visit)) {
      request.res.onAborted(noteNothing);
    } else this.#refuse(request, withoutTicket(decided));
  }

  #serveUncounted(request: LinkRequest, slot: number, key: SlugKey, decided: Verdict): void {
    if (this.#atOnce.take()) {
      this.#answer(request, this.#visit, slot, decided, false);
      return;
    }
    const visitor = this.#visit.kept();
    this.#hold(request, () => {
      // The link may have changed, or be at another place, by then.
      const slotThen = this.#scans.table.find(key);
      const then = this.#counter.decideFor(slotThen, visitor);
      this.#answer(
        request,
        visitor,
        slotThen,
        then === verdict.undecided ? verdict.unavailable : then,
        false,
      );
    });
  }

  #serveUnderNextRight(request: LinkRequest, key: SlugKey, counts: boolean): void {
    const right = this.#scans.untilRight();
    if (right === null) this.#refuse(request, verdict.unavailable);
    else this.#serveSlowly(request, key, counts, right);
  }

  #serveSlowly(request: LinkRequest, key: SlugKey, counts: boolean, right: Promise<void> | null): void {
    if (this.#slow.isFull) {
      this.#refuse(request, verdict.unavailable);
      return;
    }
    const visitor = this.#visit.kept();
    const scan = {
      ...{ key, counts, visitor, isOpen: true },
      prepare: (slot: number, decided: Verdict) => {
        this.#findTarget(request, visitor, slot, decided);
        return request;
      },
      answer: (decided: Verdict, slot: number) => {
        request.res.cork(() => this.#answer(request, visitor, slot, decided, counts));
      },
      abandoned: () => this.#answers.clientGone(),
    };
    request.res.onAborted(() => {
      scan.isOpen = false;
    });
    // A store that is at hand answers while requests are still being read.
    this.#slow.take(scan, right ?? (this.#atOnce.take() ? null : this.#atOnce.turned()));
  }

  #answer(request: LinkRequest, visitor: Visit, slot: number, decided: Verdict, counts: boolean): void {
    this.#findTarget(request, visitor, slot, decided);
    this.#answers.give(request, decided, slot, counts);
  }

  #findTarget(request: LinkRequest, visitor: Visit, slot: number, decided: Verdict): void {
    if (decided !== verdict.special && decided !== verdict.text) return;
    this.#answers.findTarget(request, visitor, slot, this.#counter.now());
  }

  #refuse(request: LinkRequest, decided: Verdict, code?: ErrorCode): void {
    if (this.#atOnce.take()) this.#answers.refuse(request, decided, code);
    else this.#hold(request, () => this.#answers.refuse(request, decided, code));
  }

  #hold(request: LinkRequest, answer: () => void): void {
    this.#atOnce.hold(request.res, answer, () => this.#answers.clientGone());
  }

  redeemed(waiting: Waiting, decided: Verdict, slot: number): void {
    this.#decided = decided;
    this.#slot = slot;
    try {
      if (waiting instanceof LinkRequest) {
        this.#request = waiting;
        waiting.res.cork(this.#answerRequest);
      } else {
        this.#res = waiting;
        waiting.cork(this.#answerPlain);
      }
    } catch {
      this.#answers.clientGone();
    }
  }

  readonly #answerPlain = (): void => {
    if (this.#decided === verdict.redirect) this.#answers.redirect(this.#res!, this.#slot);
    else this.#answers.refuse(unavailableTo(this.#res!, null), this.#decided);
  };

  readonly #answerRequest = (): void => {
    const request = this.#request!;
    const isLost = this.#decided === verdict.unavailable;
    const given = isLost ? unavailableTo(request.res, request.watch) : request;
    this.#answers.give(given, this.#decided, this.#slot, true);
  };

  turnRedeemed(scans: number, ms: number): void {
    this.#observer.scansAnswered(scans, ms);
  }
}

/** Redeeming the ticket finds out by itself who is gone; the library demands that there is a handler. */
function noteNothing(): void {}

/** Without a page: what a plain scan would take is not kept, and others get no better. */
function unavailableTo(res: HttpResponse, watch: Watch | null): LinkRequest {
  return new LinkRequest(res, false, null, watch);
}

/** As long as the request can be read. */
function requestOf(res: HttpResponse, req: HttpRequest, isHead: boolean, watch: Watch | null): LinkRequest {
  return new LinkRequest(res, isHead, req.getHeader("accept"), watch);
}

function watchOf(slug: string): Watch {
  return { slug: isSlug(slug) ? slug.toLowerCase() : null, began: performance.now() };
}

function isPrefetch(head: LinkHead): boolean {
  return saysPrefetch(head.secPurpose) || saysPrefetch(head.purpose);
}

function saysPrefetch(purpose: string | null): boolean {
  return purpose?.toLowerCase().startsWith("prefetch") === true;
}
