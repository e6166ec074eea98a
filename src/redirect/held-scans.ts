import type { HttpResponse } from "../engine/engine.ts";

/** How an answer's content is kept until it is sent. Those up to `textPage` are counted scans. */
export const content = { inline: 0, url: 1, text: 2, textPage: 3, limitPage: 4, limitEnvelope: 5 } as const;

export class HeldScans {
  readonly #responses: (HttpResponse | null)[];
  readonly #slots: Int32Array;
  readonly #highs: Int32Array;
  readonly #lows: Int32Array;
  readonly #contents: Uint8Array;
  readonly #strings: (string | null)[];
  length = 0;

  constructor(scansMax: number) {
    this.#responses = new Array(scansMax).fill(null);
    this.#strings = new Array(scansMax).fill(null);
    this.#slots = new Int32Array(scansMax);
    this.#highs = new Int32Array(scansMax);
    this.#lows = new Int32Array(scansMax);
    this.#contents = new Uint8Array(scansMax);
  }

  hold(res: HttpResponse, slot: number, high: number, low: number): void {
    const at = this.length++;
    this.#responses[at] = res;
    this.#slots[at] = slot;
    this.#highs[at] = high;
    this.#lows[at] = low;
    this.#contents[at] = content.inline;
  }

  /** For an answer whose content is not inline in the link. */
  holdOther(
    res: HttpResponse,
    slot: number,
    high: number,
    low: number,
    kind: (typeof content)[keyof typeof content],
    value: string,
  ): void {
    this.hold(res, slot, high, low);
    this.#contents[this.length - 1] = kind;
    this.#strings[this.length - 1] = value;
  }

  response(at: number): HttpResponse {
    return this.#responses[at]!;
  }

  slot(at: number): number {
    return this.#slots[at]!;
  }

  high(at: number): number {
    return this.#highs[at]!;
  }

  low(at: number): number {
    return this.#lows[at]!;
  }

  content(at: number): number {
    return this.#contents[at]!;
  }

  string(at: number): string {
    return this.#strings[at]!;
  }

  clear(): void {
    for (let at = 0; at < this.length; at++) {
      this.#responses[at] = null;
      this.#strings[at] = null;
    }
    this.length = 0;
  }
}
