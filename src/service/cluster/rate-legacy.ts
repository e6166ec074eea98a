/**
 * What is used of rate windows, from one keeper to the next: said by who leaves before it gives the lease back, and
 * believed by who took the lease from that very one. Who was told nothing lets the second go by: minutes and days are
 * stored, on the safe side.
 */
import type { Inheritance } from "../../cluster/bus/messages.ts";
import type { Lease } from "../../cluster/lease.ts";
import type { HandedKeyMeter } from "../../domain/account/rate-window.ts";

export type RateUse = Omit<Inheritance, "from">;

const nothingUsed: RateUse = { keys: [], sessions: [] };

export class RateLegacy {
  readonly #lease: () => Pick<Lease, "epoch" | "givenBy">;
  readonly #nextSecond: () => Promise<void>;
  /** From one that was to give the lease to this process. */
  #told: Inheritance | null = null;
  /** Of this process and its deputies, when it has left. */
  #left: RateUse = nothingUsed;

  constructor(lease: () => Pick<Lease, "epoch" | "givenBy">, nextSecond: () => Promise<void>) {
    this.#lease = lease;
    this.#nextSecond = nextSecond;
  }

  told(inheritance: Inheritance): void {
    this.#told = inheritance;
  }

  /** How it was with the keeper before, for one that keeps from now on. */
  async inherited(): Promise<RateUse> {
    const told = this.#told;
    this.#told = null;
    this.#left = nothingUsed;
    const givenBy = this.#lease().givenBy();
    // Whoever took it from one that did not give it back has waited for longer.
    if (givenBy === null) return nothingUsed;
    if (told?.from === givenBy) return told;
    await this.#nextSecond();
    return nothingUsed;
  }

  /** From deputies that gave their accounts back. */
  gotBack(keys: readonly HandedKeyMeter[]): void {
    this.#left = { ...this.#left, keys: [...this.#left.keys, ...keys] };
  }

  /** By what was decided here. */
  leaves({ keys, sessions }: RateUse): void {
    this.gotBack(keys);
    this.#left = { ...this.#left, sessions };
  }

  /** Null of one that does not hold the lease. */
  get toTell(): Inheritance | null {
    const from = this.#lease().epoch();
    return from === null ? null : { from, ...this.#left };
  }
}
