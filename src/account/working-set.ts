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
import { documentKey } from "./group-commit.ts";

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
  readonly #entries = new Map<string, Entry>();

  constructor(store: Store, accountId: string) {
    this.#store = store;
    this.#accountId = accountId;
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
    for (const need of needs) {
      const key = keyOf(need);
      const entry = this.#entries.get(key)!;
      entry.pins--;
      this.#dropIfUnused(key, entry);
    }
  }

  get(need: Need): Held | null {
    const entry = this.#entries.get(keyOf(need));
    if (entry === undefined || entry.reading !== null)
      throw new Error(`${keyOf(need)} was not named in needs`);
    return entry.doc?.account_id === this.#accountId ? entry.doc : null;
  }

  /** A change that was decided: from now on this is what commands see. */
  install(write: Write): void {
    if (!holds(write)) return;
    const key = documentKey(write);
    const doc = "put" in write ? (write.put as Held) : null;
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { doc, reading: null, pins: 0, pending: write });
    } else {
      entry.doc = doc;
      entry.pending = write;
    }
  }

  committed(write: Write): void {
    if (!holds(write)) return;
    const key = documentKey(write);
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.pending !== write) return;
    entry.pending = null;
    this.#dropIfUnused(key, entry);
  }

  #entry(need: Need): Entry {
    const key = keyOf(need);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const atHand = need.collection === "codes" ? this.#store.codeAtHand(need.id) : undefined;
    const entry: Entry = { doc: atHand ?? null, reading: null, pins: 0, pending: null };
    if (atHand === undefined) {
      entry.reading = this.#store.get(need.collection, need.id).then((doc) => {
        entry.doc = doc;
        entry.reading = null;
      });
    }
    this.#entries.set(key, entry);
    return entry;
  }

  #dropIfUnused(key: string, entry: Entry): void {
    if (entry.pins === 0 && entry.pending === null) this.#entries.delete(key);
  }
}

function keyOf(need: Need): string {
  return `${need.collection}/${need.id}`;
}

function holds(write: Write): boolean {
  return write.collection === "codes" || write.collection === "projects" || write.collection === "answers";
}
