/**
 * A map of what comes and goes all the time, such as questions that wait for their answers. What is deleted from it can be
 * collected at once, with all that it leads to.
 *
 * A `Map` goes on in a new table when the one it has is full of what was deleted, and the old table keeps its last values
 * and the next table. Once the collector counts one of them as old, everything that was ever in the map stays until
 * the next collection of all memory: requests with their bodies, for seconds. Here a table only keeps empty boxes.
 */
export class PassingMap<Key extends number | string, Value> {
  readonly #boxes = new Map<Key, { value: Value | null }>();

  get size(): number {
    return this.#boxes.size;
  }

  has(key: Key): boolean {
    return this.#boxes.has(key);
  }

  get(key: Key): Value | null {
    return this.#boxes.get(key)?.value ?? null;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#boxes.set(key, { value });
  }

  delete(key: Key): void {
    const box = this.#boxes.get(key);
    if (box === undefined) return;
    box.value = null;
    this.#boxes.delete(key);
  }

  clear(): void {
    for (const key of this.#boxes.keys()) this.delete(key);
  }

  *values(): Iterable<Value> {
    for (const { value } of this.#boxes.values()) if (value !== null) yield value;
  }
}
