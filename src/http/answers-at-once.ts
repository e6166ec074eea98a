/**
 * How many answers a turn of the loop gives while requests are still being read.
 *
 * uWebSockets.js serves all requests that a connection has sent in one go, half a megabyte of them at a time. If
 * each were answered where it is handled, one client that sends thousands at once would have the loop to itself
 * for seconds. So only the first few answers of a turn, of all connections together, are given at once; any
 * further one is held until everything that this turn brought has been read. Who sends one request after the
 * other does not notice. Behind a held answer uWebSockets.js ends the connection when another request comes, so a
 * flood ends with its connection and costs next to nothing; the node engine lets the connection wait its turn.
 *
 * A long answer costs more than a short one and counts as several. A share for each connection would be fairer, but
 * nobody tells on which connection a request came.
 */
import type { HttpResponse } from "../engine/engine.ts";
import { answerBytesAtOnce, answersAtOnceMax } from "../limits.ts";

export class AnswersAtOnce {
  #left = answersAtOnceMax;
  #held: (() => void)[] = [];

  /** Whether one more answer may be given at once. If not, it has to be held. */
  take(): boolean {
    if (this.#left === 0) return false;
    if (this.#left === answersAtOnceMax) setImmediate(this.#turned);
    this.#left--;
    return true;
  }

  /** An answer of so many bytes was given. */
  given(bytes: number): void {
    // Between turns nothing is being read, and nothing renews what would be taken.
    if (this.#left === answersAtOnceMax) return;
    this.#left = Math.max(0, this.#left - Math.floor(bytes / answerBytesAtOnce));
  }

  /** Gives the answer, corked, at the end of the turn, unless the client has gone by then. */
  hold(res: HttpResponse, answer: () => void, gone: () => void): void {
    let open = true;
    res.onAborted(() => {
      open = false;
      gone();
    });
    this.#held.push(() => {
      if (open) res.cork(answer);
    });
  }

  /** Resolves at the end of the turn. */
  turned(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve));
  }

  get holdsNothing(): boolean {
    return this.#held.length === 0;
  }

  readonly #turned = (): void => {
    const held = this.#held;
    this.#held = [];
    this.#left = answersAtOnceMax;
    for (const answer of held) answer();
  };
}
