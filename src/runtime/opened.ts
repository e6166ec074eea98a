/** What was opened, to be closed in the reverse order. One that fails does not keep the others open. */
export class Opened {
  readonly #closes: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closes.push(close);
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close();
      } catch (cause) {
        failures.push(cause);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Opens something of several parts: if one of them fails, those before it are closed. */
export async function openWhole<T>(open: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = new Opened();
  try {
    return await open(opened);
  } catch (cause) {
    await opened.close().catch(() => {});
    throw cause;
  }
}
