/**
 * A map that never holds more than so many entries: when it is full, the one that was set first makes room.
 *
 * The oldest is found by one iterator that goes on from where it was: entries that were deleted leave gaps, and a new
 * iterator would pass all of them each time, some ten microseconds of a map with ten thousand entries.
 *
 * Rejected: emptying it when it is full, which is shorter and makes everything be looked up again at once.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #entriesMax: number;
  /** All before it are gone. Made when it is first needed: it would keep what the map was grown out of. */
  #oldest: Iterator<Key> | null = null;

  constructor(entriesMax: number) {
    super();
    this.#entriesMax = entriesMax;
  }

  /** The entry is the youngest from now on. */
  override set(key: Key, value: Value): this {
    if (!this.delete(key) && this.size >= this.#entriesMax) this.#deleteOldest();
    return super.set(key, value);
  }

  #deleteOldest(): void {
    this.#oldest ??= this.keys();
    let next = this.#oldest.next();
    if (next.done) {
      // It was at the end when the map became empty, and stays there.
      this.#oldest = this.keys();
      next = this.#oldest.next();
    }
    if (!next.done) this.delete(next.value);
  }
}
