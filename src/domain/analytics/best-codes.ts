/** The codes with most scans among those that were looked at. Of as many scans, the newer code comes first. */
export interface RankedCode {
  id: string;
  scans: number;
}

export class BestCodes {
  readonly #limit: number;
  readonly #best: RankedCode[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Most first. */
  get all(): readonly RankedCode[] {
    return this.#best;
  }

  /** Whether a code with so many scans would be among them. */
  hasRoomFor(code: RankedCode): boolean {
    if (code.scans === 0) return false;
    return this.#best.length < this.#limit || mostFirst(code, this.#best.at(-1)!) < 0;
  }

  add(code: RankedCode): void {
    if (!this.hasRoomFor(code)) return;
    this.#best.push(code);
    this.#best.sort(mostFirst);
    if (this.#best.length > this.#limit) this.#best.pop();
  }
}

export function mostFirst(a: RankedCode, b: RankedCode): number {
  return b.scans - a.scans || (a.id > b.id ? -1 : 1);
}
