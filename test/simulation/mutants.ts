/**
 * Faults made on purpose, each of a kind that a tired engineer could make. The simulation has to find every one of
 * them; a check that finds none of them checks nothing.
 */

import type { Changes } from "../../src/account/account-actor.ts";
import { Directory } from "../../src/account/directory.ts";
import { type CommitOwner, GroupCommit } from "../../src/account/group-commit.ts";
import type { LinkScans } from "../../src/domain/analytics/link-scans.ts";
import { hourMs } from "../../src/domain/analytics/zone.ts";
import type { Command } from "../../src/domain/command.ts";
import type { Write } from "../../src/domain/documents.ts";
import { newSlug } from "../../src/link/slug.ts";
import { SlugReservations } from "../../src/link/slug-reservations.ts";
import { openRenderQueue } from "../../src/render/render-queue.ts";
import type { Random } from "../../src/runtime/random.ts";
import type { JournalDisk } from "../../src/scan/journal/disk.ts";
import { openScans, type Scans } from "../../src/scan/scans.ts";
import { announceTo } from "../../src/service/announcements.ts";
import type { Makers } from "../../src/service/core.ts";
import type { ScanParts } from "../../src/store/scan-parts.ts";
import type { Store } from "../../src/store/store.ts";
import type { DatabaseFaults } from "../fakes/database.ts";

/** One part of the core that is made otherwise, or a store that is not the one it says it is. */
export interface Mutation extends Partial<Makers> {
  store?(store: Store): Store;
  database?: DatabaseFaults;
  /** False: the database takes the writes of a process that was declared dead. */
  isFenced?: boolean;
  /** Partitions are given away with requests under way, and with what is in memory of their accounts. */
  givesAwayUndrained?: boolean;
  /** Partitions are given away without what is used of rate windows. */
  forgetsMeters?: boolean;
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

  override look<R>(accountId: string, command: Command<R>): Promise<R> {
    return this.run(accountId, command);
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
      if (await this.#store.isSlugFree(slug)) return slug;
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

/** What is done with the parts of members that are gone. */
function parting(change: (parts: ScanParts, store: Store) => Partial<ScanParts>): Mutation {
  return {
    store: (store) => ({ ...store, parts: { ...store.parts, ...change(store.parts, store) } }),
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
    store: (store) => ({ ...store, saveScans: (scans, by) => store.saveScans(scans.map(change), by) }),
  };
}

/** The same for what a start finds in the journal. */
function recovering(change: (link: LinkScans, now: number) => LinkScans): Mutation {
  return {
    scans(options) {
      const { store, clock } = options;
      const save: ScanParts["save"] = (epoch, scans) =>
        store.parts.save(
          epoch,
          scans.map((link) => change(link, clock.now())),
        );
      return openScans({ ...options, store: { ...store, parts: { ...store.parts, save } } });
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
    journal.commit = () => {
      setImmediate(commit);
      return true;
    };
  }),
  "scans put down in memory that dies with its process": {
    scans: (options) => {
      const disk: JournalDisk = {
        ...options.disk!,
        openLastingMemory: (_path, bytes) => ({ words: new Uint32Array(bytes / 4), close() {} }),
      };
      return openScans({ ...options, disk });
    },
  },
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
  "parts that are folded twice": { database: { keepsFoldedParts: true } },
  "a part that can fall": { database: { lowersParts: true } },
  "a journal that is counted again when it comes again": { database: { takesPartsOfFinished: true } },
  "a journal that is saved as the part of who found it": parting((parts, { membership }) => ({
    save: (epoch, scans) => parts.save(membership?.epoch ?? epoch, scans),
  })),
  "a member that is finished before its journal is saved": parting((parts) => ({
    async stored(epoch, slugs) {
      const stored = await parts.stored(epoch, slugs);
      await parts.finish(epoch);
      return stored;
    },
  })),
  "a limit that forgets what others counted": scanning(({ table }) => {
    table.total = table.count.bind(table);
  }),
  "analytics that are saved twice": { database: { addsHoursTwice: true } },
  "analytics that are lost in a crash": recovering((link) => ({ ...link, off: link.count })),
  "analytics whose hour is that of the replay": recovering((link, now) => {
    const hour = now - (now % hourMs);
    return { ...link, seen: link.seen.map((scans) => ({ ...scans, hour })), otherwise: hour };
  }),
  "analytics that only the code has": saving((link) => ({ ...link, owner: null })),
};
