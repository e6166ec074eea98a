/**
 * What goes wrong in a run, and how often: the weather that the seed draws.
 *
 * One run in five is calm: nothing fails, and everything must then be exact, without a single 503. The
 * others draw how likely each fault is, many of them not at all, so that one fault can be met without the noise
 * of the others. `stop` ends all faults: from then on the service has to recover by itself.
 */
import type { Seeded } from "./seeded-random.ts";

export type CommitFate = "stored" | "refused" | "stored, answer lost";
export type CrashKind = "kill" | "power cut" | "declared dead";

export interface Weather {
  isCalm: boolean;
  storeMsMax: number;
  readFails: number;
  commitRefused: number;
  answerLost: number;
  storedTwice: number;
  syncMsMax: number;
  syncFails: number;
  /** How often the disk fills up when something is written, and for how many writes. */
  diskFills: number;
  renderFails: number;
  renderHangs: number;
  crashes: number;
  powerCuts: number;
  declaredDead: number;
  /** Clients of the public links that leave before their answer. */
  visitorsLeave: number;
}

export function drawWeather(random: Seeded): Weather {
  const isCalm = random.chance(0.2);
  const sometimes = (most: number) => (isCalm || random.chance(0.5) ? 0 : (random.below(1000) / 1000) * most);
  return {
    isCalm,
    storeMsMax: random.pick([0, 3, 20, 150]),
    readFails: sometimes(0.05),
    commitRefused: sometimes(0.2),
    answerLost: sometimes(0.3),
    storedTwice: sometimes(0.3),
    syncMsMax: random.pick([0, 5, 60]),
    syncFails: sometimes(0.1),
    diskFills: sometimes(0.08),
    renderFails: sometimes(0.3),
    renderHangs: sometimes(0.05),
    crashes: isCalm ? 0 : random.between(0, 5),
    powerCuts: random.pick([0, 0.5, 1]),
    declaredDead: random.pick([0, 0, 0.8]),
    visitorsLeave: sometimes(0.1),
  };
}

export class Faults {
  readonly weather: Weather;
  readonly #random: Seeded;
  #stopped = false;
  #fullWrites = 0;
  /** When a sync last failed: what was answered around then may be lost in a power cut. */
  syncFailed = false;

  constructor(weather: Weather, random: Seeded) {
    this.weather = weather;
    this.#random = random;
  }

  stop(): void {
    this.#stopped = true;
    this.#fullWrites = 0;
  }

  #happens(probability: number): boolean {
    return !this.#stopped && this.#random.chance(probability);
  }

  storeMs(): number {
    return this.#random.between(0, this.weather.storeMsMax);
  }

  readFails(): boolean {
    return this.#happens(this.weather.readFails);
  }

  commitFate(): CommitFate {
    if (this.#happens(this.weather.commitRefused)) return "refused";
    return this.#happens(this.weather.answerLost) ? "stored, answer lost" : "stored";
  }

  storedTwice(): boolean {
    return this.#happens(this.weather.storedTwice);
  }

  syncMs(): number {
    return this.#random.between(0, this.weather.syncMsMax);
  }

  syncFails(): boolean {
    const fails = this.#happens(this.weather.syncFails);
    this.syncFailed ||= fails;
    return fails;
  }

  diskIsFull(): boolean {
    if (this.#fullWrites === 0 && this.#happens(this.weather.diskFills)) {
      this.#fullWrites = this.#random.between(1, 6);
    }
    if (this.#fullWrites === 0) return false;
    this.#fullWrites--;
    return true;
  }

  render(): "drawn" | "fails" | "hangs" {
    if (this.#happens(this.weather.renderFails)) return "fails";
    return this.#happens(this.weather.renderHangs) ? "hangs" : "drawn";
  }

  startFails(): boolean {
    return this.weather.crashes > 0 && this.#happens(0.3);
  }

  crashKind(): CrashKind {
    if (this.#random.chance(this.weather.declaredDead)) return "declared dead";
    return this.#random.chance(this.weather.powerCuts) ? "power cut" : "kill";
  }

  visitorLeaves(): boolean {
    return this.#happens(this.weather.visitorsLeave);
  }
}
