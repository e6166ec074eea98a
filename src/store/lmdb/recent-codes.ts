/**
 * Codes that were read or written lately, as the values they are decoded to.
 *
 * Reading a code out of the map costs some twenty microseconds of parsing and checking, and lists show the same codes
 * again and again. What is here is what is committed: a commit brings its codes in when it is durable, and takes them
 * out when nobody knows whether it is. There is no other writer, so nothing else can make an entry old.
 *
 * What was only written is kept apart and soon let go of: most codes are made, drawn and not asked for again for long. Kept
 * as long as the others, each would be let go of when it is old, and all memory had to be gone through for them every second
 * of creates.
 */
import type { CodeDoc } from "../../domain/documents.ts";
import { recentCodesMax, unreadCodesMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { Write } from "../store.ts";

export class RecentCodes {
  readonly #read = new BoundedMap<string, CodeDoc>(recentCodesMax);
  /** None is among the others as well. */
  readonly #unread = new BoundedMap<string, CodeDoc>(unreadCodesMax);

  get(id: string): CodeDoc | undefined {
    return this.#read.get(id) ?? this.#unread.get(id);
  }

  /** What was read just now. */
  add(code: CodeDoc): void {
    this.#unread.delete(code.id);
    this.#read.set(code.id, code);
  }

  committed(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection !== "codes") continue;
      if ("remove" in write) this.#delete(write.remove);
      else if (this.#read.has(write.put.id)) this.#read.set(write.put.id, write.put);
      else this.#unread.set(write.put.id, write.put);
    }
  }

  uncertain(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection === "codes") this.#delete("put" in write ? write.put.id : write.remove);
    }
  }

  #delete(id: string): void {
    this.#read.delete(id);
    this.#unread.delete(id);
  }
}
