/**
 * Whether memory is flat: the lows of both halves of the undisturbed stretch are compared, after a warm-up in which
 * caches fill and the compiler and the collector settle. The lows, because the collector draws a saw-tooth: a
 * median says where in a tooth a stretch happened to begin.
 */
import { quantile } from "../../../bench/report/compare.ts";
import type { Sample } from "./samples.ts";

export interface Stretch {
  from: number;
  to: number;
}

export interface MemoryVerdict {
  /** Seconds that were compared. */
  first: Stretch;
  last: Stretch;
  firstBytes: number;
  lastBytes: number;
  /** The least that the heap held in each: the collector's saw-tooth is in the medians, not in these. */
  firstHeapLow: number | null;
  lastHeapLow: number | null;
  ratio: number;
  isFlat: boolean;
}

/** So long the resident memory of a fresh process rises before it stays, whatever the heap does; in a short run less. */
const warmUpSeconds = 300;
const warmUpShareMax = 0.5;
const lowShare = 0.1;
export const ratioMax = 1.1;
/** Of one half: below, one collection decides. */
export const comparedSecondsMin = 30;

/** Null when the stretch is too short to say anything. */
export function judgeMemory(samples: readonly Sample[], undisturbed: Stretch): MemoryVerdict | null {
  const length = undisturbed.to - undisturbed.from;
  const from = undisturbed.from + Math.min(warmUpSeconds, warmUpShareMax * length);
  const middle = (from + undisturbed.to) / 2;
  const first = { from, to: middle };
  const last = { from: middle, to: undisturbed.to };
  const [before, after] = [samplesIn(samples, first), samplesIn(samples, last)];
  const [residentBefore, residentAfter] = [residentOf(before), residentOf(after)];
  if (Math.min(residentBefore.length, residentAfter.length) < comparedSecondsMin) return null;
  const [firstBytes, lastBytes] = [quantile(residentBefore, lowShare), quantile(residentAfter, lowShare)];
  const ratio = lastBytes / firstBytes;
  const [firstHeapLow, lastHeapLow] = [heapLowOf(before), heapLowOf(after)];
  const isFlat = ratio <= ratioMax;
  return { first, last, firstBytes, lastBytes, firstHeapLow, lastHeapLow, ratio, isFlat };
}

function samplesIn(samples: readonly Sample[], { from, to }: Stretch): Sample[] {
  return samples.filter(({ second }) => second >= from && second <= to);
}

function residentOf(samples: readonly Sample[]): number[] {
  return samples.map(({ residentBytes }) => residentBytes).filter((bytes) => bytes !== null);
}

function heapLowOf(samples: readonly Sample[]): number | null {
  const heap = samples.map(({ heapBytes }) => heapBytes).filter((bytes) => bytes !== null);
  return heap.length === 0 ? null : heap.reduce((least, bytes) => Math.min(least, bytes));
}
