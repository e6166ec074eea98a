/**
 * Whose work is next, where one piece of it costs a thousand times what other requests do: searches in labels, and what
 * is made of passwords. Below it is told for searches.
 *
 * A search in labels looks at every code of an account until its page is full. So few are worked on at the same time, one an account, and the others wait: accounts take
 * turns, and within an account the first come is the first served. A search waits for the others of its own
 * account, and for one of every account that came before.
 *
 * Room to wait is shared in the same spirit. When there is none, the youngest search of the account that has most
 * waiting is refused: that may be the newcomer's. A search that nobody wants any more leaves at once.
 *
 * Rejected: a bound on what each account may have waiting. It refuses an account that is alone, and as many
 * accounts as it takes still keep everybody else out.
 */
import { unavailable } from "../domain/errors.ts";
import { searchesAtOnceMax, searchesWaitingMax } from "../limits.ts";
import { Cancelled } from "../store/store.ts";

interface Waiting {
  begin(): void;
  refuse(cause: Error): void;
}

interface Lane {
  isRunning: boolean;
  readonly waiting: Set<Waiting>;
}

export interface TurnBounds {
  atOnceMax: number;
  waitingMax: number;
  /** What waits, for people. */
  what?: string;
}

export class FairTurns {
  readonly #bounds: Required<TurnBounds>;
  /** In the order of turns. An account is here while it has a search. */
  readonly #lanes = new Map<string, Lane>();
  #running = 0;
  #waiting = 0;

  constructor(bounds: Partial<TurnBounds> = {}) {
    this.#bounds = {
      atOnceMax: searchesAtOnceMax,
      waitingMax: searchesWaitingMax,
      what: "searches",
      ...bounds,
    };
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Runs the search when its turn has come; rejects with `Cancelled` when nobody wanted it any more by then. */
  async run<T>(account: string, signal: AbortSignal, search: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw new Cancelled();
    const lane = this.#laneOf(account);
    await this.#turnOf(account, lane, signal);
    try {
      return await search();
    } finally {
      lane.isRunning = false;
      this.#running--;
      // Behind all who came meanwhile.
      this.#lanes.delete(account);
      if (lane.waiting.size > 0) this.#lanes.set(account, lane);
      this.#begin();
    }
  }

  #laneOf(account: string): Lane {
    let lane = this.#lanes.get(account);
    if (lane === undefined) {
      lane = { isRunning: false, waiting: new Set() };
      this.#lanes.set(account, lane);
    }
    return lane;
  }

  async #turnOf(account: string, lane: Lane, signal: AbortSignal): Promise<void> {
    let leave = () => {};
    try {
      await new Promise<void>((begin, refuse) => {
        const own: Waiting = { begin, refuse };
        leave = () => this.#refuse(account, lane, own, new Cancelled());
        signal.addEventListener("abort", leave);
        lane.waiting.add(own);
        this.#waiting++;
        this.#begin();
        if (this.#waiting > this.#bounds.waitingMax) this.#makeRoom();
      });
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Begins as many as there is room for. */
  #begin(): void {
    for (const lane of this.#lanes.values()) {
      if (this.#running === this.#bounds.atOnceMax) return;
      const [first] = lane.waiting;
      if (lane.isRunning || first === undefined) continue;
      lane.waiting.delete(first);
      this.#waiting--;
      lane.isRunning = true;
      this.#running++;
      first.begin();
    }
  }

  #makeRoom(): void {
    let account = "";
    let crowded: Lane | null = null;
    for (const [of, lane] of this.#lanes) {
      if (crowded !== null && lane.waiting.size < crowded.waiting.size) continue;
      account = of;
      crowded = lane;
    }
    const youngest = [...crowded!.waiting].at(-1)!;
    const full = unavailable(`Too many ${this.#bounds.what} are waiting. Try again shortly.`);
    this.#refuse(account, crowded!, youngest, full);
  }

  /** Does nothing when it is not waiting any more. */
  #refuse(account: string, lane: Lane, waiting: Waiting, cause: Error): void {
    if (!lane.waiting.delete(waiting)) return;
    this.#waiting--;
    if (!lane.isRunning && lane.waiting.size === 0) this.#lanes.delete(account);
    waiting.refuse(cause);
  }
}
