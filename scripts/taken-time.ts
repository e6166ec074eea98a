/** How much of the processor the host of a virtual machine gave to others while this one wanted it. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export interface Ticks {
  used: number;
  taken: number;
}

/** Since the start of the machine; nothing where the system does not tell. */
export function ticks(): Ticks {
  let text = "";
  try {
    text = readFileSync("/proc/stat", "utf8");
  } catch {}
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, taken = 0] =
    /^cpu +([\d ]+)/.exec(text)?.[1]?.split(" ").map(Number) ?? [];
  return { used: user + nice + system + irq + softirq, taken };
}

/** Of what was wanted, from 0 to 1. */
export function takenShare(since: Ticks, now: Ticks = ticks()): number {
  const taken = now.taken - since.taken;
  return taken === 0 ? 0 : taken / (taken + now.used - since.used);
}

const looksMax = 30;
const calmLooks = 3;
const lookMs = 500;
const betweenMs = 3_500;

/** Waits for a host that leaves the machine alone, for two minutes at most. */
export async function untilLeftAlone(shareMax: number): Promise<void> {
  for (let looks = 0, calm = 0; looks < looksMax && calm < calmLooks; looks++) {
    const before = ticks();
    beBusy(lookMs);
    calm = takenShare(before) < shareMax ? calm + 1 : 0;
    await pause(betweenMs);
  }
}

/** A machine that wants nothing is not told what it would get. */
function beBusy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}
