/**
 * The public links: `GET /{slug}`.
 *
 * A hot scan runs from the request to the held answer without a promise, a closure or the store: find the
 * link, decide, count, leave the response with the turn. What is not counted (refusals, HEAD, prefetches) is
 * answered at once, as far as `AnswersAtOnce` allows. A cold link is loaded first, and its scan then goes the
 * same way.
 */

import type { ErrorCode } from "../domain/errors.ts";
import type { HttpApp, HttpRequest, HttpResponse } from "../engine/engine.ts";
import { AnswersAtOnce } from "../http/answers-at-once.ts";
import { Exchange } from "../http/exchange.ts";
import { bodyLength, chunked } from "../http/framing.ts";
import { prefersPage } from "../http/negotiation.ts";
import { RequestHead } from "../http/request-head.ts";
import { refuseUnclear } from "../http/unclear-message.ts";
import { decide, type Outcome, outcome } from "../link/decision.ts";
import { flag } from "../link/link-table.ts";
import { slugHigh, slugKey, slugLow } from "../link/slug.ts";
import type { Scans } from "../scan/scans.ts";
import { noTrustedProxies } from "../visitor/client-address.ts";
import { ScanRefusal } from "./refusal.ts";
import { ScanTurn, type TurnObserver } from "./scan-turn.ts";
import { Visit, type VisitOptions } from "./visit.ts";

export interface ScanRoutesOptions extends VisitOptions {
  scans: Scans;
  observer?: TurnObserver;
  /** Shared with whoever answers on the same engine. */
  atOnce?: AnswersAtOnce;
  /** Scans that wait for a cold link at the same time. */
  coldScansMax?: number;
}

export interface ScanRoutes {
  /** Plain numbers, counted since the start. */
  readonly counters: ScanCounters;
  /** From now on answers end their connections. Resolves when no scan waits for its answer. */
  drain(): Promise<void>;
}

export interface ScanCounters {
  /** By outcome, in the order of `outcomes`. */
  readonly answered: Float64Array;
  readonly uncounted: number;
  readonly aborted: number;
  /** Scans that had to wait for the store. */
  readonly cold: number;
}

const refusalOf: Readonly<Record<number, ErrorCode>> = {
  [outcome.blocked]: "qr_blocked",
  [outcome.notFound]: "qr_not_found",
  [outcome.expired]: "qr_expired",
  [outcome.limitReached]: "qr_scan_limit_reached",
  [outcome.unavailable]: "unavailable",
};

/** A slash behind the slug is overlooked: people and programs add one. */
export const scanPaths: readonly string[] = ["/:slug", "/:slug/"];

const loadsPerScanMax = 3;
const unobserved: TurnObserver = { scansAnswered() {} };

export function registerScans(app: HttpApp, options: ScanRoutesOptions): ScanRoutes {
  const { scans, observer = unobserved, atOnce = new AnswersAtOnce(), coldScansMax = 10_000 } = options;
  const { table, projects, unknown, loader, limited } = scans;
  const refusal = new ScanRefusal();
  const turn = new ScanTurn(scans, refusal, observer);
  const visit = new Visit(options);
  const head = new RequestHead(options.countryHeader);
  let coldScans = 0;
  let cold = 0;

  function decideNow(slot: number): Outcome {
    return slot < 0 ? outcome.stale : decide(table, projects, slot, turn.now());
  }

  /** This scan can only be decided with the store: see `limited-scans.ts`. */
  function isDecidedByStore(slot: number, decided: Outcome): boolean {
    if (limited === null || slot < 0 || (table.flags(slot) & flag.limited) === 0) return false;
    return decided <= outcome.text || decided === outcome.limitReached;
  }

  function onGet(res: HttpResponse, req: HttpRequest): void {
    serve(res, req, false);
  }

  function onHead(res: HttpResponse, req: HttpRequest): void {
    serve(res, req, true);
  }

  function serve(res: HttpResponse, req: HttpRequest, isHead: boolean): void {
    if (!isClear(res, req, head)) return;
    const counts = !isHead && !isPrefetch(head);
    const slug = req.getParameter(0)!;
    const high = slugHigh(slug);
    const low = high < 0 ? -1 : slugLow(slug);
    if (low < 0) {
      refuse(res, outcome.notFound, wantsPage(head), isHead, "not_found");
      return;
    }
    const slot = table.find(high, low);
    const decided = decideNow(slot);
    visit.begin(res, head);
    if (counts && isDecidedByStore(slot, decided)) {
      serveSlowly(res, high, low, counts, isHead);
    } else if (decided <= outcome.text) {
      if (!counts) serveUncounted(res, slot, high, low, decided, isHead);
      else if (turn.count(res, visit, slot, high, low, decided)) res.onAborted(clientGone);
      else refuse(res, outcome.unavailable, wantsPage(head), isHead);
    } else if (decided === outcome.limitReached && counts) {
      const page = wantsPage(head);
      if (turn.holdLimitReached(res, slot, high, low, page)) res.onAborted(clientGone);
      else refuse(res, decided, page, isHead);
    } else if (decided !== outcome.stale) {
      refuse(res, decided, wantsPage(head), isHead);
    } else if (slot < 0 && unknown.has(slugKey(high, low))) {
      refuse(res, outcome.notFound, wantsPage(head), isHead);
    } else {
      serveSlowly(res, high, low, counts, isHead);
    }
  }

  function serveUncounted(
    res: HttpResponse,
    slot: number,
    high: number,
    low: number,
    decided: Outcome,
    isHead: boolean,
  ): void {
    if (atOnce.take()) {
      turn.answerUncounted(res, visit, slot, decided, isHead);
      return;
    }
    const visitor = visit.kept();
    const page = wantsPage(head);
    hold(res, () => {
      // The link may have changed, or be at another place, by then.
      const slotThen = table.find(high, low);
      const then = decideNow(slotThen);
      if (then <= outcome.text) turn.answerUncounted(res, visitor, slotThen, then, isHead);
      else sendRefusal(res, then === outcome.stale ? outcome.unavailable : then, page, isHead);
    });
  }

  function hold(res: HttpResponse, answer: () => void): void {
    atOnce.hold(res, answer, () => {
      turn.aborted++;
    });
  }

  function refuse(
    res: HttpResponse,
    decided: Outcome,
    page: boolean,
    isHead: boolean,
    code: ErrorCode = refusalOf[decided]!,
  ): void {
    if (atOnce.take()) sendRefusal(res, decided, page, isHead, code);
    else hold(res, () => sendRefusal(res, decided, page, isHead, code));
  }

  function sendRefusal(
    res: HttpResponse,
    decided: Outcome,
    page: boolean,
    isHead: boolean,
    code: ErrorCode = refusalOf[decided]!,
  ): void {
    turn.answered[decided]!++;
    refusal.send(res, code, page, isHead);
  }

  function serveSlowly(res: HttpResponse, high: number, low: number, counts: boolean, isHead: boolean): void {
    if (coldScans >= coldScansMax) refuse(res, outcome.unavailable, wantsPage(head), isHead);
    else void serveCold(res, visit.kept(), high, low, counts, isHead, wantsPage(head));
  }

  async function serveCold(
    res: HttpResponse,
    visitor: Visit,
    high: number,
    low: number,
    counts: boolean,
    isHead: boolean,
    page: boolean,
  ): Promise<void> {
    let open = true;
    res.onAborted(() => {
      open = false;
    });
    coldScans++;
    cold++;
    // A store that is at hand answers while requests are still being read.
    if (!atOnce.take()) await atOnce.turned();
    const refused = await loaded(high, low);
    // Decided in the step that counts: everybody who waited for this load comes here in the same turn.
    let slot = refused === null ? table.find(high, low) : -1;
    let decided = refused ?? decideNow(slot);
    const isStored = counts && open && isDecidedByStore(slot, decided);
    if (isStored) {
      decided = await limited!.count(high, low);
      slot = table.find(high, low);
    }
    coldScans--;
    if (!open) {
      turn.aborted++;
      return;
    }
    const goes = decided <= outcome.text;
    if (goes && counts && !isStored && turn.count(res, visitor, slot, high, low, decided)) return;
    if (decided === outcome.limitReached && counts && turn.holdLimitReached(res, slot, high, low, page))
      return;
    res.cork(() => {
      if (goes && isStored && isFresh(slot)) turn.answerStored(res, visitor, slot, high, low);
      else if (goes && !counts) turn.answerUncounted(res, visitor, slot, decided, isHead);
      else sendRefusal(res, goes || decided === outcome.stale ? outcome.unavailable : decided, page, isHead);
    });
  }

  function isFresh(slot: number): boolean {
    return slot >= 0 && decideNow(slot) !== outcome.stale;
  }

  /** Null when the link is in the table and fresh, otherwise what its scans get. */
  async function loaded(high: number, low: number): Promise<Outcome | null> {
    try {
      for (let load = 0; load < loadsPerScanMax; load++) {
        if (isFresh(table.find(high, low))) return null;
        if (!(await loader.load(high, low))) return outcome.notFound;
      }
      if (isFresh(table.find(high, low))) return null;
    } catch (err) {
      scans.onFailure(err);
    }
    return outcome.unavailable;
  }

  for (const path of scanPaths) {
    app.get(path, onGet);
    app.head(path, onHead);
  }
  registerFixedFiles(app, refusal, atOnce);

  return {
    counters: {
      answered: turn.answered,
      get uncounted() {
        return turn.uncounted;
      },
      get aborted() {
        return turn.aborted;
      },
      get cold() {
        return cold;
      },
    },
    drain() {
      refusal.closing = true;
      return new Promise((resolve) => {
        const look = () => {
          if (turn.holdsNothing && coldScans === 0 && atOnce.holdsNothing) resolve();
          else setTimeout(look, 1);
        };
        look();
      });
    },
  };
}

/**
 * Reads the head. False when the message does not say clearly where it ends, or says so with chunks, of which
 * only the API takes bodies: then it is refused.
 */
function isClear(res: HttpResponse, req: HttpRequest, head: RequestHead): boolean {
  head.read(req);
  if (head["transfer-encoding"] === null && head["content-length"] === null) return true;
  const length = bodyLength(head);
  if (typeof length === "number" && length !== chunked) return true;
  const exchange = new Exchange(res, req, head, 0, 0, noTrustedProxies, () => {});
  refuseUnclear(exchange, length === chunked ? "A link takes no body in chunks" : String(length));
  return false;
}

/** The flush finds out by itself; the library only demands that there is a handler. */
function clientGone(): void {}

function isPrefetch(head: RequestHead): boolean {
  return saysPrefetch(head["sec-purpose"]) || saysPrefetch(head.purpose);
}

function saysPrefetch(purpose: string | null): boolean {
  return purpose?.toLowerCase().startsWith("prefetch") === true;
}

function wantsPage(head: RequestHead): boolean {
  return prefersPage(head.accept ?? "", "application/json");
}

/** Paths that clients ask for by themselves and that must never be taken for slugs. */
function registerFixedFiles(app: HttpApp, refusal: ScanRefusal, atOnce: AnswersAtOnce): void {
  const robots = "User-agent: *\nDisallow: /\n";
  const fixedHeaders = "Cache-Control: public, max-age=86400\r\nX-Content-Type-Options: nosniff";
  const robotsHead = `200 OK\r\n${fixedHeaders}\r\nContent-Type: text/plain; charset=utf-8`;
  const iconHead = `204 No Content\r\n${fixedHeaders}`;
  const head = new RequestHead();
  const wellFramed = (serve: (res: HttpResponse) => void) => (res: HttpResponse, req: HttpRequest) => {
    if (!isClear(res, req, head)) return;
    if (atOnce.take()) serve(res);
    else atOnce.hold(res, () => serve(res), clientGone);
  };
  app.get(
    "/robots.txt",
    wellFramed((res) => refusal.end(res.writeStatus(robotsHead), robots)),
  );
  app.head(
    "/robots.txt",
    wellFramed((res) => refusal.endHead(res.writeStatus(robotsHead), robots.length)),
  );
  const icon = wellFramed((res) => refusal.endEmpty(res.writeStatus(iconHead)));
  app.get("/favicon.ico", icon);
  app.head("/favicon.ico", icon);
}
