/**
 * Group commit: the writes of all accounts share one store commit in flight.
 *
 * While a commit is under way the next batch collects behind it; repeated writes to one document coalesce to
 * the last. Under load the batches grow by themselves and the cost of a disk sync is shared; at rest a write
 * waits for nobody. Each owner (an account's actor) has a slot in the batch: its writes, and one promise for
 * all its answers that wait on them.
 *
 * A failed commit is not repaired: the owner is told, synchronously and before any answer is released, and
 * everything it has in the next batch is dropped with it, because those writes were decided on state that may
 * not exist. The owner discards itself and the next request reads the truth. One owner's bad write must not
 * fail the others: a batch that was refused for its contents is committed again owner by owner.
 *
 * Rejected design: a timer that collects for a fixed time. It adds its delay to every answer at rest, and
 * still makes batches that are too small under load.
 */
import type { Write } from "../domain/documents.ts";
import { dirtyWritesMax } from "../limits.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";

export interface CommitOwner {
  /** The writes are durable. Called before the waiting answers leave. */
  committed(writes: Iterable<Write>): void;
  /** It is unknown what is stored. Called before the waiting answers are rejected. */
  commitFailed(writes: Iterable<Write>, cause: unknown): void;
}

/** The last write of each document. By collection and id: to put both into one text costs more than the look-up. */
class Writes {
  readonly #of = new Map<Write["collection"], Map<string, Write>>();
  size = 0;

  add(write: Write): void {
    let documents = this.#of.get(write.collection);
    if (documents === undefined) {
      documents = new Map();
      this.#of.set(write.collection, documents);
    }
    const before = documents.size;
    documents.set(documentId(write), write);
    this.size += documents.size - before;
  }

  all(): Write[] {
    const all: Write[] = [];
    for (const documents of this.#of.values()) for (const write of documents.values()) all.push(write);
    return all;
  }
}

interface Slot {
  writes: Writes;
  durable: Promise<void>;
  end: { resolve(): void; reject(cause: unknown): void };
}

type Batch = Map<CommitOwner, Slot>;

export interface CommitObserver {
  committed(writes: number, ms: number): void;
  failed(cause: unknown): void;
}

export class GroupCommit {
  readonly #store: Pick<Store, "commit">;
  readonly #observer: CommitObserver;
  #collecting: Batch = new Map();
  #collected = 0;
  #running = false;
  #idle: (() => void)[] = [];

  constructor(store: Pick<Store, "commit">, observer: CommitObserver) {
    this.#store = store;
    this.#observer = observer;
  }

  /** False when the batch that collects is full: refuse new work until the store has caught up. */
  hasRoom(): boolean {
    return this.#collected < dirtyWritesMax;
  }

  /** Adds writes to the owner's slot; the promise is the same for all that share the slot. */
  submit(owner: CommitOwner, writes: readonly Write[]): Promise<void> {
    let slot = this.#collecting.get(owner);
    if (slot === undefined) {
      slot = newSlot();
      this.#collecting.set(owner, slot);
    }
    const before = slot.writes.size;
    for (const write of writes) slot.writes.add(write);
    this.#collected += slot.writes.size - before;
    if (!this.#running) {
      this.#running = true;
      setImmediate(() => void this.#run());
    }
    return slot.durable;
  }

  /** Resolves when nothing is waiting any more. */
  async drained(): Promise<void> {
    if (this.#running) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #run(): Promise<void> {
    while (this.#collecting.size > 0) {
      const batch = this.#collecting;
      this.#collecting = new Map();
      this.#collected = 0;
      await this.#commit(batch);
    }
    this.#running = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #commit(batch: Batch): Promise<void> {
    const parts = [...batch].map(([owner, { writes, end }]) => ({ owner, writes: writes.all(), end }));
    const writes = parts.flatMap((part) => part.writes);
    const began = performance.now();
    try {
      await this.#store.commit(writes);
    } catch (cause) {
      if (batch.size > 1 && !(cause instanceof StoreUnavailable)) {
        for (const [owner, slot] of batch) await this.#commit(new Map([[owner, slot]]));
        return;
      }
      this.#observer.failed(cause);
      for (const [owner, slot] of batch) this.#fail(owner, slot, cause);
      return;
    }
    this.#observer.committed(writes.length, performance.now() - began);
    for (const { owner, writes, end } of parts) {
      owner.committed(writes);
      end.resolve();
    }
  }

  #fail(owner: CommitOwner, slot: Slot, cause: unknown): void {
    const next = this.#collecting.get(owner);
    if (next !== undefined) {
      this.#collecting.delete(owner);
      this.#collected -= next.writes.size;
    }
    owner.commitFailed([...slot.writes.all(), ...(next?.writes.all() ?? [])], cause);
    slot.end.reject(cause);
    next?.end.reject(cause);
  }
}

function newSlot(): Slot {
  let end: Slot["end"] | undefined;
  const durable = new Promise<void>((resolve, reject) => {
    end = { resolve, reject };
  });
  // Those who wait see the rejection; a slot that nobody waits on must not end the process.
  durable.catch(() => {});
  return { writes: new Writes(), durable, end: end! };
}

export function documentId(write: Write): string {
  return "put" in write ? write.put.id : write.remove;
}
