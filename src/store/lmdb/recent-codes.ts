/**
 * Codes that were read or written lately, as the values they are decoded to.
 *
 * Reading a code out of the map costs some twenty microseconds of parsing and checking, and lists show the same codes
 * again and again. What is here is what is committed: a commit brings its codes in when it is durable, and takes them
 * out when nobody knows whether it is. There is no other writer, so nothing else can make an entry old.
 */
import type { CodeDoc } from "../../domain/documents.ts";
import { recentCodesMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { Write } from "../store.ts";

export class RecentCodes {
  readonly #codes = new BoundedMap<string, CodeDoc>(recentCodesMax);

  get(id: string): CodeDoc | undefined {
    return this.#codes.get(id);
  }

  /** What was read just now. */
  add(code: CodeDoc): void {
    this.#codes.set(code.id, code);
  }

  committed(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection !== "codes") continue;
      if ("put" in write) this.#codes.set(write.put.id, write.put);
      else this.#codes.delete(write.remove);
    }
  }

  uncertain(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.collection === "codes") this.#codes.delete("put" in write ? write.put.id : write.remove);
    }
  }
}
