/**
 * A database in memory that several members share, in place of MongoDB: the lease, one fence for all, and stores that see
 * the same documents. What is kept from members is what MongoDB itself does.
 */
import type { SharedDatabase } from "../../src/service/shared.ts";
import type { Deputies, SharedStore } from "../../src/store/deputies.ts";
import type { Ownership } from "../../src/store/ownership.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { Database } from "./database.ts";
import { LeaseDocument, memoryLease } from "./memory-lease.ts";
import { MemoryStore } from "./memory-store.ts";

export class SharedMemory {
  readonly document = new LeaseDocument();
  readonly documents = new Database();
  /** Secrets are the database's, and a store in memory makes its own. */
  readonly #secrets = new MemoryStore();
  /** Whether the database is away for all. */
  isAway = false;
  /** What an operation of a store waits for, by its name and the member that asks. */
  before: (name: string, member: number, given: readonly unknown[]) => Promise<void> | undefined = () =>
    undefined;
  /** The latest epoch: whoever wrote under an earlier one is shut out. */
  #fence = 0;
  /** Numbers that were given under that epoch. */
  readonly #deputies = new Set<number>();

  /** As one member sees it. */
  seen(): SharedDatabase {
    return {
      lease: this.#guarded(memoryLease(this.document)),
      open: async (ownership) => this.#open(ownership),
      close: async () => {},
    };
  }

  #guarded<T extends object>(asked: T): T {
    return new Proxy(asked, {
      get: (target, name) => {
        const found = Reflect.get(target, name) as unknown;
        if (typeof found !== "function") return found;
        return async (...given: unknown[]) => {
          if (this.isAway) throw new StoreUnavailable("away");
          return Reflect.apply(found, target, given);
        };
      },
    });
  }

  #open(ownership: Ownership): SharedStore {
    const member = ownership.member() ?? 0;
    const store = new MemoryStore(member, this.documents);
    const membership = { epoch: member, mayServe: () => ownership.mayServe() };
    const isShut = (epoch: number | null) => {
      if (epoch === null || epoch !== ownership.epoch()) return true;
      return epoch !== this.#fence && !this.#deputies.has(epoch);
    };
    const deputies: Deputies = {
      appoint: async () => {
        if (ownership.epoch() !== this.#fence) throw new StoreUnavailable("Another process owns it now.");
        const number = this.document.nextEpoch(0);
        this.#deputies.add(number);
        return number;
      },
      dismiss: async (epoch) => void this.#deputies.delete(epoch),
    };
    const guarded = this.#guarded(deputies);
    return new Proxy<SharedStore>(store as unknown as SharedStore, {
      get: (target, name) => {
        if (name === "membership") return membership;
        if (name === "deputies") return guarded;
        if (name === "codeAtHand") return () => undefined;
        const asked = name === "secret" ? this.#secrets : target;
        const found = Reflect.get(asked, name) as unknown;
        if (typeof found !== "function") return found;
        return async (...given: unknown[]) => {
          if (this.isAway) throw new StoreUnavailable("away");
          // Whatever is asked under a new epoch shuts out those before it.
          const epoch = ownership.epoch();
          if (epoch !== null && !ownership.isDeputy?.() && epoch > this.#fence) {
            this.#fence = epoch;
            this.#deputies.clear();
          }
          await this.before(String(name), member, given);
          const isOwners = name === "commit" || (name === "saveScans" && given[1] === "owner");
          if (isOwners && isShut(epoch)) throw new StoreUnavailable("Another process owns the accounts now.");
          return Reflect.apply(found, asked, given);
        };
      },
    });
  }
}
