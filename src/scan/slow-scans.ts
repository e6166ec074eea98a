/**
 * Scans that cannot be decided without the store: of cold links, and of limits that only the store can keep.
 *
 * The link is brought in, then the scan is decided and counted in one step. Everybody who waited for the same load
 * comes by in the same turn; a verdict handed back first and counted by its receiver would let all of them see the
 * count before any of them was added to it. So the caller hands in its side of the scan, and this room counts.
 */
import type { CountedVisitor } from "../analytics/visitor-word.ts";
import { loadsPerScanMax } from "../limits.ts";
import { destinationOf, leadsOn, type Verdict, verdict } from "../link/decision.ts";
import type { SlugKey } from "../link/slug.ts";
import { freshLink } from "./fresh-link.ts";
import { type ScanCounter, withoutTicket } from "./scan-counter.ts";
import type { Scans } from "./scans.ts";

export interface SlowScan<Answer> {
  readonly key: SlugKey;
  /** False for whoever only looks. */
  readonly counts: boolean;
  /** Whether somebody still waits for the answer. */
  readonly isOpen: boolean;
  readonly visitor: CountedVisitor;
  /** What a ticket is to carry, made in the step that counts. */
  prepare(slot: number, decided: Verdict): Answer;
  /** No ticket is needed: the verdict stands. The slot is the link's if it leads on. */
  answer(decided: Verdict, slot: number): void;
  /** Nobody waits any more. */
  abandoned(): void;
}

export class SlowScans<Answer> {
  readonly #scans: Scans;
  readonly #counter: ScanCounter<Answer>;
  readonly #scansMax: number;
  readonly #running = new Set<Promise<void>>();
  #taken = 0;

  constructor(scans: Scans, counter: ScanCounter<Answer>, scansMax: number) {
    this.#scans = scans;
    this.#counter = counter;
    this.#scansMax = scansMax;
  }

  get isFull(): boolean {
    return this.#running.size >= this.#scansMax;
  }

  get taken(): number {
    return this.#taken;
  }

  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  /** Resolves when all that wait now have their verdict or a ticket. */
  async emptied(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** `begin` is when it may begin, null for at once. */
  take(scan: SlowScan<Answer>, begin: Promise<void> | null): void {
    this.#taken++;
    const running = this.#run(scan, begin).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(scan: SlowScan<Answer>, begin: Promise<void> | null, tries = 1): Promise<void> {
    const { table, limited } = this.#scans;
    const { key } = scan;
    if (begin !== null) await begin;
    const refused = this.#counter.mayServe() ? await freshLink(this.#scans, key) : verdict.unavailable;
    const slot = refused === null ? table.find(key) : -1;
    const decided = refused ?? this.#counter.decideFor(slot, scan.visitor);
    if (!scan.isOpen) scan.abandoned();
    // Somebody had it read again in the moment in which it was there.
    else if (refused === null && decided === verdict.undecided && tries < loadsPerScanMax) {
      await this.#run(scan, null, tries + 1);
    } else if (scan.counts && this.#counter.isKeptByStore(slot, decided)) {
      const stored = await limited!.count(key, scan.visitor);
      if (!scan.isOpen) scan.abandoned();
      else if (stored === verdict.undecided && tries < loadsPerScanMax) await this.#again(scan, tries);
      else await this.#answerStored(scan, stored);
    } else if (!scan.counts) {
      scan.answer(decided === verdict.undecided ? verdict.unavailable : decided, slot);
    } else {
      const answer = scan.prepare(slot, decided);
      if (!this.#counter.giveTicket(slot, key, decided, answer, scan.visitor)) {
        scan.answer(withoutTicket(decided), slot);
      }
    }
  }

  /** It was not counted: what is loaded of the link is not what it is any more. */
  #again(scan: SlowScan<Answer>, tries: number): Promise<void> {
    const { table } = this.#scans;
    const slot = table.find(scan.key);
    if (slot >= 0) table.markStale(slot);
    return this.#run(scan, null, tries + 1);
  }

  /** The link may have changed since the store has the count: the scan gets what the link leads to now. */
  async #answerStored(scan: SlowScan<Answer>, decided: Verdict): Promise<void> {
    const { table } = this.#scans;
    const { key } = scan;
    const isThere = leadsOn(decided) && (await freshLink(this.#scans, key)) === null;
    const slot = table.find(key);
    if (!scan.isOpen) scan.abandoned();
    else if (isThere && slot >= 0) scan.answer(destinationOf(table.flags(slot)), slot);
    else scan.answer(withoutTicket(decided), slot);
  }
}
