/**
 * Holding: what a member would ask of the owner waits for a moment while the accounts pass from one owner to the next.
 *
 * The owner says when that begins, or one that has just become owner refuses. From then on whatever comes is *held*, and
 * what was refused is held too, if it is certain that nothing was done. At every tick the first of those that wait
 * tries; when it gets through, all others follow. Who has waited for its time, or finds too many waiting, is refused as
 * without an owner.
 *
 * Rejected: to be told by the next owner when it answers. It may end before it does, and then nobody would tell.
 */
import { heldMax, holdMsMax, holdTickMs } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import { Unanswered } from "../bus/talk.ts";

interface Held {
  ticksLeft: number;
  goOn(isTrial: boolean): void;
  giveUp(): void;
}

const ticksMax = Math.ceil(holdMsMax / holdTickMs);

export class Holding {
  readonly #clock: Clock;
  /** Of all that wait here and elsewhere, for the bound. */
  readonly #all: { size: number };
  #held: Held[] = [];
  /** While the accounts may be on their way; 0 when they are not. */
  #ticksLeft = 0;
  /** Nothing is asked but by who tries. */
  #isShut = false;

  constructor(clock: Clock, all: { size: number } = { size: 0 }) {
    this.#clock = clock;
    this.#all = all;
  }

  /** Whether the accounts are on their way to another owner, as far as is known. */
  get isOn(): boolean {
    return this.#ticksLeft > 0;
  }

  get size(): number {
    return this.#held.length;
  }

  /** May be called again, with every sign that it goes on. */
  begin(): void {
    const wasOn = this.isOn;
    this.#ticksLeft = ticksMax;
    this.#isShut = true;
    if (!wasOn) this.#tickLater();
  }

  /** Asks, as soon as that is of use. What is asked rejects with `Unanswered`, or is of no concern here. */
  async pass<T>(ask: () => Promise<T>): Promise<T> {
    const own = { ticksLeft: ticksMax };
    for (;;) {
      const isTrial = this.#isShut && (await this.#wait(own));
      try {
        const answer = await ask();
        if (isTrial) this.#letGo();
        return answer;
      } catch (cause) {
        const isUndone = cause instanceof Unanswered && cause.isUndone;
        if (!isUndone || !this.isOn || own.ticksLeft <= 0) throw cause;
        this.#isShut = true;
      }
    }
  }

  #wait(own: { ticksLeft: number }): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Unanswered("No owner was there in time.", true));
      if (this.#all.size >= heldMax) giveUp();
      else {
        this.#all.size++;
        this.#held.push(Object.assign(own, { goOn: resolve, giveUp }));
      }
    });
  }

  #tickLater(): void {
    this.#clock.after(holdTickMs, () => this.#tick());
  }

  #tick(): void {
    this.#ticksLeft--;
    const late = this.#held.filter((held) => --held.ticksLeft <= 0);
    this.#held = this.#held.filter(({ ticksLeft }) => ticksLeft > 0);
    this.#all.size -= late.length;
    for (const { giveUp } of late) giveUp();
    if (this.isOn) {
      const first = this.#held.shift();
      if (first !== undefined) this.#all.size--;
      first?.goOn(true);
      this.#tickLater();
    } else this.#letGo();
  }

  #letGo(): void {
    const all = this.#held;
    this.#held = [];
    this.#all.size -= all.length;
    this.#isShut = false;
    for (const { goOn } of all) goOn(false);
  }
}
