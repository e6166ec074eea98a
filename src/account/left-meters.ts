/**
 * Rate meters of keys whose actor has left: the next actor goes on with them, here or at another member.
 *
 * What is stored of a window is exact after an orderly leave, and has a few requests too many after a commit that failed
 * (`rate-window.ts`); of the second nothing is stored. So an actor that leaves puts its meters down here, as long as
 * they say more than the store does. Accounts that are given to another member take their meters along, in the message
 * with which they go: no store has to be there for that, and nobody has to be careful for want of knowledge.
 *
 * Rejected: a second that is stored like the minute. It takes a write for every key with every move, and is over when
 * that is done.
 */
import { dayMs, type HandedKeyMeter, type RateMeter, secondMs } from "../domain/account/rate-window.ts";
import type { StoredWindow } from "../domain/documents.ts";
import { leftMetersMax } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock, Millis } from "../runtime/clock.ts";

export class LeftMeters {
  readonly #clock: Clock;
  readonly #meters = new BoundedMap<string, HandedKeyMeter>(leftMetersMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `isStored`: the store has the minute and the day exactly. */
  put(account: string, key: string, meter: RateMeter, isStored: boolean): void {
    const until = isStored ? endOf(meter.second, secondMs) : endOf(meter.day, dayMs);
    // What was reserved in vain is not used, and whether it is stored is not known.
    meter.covered = 0;
    this.#put({ account, of: key, meter, until });
  }

  #put(left: HandedKeyMeter): void {
    if (this.#clock.now() < left.until) this.#meters.set(left.of, left);
  }

  /** From now on it is the caller's. */
  take(key: string): RateMeter | null {
    const left = this.#meters.get(key);
    this.#meters.delete(key);
    return left === undefined || this.#clock.now() >= left.until ? null : left.meter;
  }

  /** Those of accounts that are gone; they are not here any more. */
  handOver(isGone: (account: string) => boolean): HandedKeyMeter[] {
    const handed: HandedKeyMeter[] = [];
    const now = this.#clock.now();
    for (const [key, left] of this.#meters) {
      if (!isGone(left.account)) continue;
      this.#meters.delete(key);
      if (now < left.until) handed.push(left);
    }
    return handed;
  }

  /** Whoever handed them over knew better than the store. */
  receive(handed: readonly HandedKeyMeter[]): void {
    for (const left of handed) this.#put(left);
  }

  /** Lets go of those that say nothing any more. */
  clear(): void {
    const now = this.#clock.now();
    for (const [key, { until }] of this.#meters) if (now >= until) this.#meters.delete(key);
  }
}

function endOf(window: StoredWindow, lengthMs: number): Millis {
  return window.start + lengthMs;
}
