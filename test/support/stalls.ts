/** When this process last stood still: others had the processor, or one of its turns was long. */
import { after } from "node:test";

const lookMs = 20;

export class Stalls {
  #last = Number.NEGATIVE_INFINITY;

  /** For at least so long. */
  constructor(stillMs: number) {
    let looked = performance.now();
    const looking = setInterval(() => {
      const now = performance.now();
      if (now - looked >= stillMs) this.#last = now;
      looked = now;
    }, lookMs);
    after(() => clearInterval(looking));
  }

  msSinceLast(): number {
    return performance.now() - this.#last;
  }
}
