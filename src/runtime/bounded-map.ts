/**
 * A map that never holds more than so many entries: when it is full, the one that was set first makes room.
 *
 * Rejected: emptying it when it is full, which is shorter and makes everything be looked up again at once.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #entriesMax: number;

  constructor(entriesMax: number) {
    super();
    this.#entriesMax = entriesMax;
  }

  /** The entry is the youngest from now on. */
  override set(key: Key, value: Value): this {
    if (!this.delete(key) && this.size >= this.#entriesMax) this.delete(this.keys().next().value!);
    return super.set(key, value);
  }
}
