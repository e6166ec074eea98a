/**
 * Codes that were read or written lately, as the values they are decoded to.
 *
 * Reading a code out of the map costs some twenty microseconds of parsing and checking, and lists show the same codes
 * again and again. What is here is what is committed: a commit brings its codes in when it is durable, and takes them
 * out when nobody knows whether it is. There is no other writer, so nothing else can make an entry old.
 *
 * What was only written is kept apart and soon let go of: most codes are made, drawn and not asked for again for long. Kept
 * as long as the others, each would be let go of when it is old, and all memory had to be gone through for them every second
 * of creates. They are let go of half of them at a time, since to look for the oldest each time costs a create more than to
 * keep it.
 */
import type { CodeDoc } from "../../domain/documents.ts";
import { recentCodesMax, unreadCodesMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { Write } from "../store.ts";

export class RecentCodes {
  readonly #read = new BoundedMap<string, CodeDoc>(recentCodesMax);
  /** Those that were only written. None is among the others as well. */
  #unread = new Map<string, CodeDoc>();
  /** The older half of them; what is in the younger one too is out of date here. */
  #unreadBefore = new Map<string, CodeDoc>();

  get(id: string): CodeDoc | undefined {
    return this.#read.get(id) ?? this.#unread.get(id) ?? this.#unreadBefore.get(id);
  }

  /** What was read just now. */
  add(code: CodeDoc): void {
    this.#deleteUnread(code.id);
    this.#read.set(code.id, code);
  }

  committed(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection !== "codes") continue;
      if ("remove" in write) this.#delete(write.remove);
      else if (write.isNew || !this.#read.has(write.put.id)) this.#addUnread(write.put);
      else this.#read.set(write.put.id, write.put);
    }
  }

  uncertain(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection === "codes") this.#delete("put" in write ? write.put.id : write.remove);
    }
  }

  #addUnread(code: CodeDoc): void {
    if (this.#unread.size >= unreadCodesMax / 2) {
      this.#unreadBefore = this.#unread;
      this.#unread = new Map();
    }
    this.#unread.set(code.id, code);
  }

  #deleteUnread(id: string): void {
    this.#unread.delete(id);
    this.#unreadBefore.delete(id);
  }

  #delete(id: string): void {
    this.#read.delete(id);
    this.#deleteUnread(id);
  }
}
