/**
 * The tickets of one loop turn: scans that were counted, or found their limit used up, and whose answers wait until
 * the journal has the turn. The answer is the caller's own; it is kept here and never looked at.
 *
 * Arrays of numbers side by side, because an object a scan would be garbage a moment later.
 */
import { type Verdict, verdict } from "../link/decision.ts";
import type { SlugKey } from "../link/slug.ts";

export class Tickets<Answer> {
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
