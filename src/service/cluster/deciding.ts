/**
 * What this process decides, and others ask of it. Whatever is asked for an account passes the gate of its partition, so
 * that nothing is under way when that is given away; and who gives all away can wait for what is still inside.
 */
import type { Usage } from "../../account/account-actor.ts";
import { nothing, type Partition } from "../../cluster/bus/messages.ts";
import { Unanswered } from "../../cluster/bus/talk.ts";
import type { Gates } from "../../cluster/sharing/gates.ts";
import type { Holder } from "../../cluster/sharing/keeper.ts";
import type { Asker, InnerApp, InnerRequest } from "../../engine/inner-app.ts";
import { drainMsMax } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { RescanResult } from "../../safety/rescan.ts";
import type { LimitedScan } from "../../scan/limited-elsewhere.ts";
import { countForOthers } from "../../scan/limited-for-others.ts";
import type { Scans } from "../../scan/scans.ts";

/** What a member that decides answers others with. */
export interface DecidingParts extends Holder {
  /** Under which it decides. */
  epoch: number;
  inner: Pick<InnerApp, "ask">;
  scans: Scans;
  usage(account: string): Promise<Usage>;
  /** Of one that keeps. */
  takeOfSession(id: string): Promise<{ refused: string | null; retryAfter: number }>;
  /** Of the accounts that are decided here. */
  rescan(): Promise<RescanResult>;
  movesOf(of: readonly string[]): Promise<number>;
}

export class Deciding {
  /** Null while nothing is decided here. */
  parts: DecidingParts | null = null;
  readonly #gates: Gates;
  readonly #clock: Clock;
  /** What others asked and is not answered yet, and who waits for that. */
  #answering = 0;
  #answeredAll: (() => void)[] = [];

  constructor(gates: Gates, clock: Clock) {
    this.#gates = gates;
    this.#clock = clock;
  }

  async call(partition: Partition, request: InnerRequest, body: Uint8Array, asker: Asker) {
    const answer = await this.answered(partition, ({ inner }) => inner.ask(request, body, asker));
    if (answer === null) throw new Unanswered("The request was given up.", false);
    const { body: bytes, ...said } = answer;
    return { said, bytes };
  }

  async limited(partition: Partition, scans: readonly LimitedScan[]) {
    const verdicts = await this.answered(partition, (parts) => countForOthers(parts.scans, scans));
    return { said: { verdicts }, bytes: nothing };
  }

  async answered<T>(partition: Partition, answer: (parts: DecidingParts) => Promise<T>): Promise<T> {
    if (this.parts === null) throw new Unanswered("This process does not own the accounts.", true);
    if (partition !== null && !this.#gates.enter(partition)) {
      throw new Unanswered("The account is elsewhere.", true);
    }
    this.#answering++;
    try {
      return await answer(this.parts);
    } finally {
      if (partition !== null) this.#gates.leave(partition);
      this.#answering--;
      if (this.#answering === 0) for (const resolve of this.#answeredAll.splice(0)) resolve();
    }
  }

  /** Resolves when all that others asked is answered, or is given up. */
  untilAnswered(): Promise<void> {
    if (this.#answering === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(drainMsMax / 2, resolve);
      this.#answeredAll.push(() => {
        cancel();
        resolve();
      });
    });
  }
}
