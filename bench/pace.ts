/**
 * How fast the cores run at this moment.
 *
 * A core of a virtual machine is often one of two threads that share a core of the host, and the other thread may be
 * somebody else's. Where that one is busy this one runs at some 60 % of its speed, for seconds or minutes, and the system
 * tells nothing of it: no time is taken. Programs do not suffer alike. A server whose work fits the smallest caches loses
 * less than one that does more, so slices on a slow core do not merely add noise, they say something else.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Cores, startTeller, type Teller } from "./processes.ts";

export interface Paces {
  /** Whether all cores run as fast as they can, for all that is known by now. */
  areFull(): Promise<boolean>;
  /** The same, after waiting for it, as long as the run has time for that. */
  untilFull(): Promise<boolean>;
  close(): void;
}

/** Of the fastest that was seen. The speeds of a shared and an unshared core are further apart. */
const fullShare = 0.85;
const firstLooks = 20;
const betweenMs = 250;
const waitMsMax = 20_000;

/** Where nobody can be pinned there is nothing to tell a core's pace by. */
export async function openPaces(cores: Cores, patienceMs: number): Promise<Paces> {
  const told = [...new Set([cores.server, cores.load])].filter((core) => core !== null);
  const tellers = await Promise.all(
    told.map((core) => startTeller<number>({ script: "bench/load/core-pace.ts" }, core)),
  );
  const paces = pacesOf(tellers, patienceMs);
  for (let looks = 0; looks < firstLooks; looks++) await paces.areFull();
  return paces;
}

/** `patienceMs`: for how long a whole run may wait. */
export function pacesOf(
  tellers: readonly Teller<number>[],
  patienceMs: number,
  wait: (ms: number) => Promise<void> = pause,
): Paces {
  let fastest = 0;
  let patience = patienceMs;
  const areFull = async () => {
    let slowest = Number.POSITIVE_INFINITY;
    // One after the other: threads of the same core would slow each other down.
    for (const teller of tellers) {
      const pace = await teller.tell();
      fastest = Math.max(fastest, pace);
      slowest = Math.min(slowest, pace);
    }
    return slowest >= fullShare * fastest;
  };
  return {
    areFull,
    close() {
      for (const teller of tellers) teller.stop();
    },
    async untilFull() {
      for (let left = waitMsMax; ; left -= betweenMs) {
        if (await areFull()) return true;
        if (left <= 0 || patience <= 0) return false;
        patience -= betweenMs;
        await wait(betweenMs);
      }
    },
  };
}
