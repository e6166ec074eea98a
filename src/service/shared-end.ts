/**
 * The end of a process on a shared database: it is told to stop, or gives up. What cannot be had by waiting is not waited
 * for: whoever starts the process again is told what is wrong.
 *
 *     starting → running → ending
 */
import type { Fate } from "./life.ts";

export class SharedEnd {
  readonly #close: () => Promise<void>;
  readonly #fate: Fate;
  #state: "starting" | "running" | "ending" = "starting";

  /** `close` lets go of everything, the lease first. */
  constructor(close: () => Promise<void>, fate: Fate) {
    this.#close = close;
    this.#fate = fate;
  }

  /** Until now whoever starts it was told. */
  started(): void {
    this.#state = "running";
  }

  readonly giveUp = async (cause: unknown): Promise<void> => {
    if (this.#state !== "running") return;
    this.#state = "ending";
    await this.#close();
    this.#fate.failed(cause);
  };

  /** The orderly one: it leaves its role first. */
  async stop(leave: () => Promise<void>): Promise<void> {
    this.#state = "ending";
    await leave().finally(this.#close);
  }
}
