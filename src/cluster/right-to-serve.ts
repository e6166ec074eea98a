/**
 * The right to serve: for how long the owner may answer from memory without having asked again.
 *
 * Each renewal of the lease that was acknowledged gives it for some time from the *sending* of the renewal. Whoever
 * takes the lease from an owner waits for longer than that before it serves (`evictionWaitMs`), by its own clock. So
 * what the old owner still answers was asked before the new one answered anything. No two clocks are compared; they
 * only have to run at about the same speed.
 *
 * Time is read from two clocks, and the right is over when either says so: the steady one stands still while a machine
 * is suspended, and the wall clock can be set back.
 *
 * Rejected: a timer that takes the right away. In a process that was paused it runs after the first requests, or
 * between them.
 */
import { rightMs } from "../limits.ts";

export interface Moment {
  steady: number;
  wall: number;
}

export interface Watches {
  /** Milliseconds that never go back. */
  steady(): number;
  /** Milliseconds that go on while the machine is suspended. */
  wall(): number;
}

export const systemWatches: Watches = { steady: () => performance.now(), wall: () => Date.now() };

export class RightToServe {
  readonly #watches: Watches;
  #steadyUntil = Number.NEGATIVE_INFINITY;
  #wallUntil = Number.NEGATIVE_INFINITY;
  #begun = 0;
  /** When what it was last confirmed by was sent. */
  #confirmedAt: number | null = null;

  constructor(watches: Watches) {
    this.#watches = watches;
  }

  now(): Moment {
    return { steady: this.#watches.steady(), wall: this.#watches.wall() };
  }

  /** Acknowledged was what was sent at this moment. A later end that is known already stands. */
  grant({ steady, wall }: Moment, ms = rightMs): void {
    if (steady + ms <= this.#steadyUntil) return;
    if (!this.isHeld()) this.#begun++;
    this.#confirmedAt = steady;
    this.#steadyUntil = steady + ms;
    this.#wallUntil = wall + ms;
  }

  revoke(): void {
    this.#steadyUntil = Number.NEGATIVE_INFINITY;
    this.#wallUntil = Number.NEGATIVE_INFINITY;
  }

  /** For how long it is certainly held from now on; 0 when it is not. */
  leftMs(): number {
    const { steady, wall } = this.now();
    return Math.max(0, Math.min(this.#steadyUntil - steady, this.#wallUntil - wall));
  }

  /** Since the sending of what it was last confirmed by; null when it never was. */
  confirmedMsAgo(): number | null {
    return this.#confirmedAt === null ? null : this.#watches.steady() - this.#confirmedAt;
  }

  /** How often it was over, by its time or by being taken away. */
  get losses(): number {
    return this.#begun - Number(this.isHeld());
  }

  isHeld(): boolean {
    return this.#watches.steady() < this.#steadyUntil && this.#watches.wall() < this.#wallUntil;
  }
}
