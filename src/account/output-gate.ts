/**
 * The output gate of an account: an answer leaves when all that it could have seen is durable.
 *
 * Commands decide on memory, and memory is ahead of the store. Whoever is told of a change, reads what it left, or is
 * refused because of it must never find it gone after a crash. So whatever is decided, refusals too, waits for the
 * newest write of that moment; writes of an account become durable in their order, so the newest stands for all
 * before it. What is written later holds nothing up that was decided before.
 *
 * A write that fails takes along all that waits for it: those answers become 503. The actor is gone by then (see
 * `group-commit.ts`), and the next request reads the truth.
 *
 * Rejected: that an answer waits for the writes of its own request. Reads and most refusals write nothing; they
 * would tell of what a crash can still take back.
 */
import { unavailable } from "../domain/errors.ts";

const nothing = () => {};

/** The writes up to some moment. */
interface Written {
  durable: Promise<void>;
  isDurable: boolean;
}

export class OutputGate {
  /** Null when all writes are durable. */
  #newest: Written | null = null;

  /** Whatever is decided from now on has seen this write. */
  closeUntil(durable: Promise<void>): void {
    if (durable === this.#newest?.durable) return;
    const written = { durable, isDurable: false };
    this.#newest = written;
    const open = () => {
      if (this.#newest === written) this.#newest = null;
    };
    durable.then(() => {
      written.isDurable = true;
      open();
    }, open);
  }

  get isOpen(): boolean {
    return this.#newest === null;
  }

  /** The way out for what is decided now. */
  now(): WayOut {
    return new WayOut(this.#newest);
  }
}

/** The way out for what was decided at one moment, whenever its answer is made. */
export class WayOut {
  readonly #seen: Written | null;

  constructor(seen: Written | null) {
    this.#seen = seen;
  }

  /** True when there is nothing to wait for. */
  get isOpen(): boolean {
    return this.#seen === null || this.#seen.isDurable;
  }

  /** Gives the answer back when it may leave. `unstored` names what is lost if it may not; `over` runs in either case. */
  pass<T>(answer: () => T, unstored: "change" | "request", over: () => void = nothing): Promise<T> {
    const durable = this.#seen?.durable ?? Promise.resolve();
    return durable.then(
      () => {
        over();
        return answer();
      },
      () => {
        over();
        throw unavailable(`The store did not take the ${unstored}. Try again shortly.`);
      },
    );
  }
}
