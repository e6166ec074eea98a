/** Work that must have nothing beside it, among work that may go on at the same time. */
export class Alone {
  #alone: Promise<unknown> | null = null;
  readonly #beside = new Set<Promise<unknown>>();

  /** Nobody is alone meanwhile. */
  async beside<T>(run: () => Promise<T>): Promise<T> {
    while (this.#alone !== null) await this.#alone;
    const running = run();
    this.#beside.add(running);
    try {
      return await running;
    } finally {
      this.#beside.delete(running);
    }
  }

  async alone<T>(run: () => Promise<T>): Promise<T> {
    while (this.#alone !== null) await this.#alone;
    let done = () => {};
    this.#alone = new Promise<void>((resolve) => {
      done = resolve;
    });
    try {
      await Promise.allSettled(this.#beside);
      return await run();
    } finally {
      this.#alone = null;
      done();
    }
  }
}
