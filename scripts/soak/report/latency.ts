/** Latencies of one side over some time, in a fixed amount of memory. */
import { createHistogram } from "node:perf_hooks";

export interface LatencyFigures {
  count: number;
  /** Milliseconds; null when nothing was measured. */
  p50: number | null;
  p99: number | null;
}

export interface Latencies {
  add(ms: number): void;
  figures(): LatencyFigures;
  clear(): void;
}

const microsecondsMax = 60_000_000;

export function openLatencies(): Latencies {
  const histogram = createHistogram({ lowest: 1, highest: microsecondsMax, figures: 3 });
  const at = (share: number) => (histogram.count === 0 ? null : histogram.percentile(share) / 1_000);
  return {
    add: (ms) => histogram.record(Math.min(microsecondsMax, Math.max(1, Math.round(ms * 1_000)))),
    figures: () => ({ count: histogram.count, p50: at(50), p99: at(99) }),
    clear: () => histogram.reset(),
  };
}
