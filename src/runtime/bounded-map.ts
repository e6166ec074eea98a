/**
 * A map that never holds more than so many entries: when it is full, the one that was set first makes room.
 *
 * Rejected: emptying it when it is full, which is shorter and makes everything be looked up again at once.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #entriesMax: number;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** The entry is the youngest from now on. */
  set(key: Key, value: Value): void {
    if (!this.#entries.delete(key) && this.#entries.size >= this.#entriesMax) {
      this.#entries.delete(this.#entries.keys().next().value!);
    }
    this.#entries.set(key, value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
