/**
 * A deputyship: this process owns what the keeper of the lease gives it, under a number of its own (`keeper.ts`).
 *
 * It ends with the talk in which it was given, and when the keeper is found to keep under another epoch: then somebody
 * else may have kept in between. A keeper is answered when this process decides under the very number that it gave:
 * what opens under an earlier one can take nothing.
 */
import { Refused, type Talk } from "../bus/talk.ts";

interface Appointment {
  readonly talk: Talk;
  readonly epoch: number;
  /** The keeper's own. */
  readonly under: number;
  opened(): void;
  over(): void;
}

export class Deputyship {
  readonly #changed: () => void;
  #now: Appointment | null = null;

  /** `changed`: it began, or is over. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** With the keeper; null when this process is nobody's deputy. */
  get talk(): Talk | null {
    return this.#now?.talk ?? null;
  }

  get epoch(): number | null {
    return this.#now?.epoch ?? null;
  }

  /** Resolves when this process decides under the number. */
  begin(talk: Talk, { epoch, under }: { epoch: number; under: number }): Promise<void> {
    this.#now?.over();
    return new Promise((resolve, reject) => {
      const over = () => reject(new Refused("the deputyship is over"));
      this.#now = { talk, epoch, under, opened: resolve, over };
      this.#changed();
    });
  }

  /** This process decides under the number, which may be that of another ownership. */
  opened(epoch: number): void {
    if (this.#now?.epoch === epoch) this.#now.opened();
  }

  /** The other of the talk keeps under this epoch; null: it does not keep. */
  heard(talk: Talk, under: number | null): void {
    if (this.#now?.talk === talk && this.#now.under !== under) this.end();
  }

  closed(talk: Talk): void {
    if (this.#now?.talk === talk) this.end();
  }

  end(): void {
    if (this.#now === null) return;
    this.#now.over();
    this.#now = null;
    this.#changed();
  }
}
