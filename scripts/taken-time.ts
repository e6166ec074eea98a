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

/** Waits for a host that leaves the machine alone, within reason. */
export async function untilLeftAlone(shareMax: number): Promise<void> {
  const [looks, lookMs] = [30, 4_000];
  for (let look = 0; look < looks; look++) {
    const before = ticks();
    await pause(lookMs);
    // A machine that does nothing else wants next to nothing, and is not told what it would get.
    const now = ticks();
    const wanted = now.used - before.used + now.taken - before.taken;
    if (wanted < lookMs / 100 || takenShare(before, now) < shareMax) return;
  }
}
