/**
 * Gates: which partitions of accounts are decided here, one gate each.
 *
 * Whatever is asked for an account passes its gate and says when it is done. A gate that *closes* lets nobody in and waits
 * for those that are inside; when it is empty the partition can be given away. A gate that does not empty in time opens
 * again, so nobody who takes long can keep a partition from everybody else.
 *
 *     away → open → closing → away, or closing → open
 */
import { gateMsMax, partitionsMax } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";

const away = 0;
const open = 1;
const closing = 2;

export class Gates {
  readonly #clock: Clock;
  readonly #state = new Uint8Array(partitionsMax);
  readonly #inside = new Uint32Array(partitionsMax);
  /** How often a partition has come here: what was known of it before may be old. */
  readonly #taken = new Uint32Array(partitionsMax);
  #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are here. */
  get size(): number {
    return this.#state.reduce((sum, state) => sum + Number(state !== away), 0);
  }

  isOpen(partition: number): boolean {
    return this.#state[partition] === open;
  }

  /** Also while it closes: whoever is inside may go on. */
  isHere(partition: number): boolean {
    return this.#state[partition] !== away;
  }

  taken(partition: number): number {
    return this.#taken[partition]!;
  }

  /** False when it is not open; otherwise `leave` is owed. */
  enter(partition: number): boolean {
    if (this.#state[partition] !== open) return false;
    this.#inside[partition]!++;
    return true;
  }

  leave(partition: number): void {
    this.#inside[partition]!--;
    if (this.#inside[partition] === 0) this.#look();
  }

  open(partitions: Iterable<number>): void {
    for (const partition of partitions) {
      if (this.#state[partition] === away) this.#taken[partition]!++;
      this.#state[partition] = open;
    }
  }

  /** False when they did not empty in time, and are open again. */
  async close(partitions: readonly number[]): Promise<boolean> {
    for (const partition of partitions) this.#state[partition] = closing;
    let isLate = false;
    const cancel = this.#clock.after(gateMsMax, () => {
      isLate = true;
      this.#look();
    });
    const isEmpty = () => partitions.every((partition) => this.#inside[partition] === 0);
    while (!isEmpty() && !isLate) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    cancel();
    if (!isEmpty()) this.open(partitions.filter((partition) => this.#state[partition] === closing));
    return isEmpty();
  }

  /** Nobody is let in any more; who is inside may go on until they are shut. */
  closeAll(): void {
    for (const partition of allPartitions)
      if (this.#state[partition] === open) this.#state[partition] = closing;
  }

  /** They are not decided here any more. */
  shut(partitions: Iterable<number>): void {
    for (const partition of partitions) this.#state[partition] = away;
  }

  shutAll(): void {
    this.#state.fill(away);
    this.#look();
  }

  #look(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

export const allPartitions: readonly number[] = Array.from(
  { length: partitionsMax },
  (_, partition) => partition,
);
