/** The document of the lease, and the way to it from one member. */
import type { LeaseRecord } from "../../../src/cluster/lease.ts";
import { readMsMax } from "../../../src/limits.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { LeaseDocument } from "../../fakes/memory-lease.ts";
import type { VirtualLoop } from "../virtual-loop.ts";

/** The way from one member to the database. */
export interface Way {
  /** Of a message, in one direction. */
  ms(): number;
  readonly sends: boolean;
  readonly receives: boolean;
}

/** Told at the database, before the member is. */
export interface LeaseListener {
  renewed(holder: string): void;
  /** The lease was taken, and had not been given back. */
  evicted(holder: string): void;
}

export class SimulatedLease {
  readonly #loop: VirtualLoop;
  readonly #listener: LeaseListener;
  readonly #document = new LeaseDocument();

  constructor(loop: VirtualLoop, listener: LeaseListener) {
    this.#loop = loop;
    this.#listener = listener;
  }

  /** As whoever owns is given it at the database. */
  nextEpoch(): number {
    return this.#document.nextEpoch(0);
  }

  openFor(way: Way): LeaseRecord {
    const document = this.#document;
    const ask = async <T>(apply: () => T): Promise<T> => {
      const until = this.#loop.now() + readMsMax;
      const lost = async () => {
        await this.#loop.sleep(until - this.#loop.now());
        throw new StoreUnavailable("The store did not answer.");
      };
      await this.#loop.sleep(way.ms());
      if (!way.sends) return lost();
      const value = apply();
      await this.#loop.sleep(way.ms());
      return way.receives ? value : lost();
    };
    return {
      read: () => ask(() => document.doc),
      nextEpoch: (above) => ask(() => document.nextEpoch(above)),
      insert: (first) => ask(() => document.insert(first)),
      replace: (seen, next) =>
        ask(() => {
          const wasHeld = document.doc?.released === false;
          const taken = document.replace(seen, next);
          if (taken && wasHeld) this.#listener.evicted(next.holder);
          return taken;
        }),
      renew: (own) =>
        ask(() => {
          const renewed = document.renew(own);
          if (renewed !== null) this.#listener.renewed(own.holder);
          return renewed;
        }),
      watch: (seen) => ask(() => document.watch(seen)),
      release: (own) => ask(() => document.release(own)),
    };
  }
}
