/**
 * The event loop of a simulated run: time that passes only when nothing is left to do, and loop turns of its own.
 *
 * Whatever waits in the real service waits for one of three things: a promise, a turn of the event loop
 * (`setImmediate`), or the clock. Here the clock is a heap of events, and `setImmediate` is taken over for the
 * length of a run, so that what happens next is decided by the seed and by nothing else: no run touches a real
 * timer or file. Promises are drained by `process.nextTick`, which runs when no promise job is left.
 *
 * Events of the same millisecond may share a turn or not; the seed decides, so that some scans meet in one
 * turn's journal frame and some writes in one commit.
 */
import { setImmediate as realTurn } from "node:timers/promises";
import type { Clock } from "../../src/runtime/clock.ts";
import { gateOfCaller } from "./gate.ts";
import type { Seeded } from "./seeded-random.ts";

interface Event {
  at: number;
  /** Events of the same time run in the order in which they were made. */
  order: number;
  run: (() => void) | null;
}

/** How often the process itself gets a turn: for signals, and for what waits for a turn by other means. */
const stepsPerRealTurn = 32;
/** Many times what a run needs. */
const stepsMax = 500_000;

export class VirtualLoop implements Clock {
  readonly #random: Seeded;
  readonly #events: Event[] = [];
  #turn: (() => void)[] = [];
  #now: number;
  #order = 0;
  steps = 0;

  constructor(random: Seeded, now: number) {
    this.#random = random;
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const event: Event = { at: this.#now + ms, order: this.#order++, run };
    push(this.#events, event);
    return () => {
      event.run = null;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Lets things happen until `done`; throws when nothing can happen any more. */
  async runUntil(done: () => boolean): Promise<void> {
    const own = globalThis.setImmediate;
    const turn = (run: (...given: unknown[]) => void, ...given: unknown[]) => {
      const gate = gateOfCaller();
      this.#turn.push(gate === null ? () => run(...given) : () => gate.run("turn", () => run(...given)));
    };
    globalThis.setImmediate = turn as unknown as typeof setImmediate;
    try {
      await drained();
      while (!done()) await this.#step();
    } finally {
      globalThis.setImmediate = own;
    }
  }

  async #step(): Promise<void> {
    this.steps++;
    if (this.steps > stepsMax) throw new Error("the run does not end");
    if (this.steps % stepsPerRealTurn === 0) await realTurn();
    const next = this.#events[0];
    if (this.#turn.length > 0 && (next === undefined || next.at > this.#now || this.#random.chance(0.6))) {
      const turn = this.#turn;
      this.#turn = [];
      for (const run of turn) {
        run();
        await drained();
      }
      return;
    }
    if (next === undefined) throw new Error("nothing can happen any more, and the run is not over");
    pop(this.#events);
    if (next.run === null) return;
    this.#now = next.at;
    next.run();
    await drained();
  }
}

/** When no promise job is left. */
export function drained(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(event, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
}
