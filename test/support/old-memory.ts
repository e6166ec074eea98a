/** What the quick collections of memory leave to the slow ones: what has outlived two of them counts as old. */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

// What is made where things have lived long before would be old from the beginning, whoever keeps it.
setFlagsFromString("--no-allocation-site-pretenuring");

/** Whatever is in use now counts as old afterwards. */
export function ageAll(): void {
  for (let made: number[] = [], at = 0; at < 200_000; at++) made = new Array(100).fill(made.length);
}

/** How much has become old since it was made. What becomes old and is collected between two looks is not seen. */
export class OldMemory {
  #last = oldBytes();
  #grown = 0;

  look(): void {
    const now = oldBytes();
    this.#grown += Math.max(0, now - this.#last);
    this.#last = now;
  }

  get grownBytes(): number {
    this.look();
    return this.#grown;
  }
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === "old_space")!.space_used_size;
}
