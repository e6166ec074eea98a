/**
 * What a paused process is cut off by: itself. Whatever would run in it (a timer, an answer, a request, the end of a loop
 * turn) is held while the gate is closed, and let through when it opens, each kind in its order and the kinds mixed by
 * chance: a process that wakes up may find a request before it finds out how late it is.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Seeded } from "./seeded-random.ts";

export type Passing = "timer" | "answer" | "request" | "turn";

export interface Gate {
  run(kind: Passing, run: () => void): void;
  /** The same thing, whose answers come in through the gate. */
  guard<T extends object>(asked: T): T;
}

/** Of a process that is never paused. */
export const openGate: Gate = { run: (_kind, run) => run(), guard: (asked) => asked };

const inside = new AsyncLocalStorage<PauseGate>();

/** Of the process that runs at this moment. */
export function gateOfCaller(): PauseGate | null {
  return inside.getStore() ?? null;
}

export class PauseGate implements Gate {
  readonly #held = new Map<Passing, (() => void)[]>();
  #isOpen = true;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** `later` brings each on its way, one after the other. */
  open(random: Seeded, later: (run: () => void) => void): void {
    this.#isOpen = true;
    const queues = [...this.#held].filter(([, held]) => held.length > 0);
    this.#held.clear();
    while (queues.length > 0) {
      const at = random.below(queues.length);
      const [kind, held] = queues[at]!;
      const run = held.shift()!;
      later(() => this.run(kind, run));
      if (held.length === 0) queues.splice(at, 1);
    }
  }

  run(kind: Passing, run: () => void): void {
    if (this.#isOpen) inside.run(this, run);
    else this.#held.set(kind, [...(this.#held.get(kind) ?? []), run]);
  }

  pass<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => this.run("answer", () => resolve(value)),
        (cause) => this.run("answer", () => reject(cause)),
      );
    });
  }

  guard<T extends object>(asked: T): T {
    return new Proxy(asked, {
      get: (target, name) => {
        const found = Reflect.get(target, name) as unknown;
        if (typeof found !== "function") return found;
        return (...given: unknown[]) => {
          const answer: unknown = Reflect.apply(found, target, given);
          return answer instanceof Promise ? this.pass(answer) : answer;
        };
      },
    });
  }
}
