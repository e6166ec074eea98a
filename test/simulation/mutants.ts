/**
 * Faults made on purpose, each of a kind that a tired engineer could make. The simulation has to find every one of
 * them; a check that finds none of them checks nothing.
 */

import type { Changes } from "../../src/account/account-actor.ts";
import { Directory } from "../../src/account/directory.ts";
import type { CommitOwner } from "../../src/account/group-commit.ts";
import { GroupCommit } from "../../src/account/group-commit.ts";
import type { LinkScans } from "../../src/domain/analytics/link-scans.ts";
import { hourMs } from "../../src/domain/analytics/zone.ts";
import type { Command } from "../../src/domain/command.ts";
import type { Write } from "../../src/domain/documents.ts";
import { newSlug } from "../../src/link/slug.ts";
import { SlugReservations } from "../../src/link/slug-reservations.ts";
import { openRenderQueue } from "../../src/render/render-queue.ts";
import type { Random } from "../../src/runtime/random.ts";
import { openScans, type Scans } from "../../src/scan/scans.ts";
import { announceTo } from "../../src/service/announcements.ts";
import type { Makers } from "../../src/service/core.ts";
import type { ChangingOwners, OrphanedCount, OrphanedCounts } from "../../src/store/orphaned-counts.ts";
import type { Store } from "../../src/store/store.ts";

/** One part of the core that is made otherwise, or a store that is not the one it says it is. */
export interface Mutation extends Partial<Makers> {
  store?(store: Store): Store;
  /** True: the database adds a save to the hours again when it comes again. */
  addsHoursTwice?: boolean;
  /** False: the database takes the writes of a process that was declared dead. */
  isFenced?: boolean;
}

class AnswersBeforeTheCommit extends GroupCommit {
  override submit(owner: CommitOwner, writes: readonly Write[]): Promise<void> {
    void super.submit(owner, writes);
    return Promise.resolve();
  }
}

/** The owner is not told of the failure, and goes on with what it has in memory. */
class KeepsTheActor extends GroupCommit {
  readonly #deaf = new WeakMap<CommitOwner, CommitOwner>();

  override submit(owner: CommitOwner, writes: readonly Write[]): Promise<void> {
    let deaf = this.#deaf.get(owner);
    if (deaf === undefined) {
      deaf = { committed: (stored) => owner.committed(stored), commitFailed() {} };
      this.#deaf.set(owner, deaf);
    }
    return super.submit(deaf, writes);
  }
}

/** An answer that writes nothing itself does not wait for the writes it has seen. */
class HasNoGate extends Directory {
  override run<R>(accountId: string, command: Command<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      const eager: Command<R> = {
        needs: (account) => command.needs(account),
        apply(view, now) {
          const outcome = command.apply(view, now);
          if (outcome.writes.length === 0) resolve(outcome.answer);
          return outcome;
        },
      };
      super.run(accountId, eager).then(resolve, reject);
    });
  }
}

/** Asks the store, but not those who were given a slug and have not stored it yet. */
class ForgetsReservations extends SlugReservations {
  readonly #store: Store;
  readonly #random: Random;

  constructor(store: Store, random: Random) {
    super(store, random);
    this.#store = store;
    this.#random = random;
  }

  override async reserve(): Promise<string> {
    for (;;) {
      const slug = newSlug(this.#random);
      if ((await this.#store.codeBySlug(slug)) === null) return slug;
    }
  }
}

/** Every write on its way to the store is replaced, or dropped when the answer is null. */
function storing(change: (write: Write) => Write | null): Mutation {
  return {
    store: (store) => ({
      ...store,
      commit: (writes) => store.commit(writes.map(change).filter((write) => write !== null)),
    }),
  };
}

/** Orphaned counts are added up in another way; they wait no more either way. */
function folding(
  fold: (
    counts: readonly OrphanedCount[],
    store: Store,
    owners: ChangingOwners,
    now: number,
  ) => Promise<void>,
): Mutation {
  return {
    store: (store) => {
      const { owners } = store;
      if (owners.kind === "sole") return store;
      const orphans: OrphanedCounts = {
        ...owners.orphans,
        async fold(counts, now) {
          await fold(counts, store, owners, now);
          await owners.orphans.fold(
            counts.map((orphaned) => ({ ...orphaned, count: 0 })),
            now,
          );
        },
      };
      return { ...store, owners: { ...owners, orphans } };
    },
  };
}

/** The scan path, of which a part is replaced once it is open. */
function scanning(change: (scans: Scans) => void): Mutation {
  return {
    async scans(options) {
      const scans = await openScans(options);
      change(scans);
      return scans;
    },
  };
}

/** What is saved of a link is changed on its way to the store. */
function saving(change: (link: LinkScans) => LinkScans): Mutation {
  return {
    store: (store) => ({ ...store, saveScans: (scans) => store.saveScans(scans.map(change)) }),
  };
}

/** The same for what a start finds in the journal. */
function recovering(change: (link: LinkScans, now: number) => LinkScans): Mutation {
  return {
    async scans(options) {
      let isOpen = false;
      const store: Store = {
        ...options.store,
        saveScans(scans) {
          const now = options.clock.now();
          return options.store.saveScans(isOpen ? scans : scans.map((link) => change(link, now)));
        },
      };
      const scans = await openScans({ ...options, store });
      isOpen = true;
      return scans;
    },
  };
}

function announcing(change: (changes: Changes) => Partial<Changes>): Mutation {
  return {
    changes(listeners) {
      const changes = announceTo(listeners);
      return { ...changes, ...change(changes) };
    },
  };
}

export const mutants: Readonly<Record<string, Mutation>> = {
  "an answer before the commit": {
    commits: (store, observer) => new AnswersBeforeTheCommit(store, observer),
  },
  "no gate for answers that write nothing": {
    directory: (context) => new HasNoGate(context),
  },
  "an actor that is kept after a failed commit": {
    commits: (store, observer) => new KeepsTheActor(store, observer),
  },
  "rate windows that are not stored": storing((write) => {
    if (write.collection !== "keys" || !("put" in write)) return write;
    const window = { start: 0, used: 0 };
    return { collection: "keys", put: { ...write.put, minute: window, day: window } };
  }),
  "an idempotent answer that is not stored": storing((write) =>
    write.collection === "answers" ? null : write,
  ),
  "active codes that are not counted": storing((write) => {
    if (write.collection !== "accounts" || !("put" in write)) return write;
    return { collection: "accounts", put: { ...write.put, active_codes: 0 } };
  }),
  "projects that are not counted": storing((write) => {
    if (write.collection !== "accounts" || !("put" in write)) return write;
    return { collection: "accounts", put: { ...write.put, project_count: 1 } };
  }),
  "a scan limit that is off by one": scanning(({ table }) => {
    const limit = table.limit.bind(table);
    table.limit = (slot) => limit(slot) + 1;
  }),
  "a journal that is written after the answer": scanning(({ journal }) => {
    const commit = journal.commit.bind(journal);
    journal.commit = (hour) => {
      setImmediate(() => commit(hour));
      return true;
    };
  }),
  "a sync that nobody waits for": scanning(({ journal }) => {
    const sync = journal.sync.bind(journal);
    journal.sync = (done) => {
      sync(() => {});
      done(null);
    };
  }),
  "a checkpoint that drops dirty counts": scanning(({ table }) => {
    const takeDirty = table.takeDirty.bind(table);
    table.takeDirty = () => takeDirty().slice(1);
  }),
  "a journal that is let go before the counts are stored": scanning(({ journal }) => {
    const rotate = journal.rotate.bind(journal);
    journal.rotate = () => {
      const segment = rotate();
      journal.drop(segment);
      return segment;
    };
  }),
  "a change that the links are not told of": announcing((changes) => ({
    durable(write) {
      if (write.collection !== "projects") changes.durable(write);
    },
  })),
  "a link that is kept when its code is uncertain": announcing(() => ({ uncertain() {} })),
  "a render queue that forgets on restart": {
    renders: (options) => ({ ...openRenderQueue(options), start: () => Promise.resolve() }),
  },
  "a slug that is reserved twice": {
    slugs: (store, random) => new ForgetsReservations(store, random),
  },
  "a list that skips the last code of a page": {
    store: (store) => ({
      ...store,
      async listCodes(query) {
        const page = await store.listCodes({ ...query, limit: query.limit + 1 });
        return page.items.length > query.limit ? { items: page.items.slice(1), more: page.more } : page;
      },
    }),
  },
  "a database that takes the writes of a stale owner": { isFenced: false },
  "a limit that only the journal of one machine keeps": scanning((scans) => {
    (scans as { limited: null }).limited = null;
  }),
  "orphaned counts of which only the greatest is taken": folding((counts, store) =>
    store.saveScans(
      counts.map(({ slug, count, seen, off, hour }) => ({
        ...{ slug, count, seen, off, otherwise: hour, owner: null },
      })),
    ),
  ),
  "orphaned counts that are added whole": folding((counts, _store, { epoch, orphans }, now) =>
    orphans.fold(
      counts.map((orphaned) => ({ ...orphaned, epoch })),
      now,
    ),
  ),
  "analytics that are saved twice": { addsHoursTwice: true },
  "analytics that are lost in a crash": recovering((link) => ({ ...link, off: link.count })),
  "analytics whose hour is that of the replay": recovering((link, now) => {
    const hour = now - (now % hourMs);
    return { ...link, seen: link.seen.map((scans) => ({ ...scans, hour })), otherwise: hour };
  }),
  "analytics that only the code has": saving((link) => ({ ...link, owner: null })),
};
