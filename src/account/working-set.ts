/**
 * The documents an actor holds besides its account and keys: those that a command in flight looks at, and
 * those whose write is not durable yet. Everything else is read from the store again when it is needed, so an
 * actor's memory follows its traffic, not its data.
 *
 * A document is read once however many commands wait for it, and a document with a pending write is never
 * read: the store would answer with the past.
 */

import type { Need } from "../domain/command.ts";
import type { AnswerDoc, CodeDoc, ProjectDoc, Write } from "../domain/documents.ts";
import type { Store } from "../store/store.ts";
import { documentId } from "./group-commit.ts";

type Held = CodeDoc | ProjectDoc | AnswerDoc;

interface Entry {
  doc: Held | null;
  /** Set while the document is being read. */
  reading: Promise<void> | null;
  pins: number;
  /** The last write that is not durable yet. */
  pending: Write | null;
}

export class WorkingSet {
  readonly #store: Store;
  readonly #accountId: string;
  /** By collection and id: to put both into one text costs more than the look-up. */
  readonly #entries: Readonly<Record<Need["collection"], Map<string, Entry>>> = {
    codes: new Map(),
    projects: new Map(),
    answers: new Map(),
  };
  /** No command looks at more than one code. */
  #borrowed: CodeDoc | null = null;

  constructor(store: Store, accountId: string) {
    this.#store = store;
    this.#accountId = accountId;
  }

  /**
   * Lends the documents to a command that is decided in this very step, if all of them are in memory: where nothing is
   * waited for, nothing has to be held. Until `giveBack`.
   */
  borrow(needs: readonly Need[]): boolean {
    for (const need of needs) {
      const entry = this.#entries[need.collection].get(need.id);
      if (entry !== undefined && entry.reading === null) continue;
      const atHand = entry === undefined && this.#borrowed === null ? this.#atHand(need) : undefined;
      if (atHand === undefined) {
        this.giveBack();
        return false;
      }
      this.#borrowed = atHand;
    }
    return true;
  }

  giveBack(): void {
    this.#borrowed = null;
  }

  /** Holds the documents and reads those that are missing. Null when there is nothing to wait for. */
  pin(needs: readonly Need[]): Promise<unknown> | null {
    let waits: Promise<void>[] | null = null;
    for (const need of needs) {
      const entry = this.#entry(need);
      entry.pins++;
      if (entry.reading !== null) {
        waits ??= [];
        waits.push(entry.reading);
      }
    }
    return waits === null ? null : Promise.all(waits);
  }

  unpin(needs: readonly Need[]): void {
    for (const { collection, id } of needs) {
      const entry = this.#entries[collection].get(id)!;
      entry.pins--;
      this.#dropIfUnused(collection, id, entry);
    }
  }

  get({ collection, id }: Need): Held | null {
    const entry = this.#entries[collection].get(id);
    if (entry?.reading === null) return this.#own(entry.doc);
    if (this.#borrowed?.id === id) return this.#own(this.#borrowed);
    throw new Error(`${collection}/${id} was not named in needs`);
  }

  #own(doc: Held | null): Held | null {
    return doc?.account_id === this.#accountId ? doc : null;
  }

  /** A change that was decided: from now on this is what commands see. */
  install(write: Write): void {
    const { collection } = write;
    if (!isHeld(collection)) return;
    const id = documentId(write);
    const doc = "put" in write ? (write.put as Held) : null;
    const entry = this.#entries[collection].get(id);
    if (entry === undefined) {
      this.#entries[collection].set(id, { doc, reading: null, pins: 0, pending: write });
    } else {
      entry.doc = doc;
      entry.pending = write;
    }
  }

  committed(write: Write): void {
    const { collection } = write;
    if (!isHeld(collection)) return;
    const id = documentId(write);
    const entry = this.#entries[collection].get(id);
    if (entry === undefined || entry.pending !== write) return;
    entry.pending = null;
    this.#dropIfUnused(collection, id, entry);
  }

  #entry(need: Need): Entry {
    const { collection, id } = need;
    const known = this.#entries[collection].get(id);
    if (known !== undefined) return known;
    const atHand = this.#atHand(need);
    const entry: Entry = { doc: atHand ?? null, reading: null, pins: 0, pending: null };
    if (atHand === undefined) {
      entry.reading = this.#store.get(collection, id).then((doc) => {
        entry.doc = doc;
        entry.reading = null;
      });
    }
    this.#entries[collection].set(id, entry);
    return entry;
  }

  #atHand({ collection, id }: Need): CodeDoc | undefined {
    return collection === "codes" ? this.#store.codeAtHand(id) : undefined;
  }

  #dropIfUnused(collection: Need["collection"], id: string, entry: Entry): void {
    if (entry.pins === 0 && entry.pending === null) this.#entries[collection].delete(id);
  }
}

function isHeld(collection: Write["collection"]): collection is Need["collection"] {
  return collection === "codes" || collection === "projects" || collection === "answers";
}
