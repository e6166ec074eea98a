/** When the service is restarted, and how: from the seed alone. */
import { dice } from "../../test/support/dice.ts";
import { disturbedShare, type SoakOptions } from "./arguments.ts";

export interface Restart {
  /** Since the traffic began. */
  atMs: number;
  signal: "SIGKILL" | "SIGTERM";
}

/** The service has traffic to lose before the first one. */
const quietShare = 0.04;
const stream = 1;
/** Leaves the process some time to come back before the next one. */
const usedShareOfSlot = 0.7;

/** One at a random moment in each of as many equal slots; the signals alternate. */
export function planRestarts({ minutes, restarts, seed }: SoakOptions): Restart[] {
  const chance = dice(seed, stream);
  const durationMs = minutes * 60_000;
  const slotMs = (durationMs * (disturbedShare - quietShare)) / Math.max(1, restarts);
  const first = chance.below(2);
  return Array.from({ length: restarts }, (_, at) => ({
    atMs: durationMs * quietShare + slotMs * (at + (usedShareOfSlot * chance.below(1_000)) / 1_000),
    signal: (at + first) % 2 === 0 ? "SIGKILL" : "SIGTERM",
  }));
}
