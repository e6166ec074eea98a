/** What happened in a world: its last lines, a digest of all of them, and what was found to be wrong first. */

import type { VirtualLoop } from "../virtual-loop.ts";
import { SimulationFailure } from "./ledger.ts";

export abstract class Chronicle {
  abstract readonly loop: VirtualLoop;
  failure: SimulationFailure | null = null;
  /** The last things that happened. */
  readonly tail: string[] = [];
  readonly #tailLines: number;
  #digest = 0x811c9dc5;

  constructor(tailLines: number) {
    this.#tailLines = tailLines;
  }

  trace(line: string): void {
    const at = this.loop.now();
    let digest = this.#digest ^ at;
    for (let n = 0; n < line.length; n++) digest = Math.imul(digest ^ line.charCodeAt(n), 0x01000193);
    this.#digest = digest;
    if (this.#tailLines === 0) return;
    this.tail.push(`${new Date(at).toISOString().slice(11, 23)} ${line}`);
    if (this.tail.length > this.#tailLines) this.tail.shift();
  }

  get digest(): string {
    return (this.#digest >>> 0).toString(16);
  }

  readonly failed = (cause: unknown): void => {
    const text =
      cause instanceof SimulationFailure ? cause.message : String((cause as Error)?.stack ?? cause);
    this.failure ??= new SimulationFailure(text);
  };

  /** Runs the loop until the life has ended or something was found, whoever it was that found it. */
  async pass(life: () => Promise<void>): Promise<void> {
    process.on("unhandledRejection", this.failed);
    try {
      let ended = false;
      void life()
        .catch(this.failed)
        .finally(() => {
          ended = true;
        });
      await this.loop.runUntil(() => ended || this.failure !== null);
    } catch (cause) {
      this.failed(cause);
    } finally {
      process.off("unhandledRejection", this.failed);
    }
  }
}
