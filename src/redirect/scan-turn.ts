/**
 * Counted scans: from the decision to the answer.
 *
 * A handler decides and counts, then leaves its response here; when the loop has turned, one write brings all
 * of the turn's scans into the journal and only then the answers leave, each in a cork of its own. Answering at
 * once and writing afterwards would be simpler and loses answered scans on `kill -9`; a write per scan keeps
 * them and costs a third of the throughput.
 *
 * A client may be gone by then. The library then throws on any use of its response, and the abort handler is
 * not told which response it was, so one handler without a closure serves all, and the flush expects the throw.
 *
 * The library closes a connection on which a further request comes before the answer to the last one: a
 * client that pipelines scans loses the connection and has to repeat those that were not answered.
 */

import { deviceNumber, referrerHost } from "../analytics/hour-tables.ts";
import type { HttpResponse } from "../engine/engine.ts";
import { destinationOf, type Outcome, outcome, outcomes } from "../link/decision.ts";
import { flag } from "../link/link-table.ts";
import { matchRules } from "../link/match-rules.ts";
import type { Millis } from "../runtime/clock.ts";
import type { Scans } from "../scan/scans.ts";
import { RedirectHead, redirectHead, textHead, textPageHead } from "./answer-head.ts";
import { content, HeldScans } from "./held-scans.ts";
import { textPage } from "./pages.ts";
import type { ScanRefusal } from "./refusal.ts";
import type { Visit } from "./visit.ts";

export interface TurnObserver {
  /** Scans whose answers left together, and the time since the first of them came. */
  scansAnswered(scans: number, ms: number): void;
}

export class ScanTurn {
  /** How often each outcome was answered, in the order of `outcomes`. */
  readonly answered = new Float64Array(outcomes.length);
  /** HEAD and prefetch. */
  uncounted = 0;
  /** Clients that were gone before their answer. */
  aborted = 0;

  readonly #scans: Scans;
  readonly #observer: TurnObserver;
  readonly #refusal: ScanRefusal;
  readonly #head: RedirectHead;
  readonly #scansMax: number;
  readonly #idle: HeldScans[] = [];
  #held: HeldScans;
  #batchesOut = 0;
  #flushScheduled = false;
  #turnNow: Millis = 0;
  /** When the first scan of the turn came. */
  #began = 0;

  /** The answer that `#answerOne` is to give; here, so that it needs no closure. */
  #batch: HeldScans;
  #at = 0;
  #safe = true;

  constructor(scans: Scans, refusal: ScanRefusal, observer: TurnObserver) {
    this.#observer = observer;
    this.#scans = scans;
    this.#refusal = refusal;
    this.#head = new RedirectHead(scans.table);
    this.#scansMax = scans.journal.recordsMax;
    this.#held = new HeldScans(this.#scansMax);
    this.#batch = this.#held;
  }

  get holdsNothing(): boolean {
    return this.#held.length === 0 && this.#batchesOut === 0;
  }

  /** One look at the clock serves all scans of a turn. */
  now(): Millis {
    if (!this.#flushScheduled) return this.#scans.clock.now();
    if (this.#turnNow === 0) this.#turnNow = this.#scans.clock.now();
    return this.#turnNow;
  }

  /** Counts the scan and holds its answer; false when this turn has no room for another. */
  count(res: HttpResponse, visit: Visit, slot: number, high: number, low: number, decided: Outcome): boolean {
    const { table, journal } = this.#scans;
    if (this.#held.length === this.#scansMax) return false;
    if (!this.#flushScheduled) {
      this.#flushScheduled = true;
      this.#began = performance.now();
      setImmediate(this.#flush);
    }
    if (decided === outcome.redirect) this.#held.hold(res, slot, high, low);
    else this.#holdSpecial(res, visit, slot, high, low);
    journal.append(high, low, table.addScan(slot));
    if ((table.flags(slot) & flag.analytics) !== 0) this.#addToAnalytics(visit, high, low);
    return true;
  }

  #addToAnalytics(visit: Visit, high: number, low: number): void {
    const { analytics } = this.#scans;
    const device = deviceNumber(visit.device());
    analytics.add(high, low, visit.countryNumber(), device, referrerHost(visit.referer()), this.now());
  }

  /**
   * A scan beyond the limit has to wait when the scan that used the limit up is of this very turn: should the
   * journal not take that one, the limit is not reached. False when there is no need to wait.
   */
  holdLimitReached(res: HttpResponse, slot: number, high: number, low: number, page: boolean): boolean {
    if (this.#scans.journal.pending === 0 || this.#held.length === this.#scansMax) return false;
    this.#held.holdOther(res, slot, high, low, page ? content.limitPage : content.limitEnvelope, "");
    return true;
  }

  /** The same answer for whoever does not count. */
  answerUncounted(res: HttpResponse, visit: Visit, slot: number, decided: Outcome, isHead: boolean): void {
    this.uncounted++;
    this.#answer(res, visit, slot, decided, isHead);
  }

  /** The answer to a scan whose count is in the store. */
  answerStored(res: HttpResponse, visit: Visit, slot: number, high: number, low: number): void {
    const flags = this.#scans.table.flags(slot);
    // The link may have changed since the scan was counted: it gets what the link leads to now.
    const destination = destinationOf(flags);
    this.answered[destination]!++;
    if ((flags & flag.analytics) !== 0) this.#addToAnalytics(visit, high, low);
    this.#answer(res, visit, slot, destination, false);
  }

  #answer(res: HttpResponse, visit: Visit, slot: number, decided: Outcome, isHead: boolean): void {
    const { closing } = this.#refusal;
    if (decided === outcome.redirect) {
      res.writeStatus(this.#head.of(slot)).endWithoutBody(0, closing);
      return;
    }
    const { url, text } = this.#specialTarget(visit, slot);
    if (text === null) res.writeStatus(redirectHead + url).endWithoutBody(0, closing);
    else this.#answerText(res, text, visit.wantsTextPage(), isHead);
  }

  #answerText(res: HttpResponse, text: string, asPage: boolean, isHead: boolean): void {
    const body = asPage ? textPage(text) : text;
    res.writeStatus(asPage ? textPageHead : textHead);
    if (isHead) this.#refusal.endHead(res, Buffer.byteLength(body));
    else this.#refusal.end(res, body);
  }

  #holdSpecial(res: HttpResponse, visit: Visit, slot: number, high: number, low: number): void {
    const { url, text } = this.#specialTarget(visit, slot);
    if (text === null) this.#held.holdOther(res, slot, high, low, content.url, url);
    else if (visit.wantsTextPage()) this.#held.holdOther(res, slot, high, low, content.textPage, text);
    else this.#held.holdOther(res, slot, high, low, content.text, text);
  }

  /** The target by rules, else the text of a text code, else the target that is too long to be inline. */
  #specialTarget(visit: Visit, slot: number): { url: string; text: string | null } {
    const extra = this.#scans.table.extra(slot)!;
    if (extra.rules !== null) {
      visit.now = this.now();
      visit.zone = extra.rules.zone;
      const matched = matchRules(extra.rules.compiled, visit);
      if (matched !== null) return { url: matched, text: null };
    }
    return extra;
  }

  readonly #flush = (): void => {
    const { journal, syncAlways } = this.#scans;
    const batch = this.#held;
    const began = this.#began;
    this.#flushScheduled = false;
    this.#turnNow = 0;
    const written = journal.commit();
    if (!written) this.#takeBackLimited(batch);
    if (!syncAlways || !written) {
      this.#answerAll(batch, written, began);
      return;
    }
    this.#held = this.#idle.pop() ?? new HeldScans(this.#scansMax);
    this.#batchesOut++;
    journal.sync((error) => {
      this.#answerAll(batch, error === null, began);
      this.#idle.push(batch);
      this.#batchesOut--;
    });
  };

  /** A limit must hold even when counts cannot be made safe: these get no destination, so they count as none. */
  #takeBackLimited(batch: HeldScans): void {
    const { table } = this.#scans;
    for (let at = 0; at < batch.length; at++) {
      const counted = batch.content(at) <= content.textPage;
      if (counted && (table.flags(batch.slot(at)) & flag.limited) !== 0) table.takeBackScan(batch.slot(at));
    }
  }

  #answerAll(batch: HeldScans, safe: boolean, began: number): void {
    this.#batch = batch;
    this.#safe = safe;
    for (this.#at = 0; this.#at < batch.length; this.#at++) {
      try {
        batch.response(this.#at).cork(this.#answerOne);
      } catch {
        this.aborted++;
      }
    }
    this.#observer.scansAnswered(batch.length, performance.now() - began);
    batch.clear();
  }

  readonly #answerOne = (): void => {
    const { table } = this.#scans;
    const batch = this.#batch;
    const at = this.#at;
    const res = batch.response(at);
    const slot = batch.slot(at);
    const kind = batch.content(at);
    // A sync takes time, in which a link may have been let go and its slot given to another.
    const there = table.isAt(slot, batch.high(at), batch.low(at));
    if (!this.#safe && (!there || (table.flags(slot) & flag.limited) !== 0)) {
      this.#unavailable(res);
    } else if (kind === content.url) {
      this.answered[outcome.special]!++;
      this.#end(res.writeStatus(redirectHead + batch.string(at)));
    } else if (kind === content.text || kind === content.textPage) {
      this.answered[outcome.text]!++;
      this.#answerText(res, batch.string(at), kind === content.textPage, false);
    } else if (kind !== content.inline) {
      this.answered[outcome.limitReached]!++;
      this.#refusal.send(res, "qr_scan_limit_reached", kind === content.limitPage, false);
    } else if (there) {
      this.answered[outcome.redirect]!++;
      this.#end(res.writeStatus(this.#head.of(slot)));
    } else {
      this.#unavailable(res);
    }
  };

  #unavailable(res: HttpResponse): void {
    this.answered[outcome.unavailable]!++;
    this.#refusal.send(res, "unavailable", false, false);
  }

  #end(res: HttpResponse): void {
    if (this.#refusal.closing) res.end("", true);
    else res.end();
  }
}
