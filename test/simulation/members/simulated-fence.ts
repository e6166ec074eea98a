/** The fence that shuts out earlier owners and their deputies, over the way that one member has to the database. */
import type { Deputies } from "../../../src/store/deputies.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import type { PauseGate } from "../gate.ts";
import type { MembersWorld } from "./members-world.ts";
import type { Way } from "./simulated-lease.ts";

export class SimulatedFence {
  readonly #world: MembersWorld;
  readonly #way: Way;
  readonly #gate: PauseGate;
  /** Of the lease, as the member knows it. */
  readonly #epoch: () => number | null;

  constructor(world: MembersWorld, way: Way, gate: PauseGate, epoch: () => number | null) {
    this.#world = world;
    this.#way = way;
    this.#gate = gate;
    this.#epoch = epoch;
  }

  /** False when another process has closed it behind this one. */
  close(epoch: number): Promise<boolean> {
    return this.#asked(() => {
      const { store } = this.#world;
      if (store.epoch > epoch) return false;
      if (store.epoch < epoch) {
        store.epoch = epoch;
        store.deputies.clear();
      }
      return true;
    });
  }

  /** As the fence of who appoints has it. */
  readonly deputies: Deputies = {
    appoint: () =>
      this.#asked(() => {
        const { store, lease } = this.#world;
        if (this.#epoch() !== store.epoch) throw new StoreUnavailable("Another process owns it.");
        const epoch = lease.nextEpoch();
        store.deputies.add(epoch);
        return epoch;
      }),
    dismiss: (epoch) =>
      this.#asked(() => {
        if (!this.#world.mutation.dismissesNobody) this.#world.store.deputies.delete(epoch);
      }),
  };

  #asked<T>(apply: () => T): Promise<T> {
    const { loop } = this.#world;
    const asking = async () => {
      await loop.sleep(this.#way.ms());
      if (!this.#way.sends) throw new StoreUnavailable("The store did not answer.");
      const value = apply();
      await loop.sleep(this.#way.ms());
      if (!this.#way.receives) throw new StoreUnavailable("The store did not answer.");
      return value;
    };
    return this.#gate.pass(asking());
  }
}
