/**
 * After a failed commit nobody knows whether an account's time zone was changed. The account is read again until
 * the store answers, and published, unless a newer state was published meanwhile. Its links could be marked stale
 * instead, as after a failed commit of a code, but an account may have very many, and its zone is seldom changed.
 */
import type { AccountDoc } from "../domain/documents.ts";
import { accountRereadMs } from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";

export class UncertainAccounts {
  readonly #store: Pick<Store, "get">;
  readonly #publish: (account: AccountDoc) => void;
  readonly #clock: Clock;
  /** One token a reading: whoever finds another one there has been overtaken. */
  readonly #readings = new Map<string, object>();

  constructor(store: Pick<Store, "get">, publish: (account: AccountDoc) => void, clock: Clock) {
    this.#store = store;
    this.#publish = publish;
    this.#clock = clock;
  }

  reread(id: string): void {
    const reading = {};
    this.#readings.set(id, reading);
    void this.#read(id, reading);
  }

  /** A durable state of the account is known. */
  known(id: string): void {
    this.#readings.delete(id);
  }

  async #read(id: string, reading: object): Promise<void> {
    try {
      const account = await this.#store.get("accounts", id);
      if (this.#readings.get(id) !== reading) return;
      this.#readings.delete(id);
      if (account !== null) this.#publish(account);
    } catch {
      if (this.#readings.get(id) !== reading) return;
      this.#clock.after(accountRereadMs, () => void this.#read(id, reading));
    }
  }
}
