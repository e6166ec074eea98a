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
  /** For whom alone it is, by the order in which they saw it first. */
  readonly awayFor = new Set<number>();
  #seen = 0;
  /** What an operation of a store waits for, by its name and the member that asks. */
  before: (name: string, member: number, given: readonly unknown[]) => Promise<void> | undefined = () =>
    undefined;
  /** The latest epoch: whoever wrote under an earlier one is shut out. */
  #fence = 0;
  /** Numbers that were given under that epoch. */
  readonly #deputies = new Set<number>();

  /** As one member sees it. */
  seen(): SharedDatabase {
    const place = this.#seen++;
    const requireThere = () => {
      if (this.isAway || this.awayFor.has(place)) throw new StoreUnavailable("away");
    };
    return {
      lease: guarded(memoryLease(this.document), requireThere),
      open: async (ownership) => this.#open(ownership, requireThere),
      close: async () => {},
    };
  }

  #open(ownership: Ownership, requireThere: () => void): SharedStore {
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
    const guardedDeputies = guarded(deputies, requireThere);
    return new Proxy<SharedStore>(store as unknown as SharedStore, {
      get: (target, name) => {
        if (name === "membership") return membership;
        if (name === "deputies") return guardedDeputies;
        if (name === "codeAtHand") return () => undefined;
        const asked = name === "secret" ? this.#secrets : target;
        const found = Reflect.get(asked, name) as unknown;
        if (typeof found !== "function") return found;
        return async (...given: unknown[]) => {
          requireThere();
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

function guarded<T extends object>(asked: T, requireThere: () => void): T {
  return new Proxy(asked, {
    get: (target, name) => {
      const found = Reflect.get(target, name) as unknown;
      if (typeof found !== "function") return found;
      return async (...given: unknown[]) => {
        requireThere();
        return Reflect.apply(found, target, given);
      };
    },
  });
}
