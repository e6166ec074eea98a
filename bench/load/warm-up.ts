import type { BenchOptions } from "../arguments.ts";
import type { Load } from "./load.ts";

export interface Warmth {
  requests: number;
  /** However few requests that is. */
  secondsMax: number;
}

/** Until all of it is compiled: a create takes twice as long in the first seconds of a process as later. */
export function warmthOf({ isBrief }: BenchOptions, briefSeconds = 1): Warmth {
  return { requests: 20_000, secondsMax: isBrief ? briefSeconds : 10 };
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
