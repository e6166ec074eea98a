/**
 * The database, and the way to it from one process.
 *
 * A call of a process travels to the database, is answered there, and travels back; each way takes virtual time,
 * and the seed decides what goes wrong on the way: a read fails, a commit is refused, or is stored and its answer
 * lost, or is stored twice.
 *
 * When a process dies, what was on its way to the database may still arrive; that is decided at once, because a
 * real store settles an open transaction before the next owner reads. A process that was only *declared* dead
 * goes on for a while, and its writes arrive late: the epoch that they carry is then an old one, and the
 * database refuses them.
 */
import { type Store, StoreUnavailable, UniqueViolation } from "../../src/store/store.ts";
import { Database } from "../fakes/database.ts";
import type { Faults } from "./faults.ts";
import type { Seeded } from "./seeded-random.ts";
import type { VirtualLoop } from "./virtual-loop.ts";

export interface StoreClient {
  readonly isAlive: boolean;
  /** Declared dead, and not yet aware of it. */
  readonly isStale: boolean;
  readonly epoch: number;
  /** The number under which it owns, where that is another one; null while it owns nothing. */
  owns?(): number | null;
  effect(what: string): void;
  /** Without it: always. */
  mayServe?(): boolean;
}

/** What can go wrong on the way. */
export type StoreFaults = Pick<Faults, "storeMs" | "readFails" | "commitFate" | "storedTwice">;

/** A write on its way to the database. */
interface Underway {
  apply(): void;
}

/** How late a write of a process that was declared dead can come. */
export const lateMsMax = 4_000;

/** A new one for every caller: a shared one would hold on to all who ever waited for it. */
const never = (): Promise<never> => new Promise(() => {});

export class SimulatedStore {
  readonly database = new Database();
  readonly #loop: VirtualLoop;
  readonly #random: Seeded;
  /** Of the process that owns the accounts. */
  epoch = 0;
  /** Numbers that were given under it, to own under. */
  readonly deputies = new Set<number>();
  isFenced = true;

  constructor(loop: VirtualLoop, random: Seeded) {
    this.#loop = loop;
    this.#random = random;
  }

  /** `isShared`: as one that other machines use as well. */
  openFor(client: StoreClient, faults: StoreFaults, isShared: boolean): { store: Store; died(): void } {
    const underway = new Set<Underway>();
    const loop = this.#loop;
    const isThere = () => client.isAlive || client.isStale;
    const travel = async () => {
      const ms = faults.storeMs();
      if (ms > 0) await loop.sleep(ms);
    };

    const read = async <T>(ask: () => T): Promise<T> => {
      if (!isThere()) return never();
      await travel();
      if (faults.readFails()) throw new StoreUnavailable("The store did not answer.");
      const value = ask();
      await travel();
      client.effect("store read");
      return isThere() ? value : never();
    };

    const write = async (
      store: () => void,
      mayComeLate: boolean,
      isFenced = this.isFenced,
    ): Promise<void> => {
      if (!isThere()) return never();
      const fate = faults.commitFate();
      const owns = client.owns === undefined ? client.epoch : client.owns();
      const isShut = () => isFenced && owns !== this.epoch && !this.deputies.has(owns ?? 0);
      const call: Underway = {
        apply() {
          if (fate !== "refused" && !isShut()) store();
        },
      };
      underway.add(call);
      await travel();
      client.effect("store write");
      // It was held up on the way, and its sender declared dead for that.
      if (client.isStale) await loop.sleep(this.#random.between(0, lateMsMax));
      if (!isThere() || !underway.delete(call)) return never();
      if (fate === "refused") throw new StoreUnavailable("The store did not take the write.");
      if (isShut()) throw new StoreUnavailable("Another process owns it.");
      store();
      client.effect("store written");
      if (faults.storedTwice()) await this.#again(client, store, mayComeLate);
      await travel();
      if (!isThere()) return never();
      if (fate === "stored, answer lost") throw new StoreUnavailable("The answer was lost.");
    };

    const { database } = this;
    /** The embedded store has one member for ever. */
    const epoch = isShared ? client.epoch : 0;
    let asked = 0;
    const store: Store = {
      get: (collection, id) => read(() => database.get(collection, id)),
      codeAtHand: (id) =>
        // Whoever is not given a code asks once more before it is read.
        !isShared && ++asked % 3 === 0 ? (database.get("codes", id) ?? undefined) : undefined,
      commit: (writes) => write(() => database.commit(writes), false),
      keyByHash: (hash) => read(() => database.keyByHash(hash)),
      keysOf: (accountId) => read(() => database.keysOf(accountId)),
      codeBySlug: (slug) => read(() => database.codeBySlug(slug)),
      isSlugFree: (slug) => read(() => database.codeBySlug(slug) === null),
      listCodes: (query) => read(() => database.listCodes(query)),
      countedCodes: (query) => read(() => database.countedCodes(query)),
      listProjects: (accountId, stretch) => read(() => database.listProjects(accountId, stretch)),
      listAccounts: (stretch) => read(() => database.listAccounts(stretch)),
      walk: (collection, after, limit) => read(() => database.walk(collection, after, limit)),
      pendingRenders: (after, limit) => read(() => database.pendingRenders(after, limit)),
      scanCount: (slug) => read(() => database.scanCount(slug)),
      countedBy: (slug) => read(() => database.countedBy(slug, epoch)),
      saveScans: (scans, by) =>
        write(() => database.saveScans(scans, epoch), true, this.isFenced && (by === "owner" || !isShared)),
      clearScans: (since) => read(() => database.clearScans(since)),
      parts: {
        stored: (of, slugs) => read(() => database.partsOf(of, slugs)),
        save: (of, scans) => write(() => database.saveScans(scans, of), true, this.isFenced && !isShared),
        finish: (of) => (isShared ? write(() => database.finish(of), true, false) : Promise.resolve()),
        left: (present) => read(() => ({ toFold: database.unfolded, awaited: database.awaited(present) })),
        async fold(_now, folded) {
          let slugs: string[] = [];
          const fold = () => {
            slugs = database.fold();
          };
          await write(fold, false);
          folded(slugs);
        },
      },
      membership: isShared ? { epoch: client.epoch, mayServe: () => client.mayServe?.() ?? true } : null,
      scanHours: (of, stretch, limit) => read(() => database.scanHours(of, stretch, limit)),
      scanDays: (of, stretch, limit) => read(() => database.scanDays(of, stretch, limit)),
      scanTotals: (of, stretch, add) => read(() => database.scanTotals(of, stretch, add)),
      scanSums: (of, stretch) => read(() => database.scanSums(of, stretch)),
      userByEmail: (email) => read(() => database.userByEmail(email)),
      usersOf: (accountId) => read(() => database.usersOf(accountId)),
      removeExpired: (collection, before) => read(() => database.removeExpired(collection, before)),
      secret: () => read(() => new Uint8Array(32)),
      ping: () => read(() => {}),
      close: () => Promise.resolve(),
    };
    return {
      store,
      died: () => {
        for (const call of underway) {
          if (this.#random.chance(0.5)) arrives(call);
        }
        underway.clear();
      },
    };
  }

  /** A copy of a call that the network kept. Absolute counts may come at any time; commits only before the answer. */
  async #again(client: StoreClient, store: () => void, mayComeLate: boolean): Promise<void> {
    const ms = this.#random.between(1, mayComeLate ? 5_000 : 30);
    if (mayComeLate) {
      this.#loop.after(ms, store);
      return;
    }
    await this.#loop.sleep(ms);
    if (client.isAlive) store();
  }
}

/** A write that breaks a rule is refused whether or not anybody still listens. */
function arrives(call: Underway): void {
  try {
    call.apply();
  } catch (cause) {
    if (!(cause instanceof UniqueViolation)) throw cause;
  }
}
