import type { BenchOptions } from "../arguments.ts";
import type { Load } from "./load.ts";

export interface Warmth {
  requests: number;
  /** However few requests that is. */
  secondsMax: number;
}

const warmths = {
  read: { requests: 20_000, briefSeconds: 1 },
  write: { requests: 80_000, briefSeconds: 2 },
};
export type Calls = keyof typeof warmths;

/**
 * Until nearly all of it is compiled: a create takes twice as long in the first seconds of a process as later, and more
 * than a hundred functions are compiled between its 20,000th and its 80,000th.
 */
export function warmthOf({ isBrief }: BenchOptions, kind: Calls = "read"): Warmth {
  const { requests, briefSeconds } = warmths[kind];
  return { requests, secondsMax: isBrief ? briefSeconds : 10 };
}

/** By requests, not by time: a call that takes longer needs more of it until all of its code is compiled. */
export async function warmUp(
  load: Load,
  url: string,
  connections: number,
  { requests, secondsMax }: Warmth,
): Promise<void> {
  // In which even a cluster that has just started answers something.
  const sliceSeconds = Math.min(2, secondsMax);
  for (let sent = 0, seconds = 0; sent < requests && seconds < secondsMax; seconds += sliceSeconds) {
    sent += sliceSeconds * (await load.slice(url, connections, sliceSeconds)).perSecond;
  }
}
