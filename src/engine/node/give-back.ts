/**
 * Memory of connections that have gone. Thousands of them grow old together, and the collector, which looks at old
 * things when room gets scarce, would keep them for as long as there is room: a crowd that comes and goes would cost
 * its memory several times. So a collection is asked for when a crowd has gone. It takes some milliseconds.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { collectTicksMin, crowdConnections } from "../../limits.ts";

export class CrowdMemory {
  #most = 0;
  #collectedAt = -collectTicksMin;
  #collect: (() => void) | null = null;

  /** Called now and then with the number of open connections. */
  look(open: number, tick: number): void {
    this.#most = Math.max(this.#most, open);
    if (this.#most - open < crowdConnections || tick - this.#collectedAt < collectTicksMin) return;
    this.#most = open;
    this.#collectedAt = tick;
    this.#collect ??= collector();
    this.#collect();
  }
}

/** There is no other way to ask for it in a process that was not started for it. */
function collector(): () => void {
  try {
    setFlagsFromString("--expose-gc");
    return runInNewContext("gc") as () => void;
  } catch {
    return () => {};
  }
}
