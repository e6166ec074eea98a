/**
 * Counting, from the decision to the verdict that can be relied on.
 *
 * A scan has to be where a killed process leaves it before it is answered. Most scans are put down in memory that outlives
 * the process and need not wait (`journal/unwritten-scans.ts`). Any other gets a ticket: when the loop has turned, one
 * write brings all of the turn's scans into the journal, and only then is every ticket redeemed: the listener hears what
 * its visitor gets. Tickets alone would be simpler, and cost a sixth of the throughput; writing after the answers loses
 * scans on `kill -9`; a write a scan keeps them and costs a third.
 *
 * What the journal did not take is counted in memory only. Visitors of ordinary links are led on all the same; a
 * limit has to hold, so a scan of a limited link then gets no destination and is taken back.
 *
 * Where another process may own the links by now, the right to serve is looked at when all of the turn's requests have
 * been read, once for all of them: it is known to have been held after each of them came. A look before them would not
 * do, since a process can be paused between two requests of a turn.
 *
 * Nothing here knows what an answer is or who waits for it: a ticket carries it for its owner.
 */
import { type CountedVisitor, offWord } from "../analytics/visitor-word.ts";
import { hourMs } from "../domain/analytics/zone.ts";
import { decide, leadsOn, leadsPlainlyOn, type Verdict, verdict } from "../link/decision.ts";
import { flag } from "../link/link-table.ts";
import type { SlugKey } from "../link/slug.ts";
import type { Millis } from "../runtime/clock.ts";
import type { Scans } from "./scans.ts";

export interface TicketListener<Answer> {
  /** Once a ticket. For `redirect` the slot is still the link's; any other verdict may come without one. */
  redeemed(answer: Answer, decided: Verdict, slot: number): void;
  /** All scans of a turn are answered; the time since the first of them came. */
  turnRedeemed(scans: number, ms: number): void;
}

export class ScanCounter<Answer> {
  readonly #scans: Scans;
  readonly #listener: TicketListener<Answer>;
  readonly #idle: Tickets<Answer>[] = [];
  #tickets: Tickets<Answer>;
  /** Turns that are written and wait for their sync. */
  #turnsOut = 0;
  #turnScheduled = false;
  #turnNow: Millis = 0;
  /** In hours since the epoch. */
  #turnHour = 0;
  /** When the first scan of the turn came. */
  #began = 0;
  /** Scans of the turn that were answered without a ticket. */
  #atOnce = 0;
  #onEmpty: (() => void)[] = [];

  constructor(scans: Scans, listener: TicketListener<Answer>) {
    this.#scans = scans;
    this.#listener = listener;
    this.#tickets = this.#newTickets();
  }

  /** One look at the clock serves all scans of a turn. */
  now(): Millis {
    return this.#turnScheduled ? this.#turnNow : this.#scans.clock.now();
  }

  /** What the link gives now; `undecided` when it is not in the table, or has to be loaded again. */
  decide(slot: number): Verdict {
    const { table, projects } = this.#scans;
    return slot < 0 ? verdict.undecided : decide(table, projects, slot, this.now());
  }

  /** The same for a request as it comes: `undecided` whenever the store has to be asked, and then only. */
  decideAtOnce(slot: number, key: SlugKey, counts: boolean, visitor: CountedVisitor): Verdict {
    if (slot < 0 && this.#scans.unknown.has(key)) return verdict.notFound;
    const decided = this.decideFor(slot, visitor);
    return counts && this.isKeptByStore(slot, decided) ? verdict.undecided : decided;
  }

  /**
   * What this visitor gets now. Known robots use no limit up, and are not led on either: merely not to count them would
   * let anybody pass a limit by the name of one.
   */
  decideFor(slot: number, visitor: CountedVisitor): Verdict {
    const decided = this.decide(slot);
    if (slot < 0 || (this.#scans.table.flags(slot) & flag.limited) === 0 || !leadsOn(decided)) return decided;
    return visitor.isRobot() ? verdict.preview : decided;
  }

  /** Whether this scan counts towards a limit that only the store can keep: see `limited-scans.ts`. */
  isKeptByStore(slot: number, decided: Verdict): boolean {
    const { limited, table } = this.#scans;
    if (limited === null || slot < 0 || (table.flags(slot) & flag.limited) === 0) return false;
    return leadsOn(decided) || decided === verdict.limitReached;
  }

  /** Whether this process may still answer from memory; asked when the request has come. */
  mayServe(): boolean {
    const { mayServe } = this.#scans;
    return mayServe === null || mayServe();
  }

  /**
   * Whether the scan got a ticket: it counts, or its limit was used up in this very turn. If not, `withoutTicket`
   * says what it gets.
   */
  giveTicket(slot: number, key: SlugKey, decided: Verdict, answer: Answer, visitor: CountedVisitor): boolean {
    if (leadsOn(decided)) return this.count(slot, key, decided, answer, visitor);
    // Should the journal not take the scan that used the limit up, the limit is not reached.
    if (decided !== verdict.limitReached || this.#scans.journal.pending === 0) return false;
    if (this.#tickets.isFull) return false;
    this.#tickets.add(slot, key, decided, answer, offWord, "");
    return true;
  }

  /** Counts a scan of a link that leads plainly on, if it may be answered at once; false when there is more to decide. */
  countPlain(slot: number, key: SlugKey, visitor: CountedVisitor): boolean {
    if (slot < 0) return false;
    const { table, projects } = this.#scans;
    const flags = table.flags(slot);
    return leadsPlainlyOn(table, projects, slot, flags) && this.#countAtOnce(slot, key, flags, visitor);
  }

  /**
   * Counts a scan that may be answered at once, since it is put down where a killed process leaves it; false when it has
   * to wait for a ticket. A limit has to hold even if the journal does not take the turn, so such a scan always waits.
   */
  countAtOnce(slot: number, key: SlugKey, visitor: CountedVisitor): boolean {
    return this.#countAtOnce(slot, key, this.#scans.table.flags(slot), visitor);
  }

  #countAtOnce(slot: number, key: SlugKey, flags: number, visitor: CountedVisitor): boolean {
    const { table, journal, unsaved, turnAtOnceMax } = this.#scans;
    if ((flags & flag.limited) !== 0 || !journal.hasRoom || this.#atOnce === turnAtOnceMax) return false;
    if (!this.#turnScheduled) this.#beginTurn();
    const isKept = (flags & flag.analytics) !== 0;
    const word = isKept ? visitor.word() : offWord;
    journal.putDown(key, table.addScan(slot), word);
    unsaved.add(slot, this.#turnHour, word, isKept ? visitor.referer() : "");
    this.#atOnce++;
    return true;
  }

  /** Counts a scan that leads on and gives it a ticket; false when the turn has no room for it or may not serve. */
  count(slot: number, key: SlugKey, decided: Verdict, answer: Answer, visitor: CountedVisitor): boolean {
    const { table, journal } = this.#scans;
    if (this.#tickets.isFull) return false;
    if (!this.#turnScheduled) {
      if (!this.mayServe()) return false;
      this.#beginTurn();
    }
    const isKept = (table.flags(slot) & flag.analytics) !== 0;
    const word = isKept ? visitor.word() : offWord;
    this.#tickets.add(slot, key, decided, answer, word, isKept ? visitor.referer() : "");
    journal.append(key, table.addScan(slot), word);
    return true;
  }

  #beginTurn(): void {
    this.#turnScheduled = true;
    this.#began = performance.now();
    this.#turnNow = this.#scans.clock.now();
    this.#turnHour = Math.floor(this.#turnNow / hourMs);
    this.#scans.journal.hour = this.#turnHour;
    setImmediate(this.#turned);
  }

  get isEmpty(): boolean {
    return !this.#turnScheduled && this.#turnsOut === 0;
  }

  /** Resolves when no ticket waits to be redeemed. */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isEmpty) resolve();
      else this.#onEmpty.push(resolve);
    });
  }

  readonly #turned = (): void => {
    const { journal } = this.#scans;
    this.#turnScheduled = false;
    if (this.#tickets.length > 0) this.#write();
    else {
      if (journal.isDue) journal.commit();
      this.#end(this.#tickets, this.#began);
    }
  };

  #write(): void {
    const { journal, syncAlways } = this.#scans;
    const tickets = this.#tickets;
    const began = this.#began;
    const mayServe = this.mayServe();
    const isWritten = mayServe && journal.commit();
    if (!mayServe) this.#takeBackAll(tickets);
    else if (!isWritten) this.#takeBackLimited(tickets);
    this.#keepVisitors(tickets, isWritten);
    if (!syncAlways || !isWritten) {
      this.#redeem(tickets, isWritten, began);
      return;
    }
    this.#tickets = this.#idle.pop() ?? this.#newTickets();
    this.#turnsOut++;
    journal.sync((error) => {
      this.#turnsOut--;
      this.#redeem(tickets, error === null, began);
      this.#idle.push(tickets);
    });
  }

  /** Another process may have counted on: a count of this turn may stand on what was read after that. */
  #takeBackAll(tickets: Tickets<Answer>): void {
    this.#scans.journal.forget();
    for (let at = 0; at < tickets.length; at++) {
      if (leadsOn(tickets.verdict(at))) this.#scans.table.takeBackScan(tickets.slot(at), tickets.key(at));
    }
    tickets.refuseAll();
  }

  #takeBackLimited(tickets: Tickets<Answer>): void {
    const { table } = this.#scans;
    for (let at = 0; at < tickets.length; at++) {
      const slot = tickets.slot(at);
      if (!leadsOn(tickets.verdict(at)) || (table.flags(slot) & flag.limited) === 0) continue;
      table.takeBackScan(slot, tickets.key(at));
    }
  }

  /** Of the scans that are counted for good: no other time would be as sure. */
  #keepVisitors(tickets: Tickets<Answer>, isWritten: boolean): void {
    const { table, unsaved } = this.#scans;
    for (let at = 0; at < tickets.length; at++) {
      if (!leadsOn(tickets.verdict(at))) continue;
      const slot = tickets.slot(at);
      if (!isWritten && (table.flags(slot) & flag.limited) !== 0) continue;
      unsaved.add(slot, this.#turnHour, tickets.visitor(at), tickets.referer(at));
    }
  }

  #redeem(tickets: Tickets<Answer>, isSafe: boolean, began: number): void {
    const listener = this.#listener;
    for (let at = 0; at < tickets.length; at++) {
      listener.redeemed(tickets.answer(at), this.#verdictOf(tickets, at, isSafe), tickets.slot(at));
    }
    this.#end(tickets, began);
  }

  #end(tickets: Tickets<Answer>, began: number): void {
    this.#listener.turnRedeemed(tickets.length + this.#atOnce, performance.now() - began);
    this.#atOnce = 0;
    tickets.clear();
    if (this.#onEmpty.length > 0 && this.isEmpty) this.#tellEmpty();
  }

  #verdictOf(tickets: Tickets<Answer>, at: number, isSafe: boolean): Verdict {
    const { table } = this.#scans;
    const decided = tickets.verdict(at);
    if (isSafe && decided !== verdict.redirect) return decided;
    const slot = tickets.slot(at);
    // A sync takes time, in which a link may have been let go and its slot given to another.
    if (!table.isAt(slot, tickets.key(at))) return verdict.unavailable;
    return isSafe || (table.flags(slot) & flag.limited) === 0 ? decided : verdict.unavailable;
  }

  #tellEmpty(): void {
    const told = this.#onEmpty;
    this.#onEmpty = [];
    for (const resolve of told) resolve();
  }

  #newTickets(): Tickets<Answer> {
    return new Tickets(this.#scans.journal.recordsMax);
  }
}

/** What a scan gets that counts and has no ticket: nothing of the link's, since it could not be counted. */
export function withoutTicket(decided: Verdict): Verdict {
  return leadsOn(decided) || decided === verdict.undecided ? verdict.unavailable : decided;
}

/**
 * The tickets of one loop turn: scans that were counted, or found their limit used up, and whose answers wait until
 * the journal has the turn. The answer is the caller's own; it is kept here and never looked at.
 *
 * Arrays of numbers side by side, because an object a scan would be garbage a moment later.
 */
class Tickets<Answer> {
  readonly #answers: (Answer | null)[];
  readonly #slots: Int32Array;
  readonly #keys: Float64Array;
  readonly #verdicts: Uint8Array;
  readonly #visitors: Uint16Array;
  readonly #referers: string[];
  #length = 0;

  constructor(ticketsMax: number) {
    this.#answers = new Array(ticketsMax).fill(null);
    this.#slots = new Int32Array(ticketsMax);
    this.#keys = new Float64Array(ticketsMax);
    this.#verdicts = new Uint8Array(ticketsMax);
    this.#visitors = new Uint16Array(ticketsMax);
    this.#referers = new Array(ticketsMax).fill("");
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#slots.length;
  }

  add(slot: number, key: SlugKey, decided: Verdict, answer: Answer, visitor: number, referer: string): void {
    const at = this.#length++;
    this.#answers[at] = answer;
    this.#slots[at] = slot;
    this.#keys[at] = key;
    this.#verdicts[at] = decided;
    this.#visitors[at] = visitor;
    if (referer !== "") this.#referers[at] = referer;
  }

  answer(at: number): Answer {
    return this.#answers[at]!;
  }

  slot(at: number): number {
    return this.#slots[at]!;
  }

  key(at: number): SlugKey {
    return this.#keys[at] as SlugKey;
  }

  verdict(at: number): Verdict {
    return this.#verdicts[at] as Verdict;
  }

  /** Whatever was decided, nobody is led on. */
  refuseAll(): void {
    this.#verdicts.fill(verdict.unavailable, 0, this.#length);
  }

  /** What is kept of the visitor, and the header `Referer` as it came. */
  visitor(at: number): number {
    return this.#visitors[at]!;
  }

  referer(at: number): string {
    return this.#referers[at]!;
  }

  clear(): void {
    for (let at = 0; at < this.#length; at++) {
      this.#answers[at] = null;
      if (this.#referers[at] !== "") this.#referers[at] = "";
    }
    this.#length = 0;
  }
}
