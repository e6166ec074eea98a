/** Who is told of a change: the scan path and the render queue, which derive their own state from documents. */
import type { Changes } from "../account/account-actor.ts";
import { wantsImage } from "../domain/code/render-state.ts";
import type { AccountDoc, CodeDoc } from "../domain/documents.ts";
import { accountRereadMs } from "../limits.ts";
import type { Links } from "../link/links.ts";
import type { RenderRequest } from "../render/render-job.ts";
import type { RenderQueue } from "../render/render-queue.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";

export interface Listeners {
  links: Links;
  renders: RenderQueue;
  toRequest(code: CodeDoc): RenderRequest;
  store: Store;
  clock: Clock;
}

export function announceTo({ links, renders, toRequest, store, clock }: Listeners): Changes {
  const uncertainAccounts = new UncertainAccounts(store, links.publishAccount, clock);
  return {
    durable(write) {
      if (!("put" in write)) return;
      if (write.collection === "projects") links.publishProject(write.put);
      if (write.collection === "accounts") {
        uncertainAccounts.known(write.put.id);
        links.publishAccount(write.put);
      }
      if (write.collection !== "codes") return;
      links.publishCode(write.put);
      if (wantsImage(write.put.render)) renders.request(toRequest(write.put));
      else renders.cancel(write.put.id);
    },
    uncertain(write) {
      if (!("put" in write)) return;
      if (write.collection === "accounts") uncertainAccounts.reread(write.put.id);
      if (write.collection === "projects") links.forgetProject(write.put.id);
      if (write.collection !== "codes") return;
      links.forget(write.put.slug);
      renders.lookAgain(write.put.account_id, write.put.id);
    },
  };
}

/**
 * After a failed commit nobody knows whether an account's time zone was changed. The account is read again until
 * the store answers, and published, unless a newer state was published meanwhile. Its links could be marked stale
 * instead, as after a failed commit of a code, but an account may have very many, and its zone is seldom changed.
 */
class UncertainAccounts {
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
