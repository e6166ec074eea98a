/**
 * A slice of load on members, and what it took of their processors: on a busy machine requests a second say less than
 * what each of them costs.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Load, Refused } from "./load/load.ts";
import { processorSeconds, type Server } from "./processes.ts";
import { compare, type Slices } from "./report/compare.ts";
import { compared, type Figure, type Target } from "./report/figures.ts";

export interface MembersSlice {
  perSecond: number;
  /** Milliseconds, of the first load. */
  p50: number;
  /** Processor time of all members together, a request. */
  microseconds: number;
}

const triesMax = 5;
const recoverMs = 5_000;

/** Members refuse while their MongoDB stands still, as it does on a busy machine: then all of it is done again. */
export async function untilServed<T>(note: (text: string) => void, slice: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await slice();
    } catch (cause) {
      if (!(cause instanceof Refused) || tries === triesMax) throw cause;
      note("cluster: slices in which members refused were measured again: MongoDB was too slow for them");
      await pause(recoverMs);
    }
  }
}

/** All loads at the same time, on some of the members. */
export function membersSlice(
  loads: readonly { url: string; load: Load }[],
  members: readonly Server[],
  connections: number,
  seconds: number,
  note: (text: string) => void,
): Promise<MembersSlice> {
  return untilServed(note, () => sliceOnce(loads, members, connections, seconds));
}

async function sliceOnce(
  loads: readonly { url: string; load: Load }[],
  members: readonly Server[],
  connections: number,
  seconds: number,
): Promise<MembersSlice> {
  const processes = new Set(members.map(({ pid }) => pid));
  const used = () => [...processes].reduce((sum, pid) => sum + processorSeconds(pid), 0);
  const before = used();
  const slices = await Promise.all(loads.map(({ url, load }) => load.slice(url, connections, seconds)));
  const perSecond = slices.reduce((sum, slice) => sum + slice.perSecond, 0);
  const microseconds = (1e6 * (used() - before)) / (perSecond * seconds);
  return { perSecond, p50: slices[0]!.p50, microseconds };
}

export function membersFigures(
  bench: string,
  name: string,
  rounds: readonly Slices<MembersSlice>[],
  reference: string,
  target: Target | null = null,
): Figure[] {
  const perSecond = compare(rounds, (slice) => slice.perSecond);
  const figures = [compared({ bench, name, unit: "per second" }, reference, perSecond, target)];
  if (process.platform !== "linux") return figures;
  const microseconds = compare(rounds, (slice) => slice.microseconds);
  return [
    ...figures,
    compared({ bench, name: `processor time, ${name}`, unit: "µs" }, reference, microseconds),
  ];
}
